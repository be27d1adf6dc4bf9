# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
#
# Finds libdw of elfutils (Debian: libdw-dev), which has no CMake package. Defines the imported
# target LibDw::LibDw.
include(FindPackageHandleStandardArgs)

find_path(LibDw_INCLUDE_DIR elfutils/libdwfl.h)
find_library(LibDw_LIBRARY dw)
mark_as_advanced(LibDw_INCLUDE_DIR LibDw_LIBRARY)

find_package_handle_standard_args(LibDw REQUIRED_VARS LibDw_LIBRARY LibDw_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "Install libdw-dev (archgrid's setup script does)")

if(LibDw_FOUND AND NOT TARGET LibDw::LibDw)
  add_library(LibDw::LibDw UNKNOWN IMPORTED)
  set_target_properties(LibDw::LibDw PROPERTIES
    IMPORTED_LOCATION "${LibDw_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${LibDw_INCLUDE_DIR}")
endif()
