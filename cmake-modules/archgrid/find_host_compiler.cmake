# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

include_guard(GLOBAL)
cmake_policy(VERSION 3.25...4.0)

include("${CMAKE_CURRENT_LIST_DIR}/detail/host_compiler.cmake")

#[[
archgrid_find_host_compiler(<X.Y> [REQUESTED <compiler>] RESULT <prefix>)

Finds the C++ compiler with which nvcc of CUDA X.Y compiles host code, and the C compiler beside it.

Without REQUESTED it is `g++` if the toolkit supports its release (`max_gcc` of the data table),
else the newest supported `g++-<N>` on the machine. REQUESTED (`g++-12`, `clang++-14`, or a path) is
accepted or rejected, never replaced.

Sets in the caller:
  <prefix>_CXX   path, for CMAKE_CXX_COMPILER and CMAKE_CUDA_HOST_COMPILER
  <prefix>_C     path, for CMAKE_C_COMPILER

Fatal if there is none; the message names the Debian package to install.
]]
function(archgrid_find_host_compiler version)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "REQUESTED;RESULT" "")
  if(NOT arg_RESULT)
    message(FATAL_ERROR "archgrid_find_host_compiler(${version}): RESULT <prefix> is missing")
  endif()
  if(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "archgrid_find_host_compiler(${version}): cannot read "
      "\"${arg_UNPARSED_ARGUMENTS}${arg_KEYWORDS_MISSING_VALUES}\"; takes [REQUESTED <compiler>] RESULT <prefix>")
  endif()
  _archgrid_pick_host_compiler("${version}" "${arg_REQUESTED}" found)
  if(found_REASON)
    message(FATAL_ERROR "archgrid: ${found_REASON}")
  endif()
  set(${arg_RESULT}_CXX "${found_CXX}" PARENT_SCOPE)
  set(${arg_RESULT}_C "${found_C}" PARENT_SCOPE)
endfunction()
