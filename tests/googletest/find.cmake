# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Finds the sources of the newest GoogleTest, which fetch.cmake stores beside the toolkits.
# archgrid::gtest is built and tested with them and with the installed GoogleTest.
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/../../cmake-modules/archgrid/detail/toolkit_places.cmake")

# Sets OUT to the folder of GoogleTest's CMakeLists.txt, empty if it was not fetched, and
# OUT_VERSION.
function(archgrid_find_newest_googletest out)
  _archgrid_toolkit_cache(cache)
  file(GLOB found "${cache}/googletest-*/CMakeLists.txt")
  list(SORT found COMPARE NATURAL ORDER DESCENDING)
  set(${out} "" PARENT_SCOPE)
  set(${out}_VERSION "" PARENT_SCOPE)
  if(found)
    list(GET found 0 newest)
    cmake_path(GET newest PARENT_PATH folder)
    set(${out} "${folder}" PARENT_SCOPE)
    string(REGEX REPLACE ".*/googletest-" "" version "${folder}")
    set(${out}_VERSION "${version}" PARENT_SCOPE)
  endif()
endfunction()
