# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
#
# Finds GNU libiberty (Debian: libiberty-dev; elsewhere part of binutils), which has no CMake
# package. Defines the imported target Libiberty::libiberty.
include(FindPackageHandleStandardArgs)

find_path(Libiberty_INCLUDE_DIR libiberty/demangle.h)
find_library(Libiberty_LIBRARY NAMES iberty_pic iberty)
mark_as_advanced(Libiberty_INCLUDE_DIR Libiberty_LIBRARY)

find_package_handle_standard_args(Libiberty REQUIRED_VARS Libiberty_LIBRARY Libiberty_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "Install libiberty-dev (archgrid's setup script does)")

if(Libiberty_FOUND AND NOT TARGET Libiberty::libiberty)
  add_library(Libiberty::libiberty UNKNOWN IMPORTED)
  set_target_properties(Libiberty::libiberty PROPERTIES
    IMPORTED_LOCATION "${Libiberty_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${Libiberty_INCLUDE_DIR}")
endif()
