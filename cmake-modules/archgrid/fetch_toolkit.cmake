# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

include_guard(GLOBAL)
cmake_policy(VERSION 3.25...4.0)

include("${CMAKE_CURRENT_LIST_DIR}/detail/provide_toolkit.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/detail/matrix_toolkits.cmake")

#[[
archgrid_fetch_toolkit(<X.Y> [LIBRARIES <name>...] [RESULT <prefix>])

Provides CUDA Toolkit X.Y on this machine, with LIBRARIES if any are named (see
archgrid_find_toolkit()). Finds it like archgrid_find_toolkit(), else fetches it into the shared
cache (`$ARCHGRID_TOOLKITS`, default `${XDG_CACHE_HOME:-~/.cache}/archgrid/toolkits`). 13.x comes
from PyPI; 11.8 and 12.4 come from Debian's non-free packages, through the machine's own apt
configuration. Neither needs root or changes the system. NVIDIA's licence, the CUDA Toolkit EULA,
applies, and a message names it.

The tree is assembled in a temporary folder and appears by one rename, after its nvcc has compiled
and linked a program. Two concurrent fetches of a toolkit wait for each other; the next fetch
removes leftovers of a killed one. A toolkit with libraries has its own folder
(`cuda-13.5-cublas-cusparse`), whose other files are hard links to those of `cuda-13.5`, which is
fetched once and never changed.

Sets in the caller, with RESULT:
  <prefix>_ROOT      the toolkit's folder
  <prefix>_NVCC      <root>/bin/nvcc
  <prefix>_FETCHED   TRUE if it had to be fetched

Fatal if the toolkit can be neither found nor fetched; the message names the fix.

As a script, with the libraries that are named:
  cmake -DTOOLKIT=13.5 [-DLIBRARIES="cublas;cusparse"] -P fetch_toolkit.cmake
  cmake -DMATRIX=matrix.json -P fetch_toolkit.cmake    all toolkits of the matrix file
  with -DDRY_RUN=ON: print what would be fetched, and fetch nothing
]]
function(archgrid_fetch_toolkit version)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "RESULT" "LIBRARIES")
  if(arg_UNPARSED_ARGUMENTS OR "RESULT" IN_LIST arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "archgrid_fetch_toolkit(${version}): cannot read "
      "\"${arg_UNPARSED_ARGUMENTS}${arg_KEYWORDS_MISSING_VALUES}\"; takes [LIBRARIES <name>...] [RESULT <prefix>]")
  endif()
  _archgrid_provide_toolkit("${version}" "${arg_LIBRARIES}" provided)
  if(provided_REASON)
    message(FATAL_ERROR "archgrid: ${provided_REASON}")
  endif()
  if(arg_RESULT)
    foreach(field IN ITEMS ROOT NVCC FETCHED)
      set(${arg_RESULT}_${field} "${provided_${field}}" PARENT_SCOPE)
    endforeach()
  endif()
endfunction()

# Prints one aligned line: CUDA 13.5   found     /usr/local/cuda-13.5
function(_archgrid_say_toolkit version word text)
  string(SUBSTRING "CUDA ${version}         " 0 11 label)
  string(SUBSTRING "${word}          " 0 9 word)
  message(STATUS "${label} ${word} ${text}")
endfunction()

# Prints what fetching VERSION with LIBRARIES would do on this machine, and fetches nothing.
function(_archgrid_preview_toolkit version libraries)
  _archgrid_pick_host_compiler("${version}" "" host)
  if(host_PACKAGE)
    _archgrid_say_toolkit("${version}" "unknown" "cannot be tried before ${host_PACKAGE} is installed")
    return()
  endif()
  archgrid_find_toolkit("${version}" LIBRARIES ${libraries} RESULT toolkit)
  if(toolkit_FOUND)
    _archgrid_say_toolkit("${version}" "found" "${toolkit_ROOT}")
    return()
  endif()
  _archgrid_refuse_libraries("${version}" "${libraries}" reason)
  if(reason STREQUAL "")
    _archgrid_refuse_unfetchable("${version}" "${toolkit_REASON}" reason)
  endif()
  if(reason)
    message(FATAL_ERROR "archgrid: ${reason}")
  endif()
  _archgrid_data_toolkit(row "${version}")
  _archgrid_toolkit_cache(cache)
  string(STRIP "${row_FETCH_FROM} ${row_FETCH_SUITE}" from)
  set(with "")
  if(libraries)
    list(JOIN libraries ", " with)
    string(PREPEND with ", with ")
  endif()
  _archgrid_say_toolkit("${version}" "missing" "would be fetched (${from}) into ${cache}${with}")
endfunction()

# Entry point for `cmake -P`; reads TOOLKIT, LIBRARIES, MATRIX and DRY_RUN from the command line.
function(_archgrid_fetch_toolkit_script)
  if(DEFINED MATRIX)
    _archgrid_matrix_toolkits("${MATRIX}" matrix)
    set(versions "${matrix_TOOLKITS}")
  elseif(DEFINED TOOLKIT)
    set(versions "${TOOLKIT}")
    set(matrix_LIBRARIES_${TOOLKIT} "${LIBRARIES}")
  else()
    message(FATAL_ERROR "archgrid: say which toolkit: cmake -DTOOLKIT=13.5 -P fetch_toolkit.cmake, or -DMATRIX=<file>")
  endif()
  foreach(version IN LISTS versions)
    _archgrid_fetch_one_toolkit("${version}" "${matrix_LIBRARIES_${version}}")
    if(matrix_PLAIN_${version} AND matrix_LIBRARIES_${version})
      _archgrid_fetch_one_toolkit("${version}" "")
    endif()
  endforeach()
endfunction()

# Fetches one toolkit if it is missing, and prints the outcome. With DRY_RUN, prints only what it
# would do.
function(_archgrid_fetch_one_toolkit version libraries)
  if(DRY_RUN)
    _archgrid_preview_toolkit("${version}" "${libraries}")
    return()
  endif()
  archgrid_fetch_toolkit("${version}" LIBRARIES ${libraries} RESULT toolkit)
  set(word "found")
  if(toolkit_FETCHED)
    set(word "fetched")
  endif()
  _archgrid_say_toolkit("${version}" "${word}" "${toolkit_ROOT}")
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  _archgrid_fetch_toolkit_script()
endif()
