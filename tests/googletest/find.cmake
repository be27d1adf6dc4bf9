# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# The newest GoogleTest, as sources, which fetch.cmake keeps beside the toolkits: archgrid::gtest is built and
# tested against it and against the machine's own.
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/../../cmake-modules/archgrid/detail/toolkit_places.cmake")

# Sets OUT to the folder of GoogleTest's CMakeLists.txt, empty where it was not fetched, and OUT_VERSION.
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
