# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Queries the data table about toolkits that may not be in it.
include_guard(GLOBAL)
cmake_policy(VERSION 3.25...4.0)

include("${CMAKE_CURRENT_LIST_DIR}/data.cmake")

# Sets OUT to an error if CUDA VERSION is not in the table, else to nothing.
function(_archgrid_refuse_toolkit_version version out)
  set(${out} "" PARENT_SCOPE)
  _archgrid_data_toolkit(row "${version}")
  if(NOT row_FOUND)
    _archgrid_data_toolkits(known)
    list(JOIN known " " known)
    set(${out} "unknown CUDA toolkit \"${version}\"; known are: ${known}" PARENT_SCOPE)
  endif()
endfunction()

# Sets OUT to the releases that archgrid can fetch.
function(_archgrid_fetchable_toolkits out)
  set(fetchable "")
  _archgrid_data_toolkits(known)
  foreach(version IN LISTS known)
    _archgrid_data_toolkit(row "${version}")
    if(row_FETCH_FROM)
      list(APPEND fetchable "${version}")
    endif()
  endforeach()
  set(${out} "${fetchable}" PARENT_SCOPE)
endfunction()
