# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# cmake -DMATRIX=<file> -P missing_host_compilers.cmake
#
# Prints, one per line, the Debian packages of the host compilers that the matrix file's toolkits
# need and this machine lacks.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/host_compiler.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/matrix_toolkits.cmake")

_archgrid_matrix_toolkits("${MATRIX}" matrix)
set(packages "")
foreach(need IN LISTS matrix_TOOLKITS matrix_HOST_COMPILERS)
  string(REGEX MATCH "^([^=]*)=?(.*)$" need "${need}")
  _archgrid_pick_host_compiler("${CMAKE_MATCH_1}" "${CMAKE_MATCH_2}" host)
  if(host_REASON AND NOT host_PACKAGE)
    message(FATAL_ERROR "archgrid: ${host_REASON}")
  endif()
  list(APPEND packages ${host_PACKAGE})
endforeach()
list(REMOVE_DUPLICATES packages)
foreach(package IN LISTS packages)
  execute_process(COMMAND "${CMAKE_COMMAND}" -E echo "${package}")
endforeach()
