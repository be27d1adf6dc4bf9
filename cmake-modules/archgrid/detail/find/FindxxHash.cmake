# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
#
# Finds the header of xxHash 0.8 or newer (Debian: libxxhash-dev), which contains the whole library.
# Hashes of earlier versions differ. Defines the imported target xxHash::header.
include(FindPackageHandleStandardArgs)

find_path(xxHash_INCLUDE_DIR xxhash.h)
mark_as_advanced(xxHash_INCLUDE_DIR)
if(xxHash_INCLUDE_DIR)
  set(xxHash_VERSION "")
  foreach(part IN ITEMS MAJOR MINOR RELEASE)
    file(STRINGS "${xxHash_INCLUDE_DIR}/xxhash.h" line REGEX "^#define +XXH_VERSION_${part} +[0-9]+")
    string(REGEX REPLACE ".* ([0-9]+).*" "\\1" line "${line}")
    string(APPEND xxHash_VERSION "${line}.")
  endforeach()
  string(REGEX REPLACE "\\.$" "" xxHash_VERSION "${xxHash_VERSION}")
endif()
if(NOT xxHash_FIND_VERSION)
  set(xxHash_FIND_VERSION 0.8.0)
endif()

find_package_handle_standard_args(xxHash REQUIRED_VARS xxHash_INCLUDE_DIR VERSION_VAR xxHash_VERSION
  REASON_FAILURE_MESSAGE "Install libxxhash-dev (archgrid's setup script does)")

if(xxHash_FOUND AND NOT TARGET xxHash::header)
  add_library(xxHash::header INTERFACE IMPORTED)
  set_target_properties(xxHash::header PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${xxHash_INCLUDE_DIR}")
endif()
