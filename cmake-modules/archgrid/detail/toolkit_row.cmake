# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# A toolkit's row of the data table (data/toolkits.json), as fetching and finding need it.
include_guard(GLOBAL)

# Sets <prefix>_KNOWN and, of the row of CUDA VERSION, <prefix>_MAX_GCC, <prefix>_MAX_CLANG, <prefix>_FETCH
# (JSON, empty where archgrid cannot fetch the toolkit); <prefix>_ALL holds every known release and
# <prefix>_FETCHABLE those that can be fetched.
function(_archgrid_toolkit_row version prefix)
  set(table "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../data/toolkits.json")
  file(READ "${table}" json)
  string(JSON rows ERROR_VARIABLE error GET "${json}" toolkits)
  if(error)
    message(FATAL_ERROR "archgrid: ${table}: ${error}")
  endif()
  string(JSON count LENGTH "${rows}")
  math(EXPR last "${count} - 1")
  set(${prefix}_KNOWN FALSE PARENT_SCOPE)
  foreach(index RANGE ${last})
    string(JSON row GET "${rows}" ${index})
    string(JSON cuda GET "${row}" cuda)
    string(JSON fetch_type TYPE "${row}" fetch)
    list(APPEND all "${cuda}")
    if(NOT fetch_type STREQUAL "NULL")
      list(APPEND fetchable "${cuda}")
    endif()
    if(cuda STREQUAL version)
      string(JSON max_gcc GET "${row}" max_gcc)
      string(JSON max_clang GET "${row}" max_clang)
      set(fetch "")
      if(NOT fetch_type STREQUAL "NULL")
        string(JSON fetch GET "${row}" fetch)
      endif()
      set(${prefix}_KNOWN TRUE PARENT_SCOPE)
      set(${prefix}_MAX_GCC "${max_gcc}" PARENT_SCOPE)
      set(${prefix}_MAX_CLANG "${max_clang}" PARENT_SCOPE)
      set(${prefix}_FETCH "${fetch}" PARENT_SCOPE)
    endif()
  endforeach()
  set(${prefix}_ALL "${all}" PARENT_SCOPE)
  set(${prefix}_FETCHABLE "${fetchable}" PARENT_SCOPE)
endfunction()

# Sets OUT to why CUDA VERSION is not a release of the table; empty where it is one.
function(_archgrid_check_toolkit_version version out)
  set(${out} "" PARENT_SCOPE)
  _archgrid_toolkit_row("${version}" row)
  if(NOT row_KNOWN)
    list(JOIN row_ALL " " known)
    set(${out} "unknown CUDA toolkit \"${version}\"; known are: ${known}" PARENT_SCOPE)
  endif()
endfunction()
