# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
#
# Finds the LZ4 library (Debian: liblz4-dev), which does not have a CMake package on every system.
# Defines the imported target LZ4::lz4.
include(FindPackageHandleStandardArgs)

find_path(LZ4_INCLUDE_DIR lz4.h)
find_library(LZ4_LIBRARY lz4)
mark_as_advanced(LZ4_INCLUDE_DIR LZ4_LIBRARY)

find_package_handle_standard_args(LZ4 REQUIRED_VARS LZ4_LIBRARY LZ4_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "Install liblz4-dev (archgrid's setup script does)")

if(LZ4_FOUND AND NOT TARGET LZ4::lz4)
  add_library(LZ4::lz4 UNKNOWN IMPORTED)
  set_target_properties(LZ4::lz4 PROPERTIES
    IMPORTED_LOCATION "${LZ4_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${LZ4_INCLUDE_DIR}")
endif()
