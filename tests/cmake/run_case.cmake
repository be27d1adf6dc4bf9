# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
#
# Runs one case (CASE, in CASE_BINARY) and compares its results with the files beside it; see
# CMakeLists.txt.

cmake_minimum_required(VERSION 3.25...4.0)
include("${CMAKE_CURRENT_LIST_DIR}/compare.cmake")

get_filename_component(CASE_SOURCE "${CASE}" DIRECTORY)
get_filename_component(ARCHGRID_SOURCE "${ARCHGRID_SOURCE}" ABSOLUTE)
file(REMOVE_RECURSE "${CASE_BINARY}")
file(MAKE_DIRECTORY "${CASE_BINARY}")
set(ARCHGRID_MODULES "${ARCHGRID_SOURCE}/cmake-modules")
set(names ARCHGRID_SOURCE ARCHGRID_MODULES CASE_SOURCE CASE_BINARY)
if(IS_DIRECTORY "${CASE}")
  # In a file, as cmake warns of command-line variables that a project does not use.
  set(content "")
  foreach(name IN LISTS names)
    string(APPEND content "set(${name} [[${${name}}]] CACHE PATH \"\")\n")
  endforeach()
  file(WRITE "${CASE_BINARY}/case.cmake" "${content}")
  set(how -C case.cmake -G Ninja -S "${CASE}" -B "${CASE_BINARY}")
else()
  set(how -P "${CASE}")
  foreach(name IN LISTS names)
    list(PREPEND how "-D${name}=${${name}}")
  endforeach()
endif()
execute_process(COMMAND "${CMAKE_COMMAND}" ${how} WORKING_DIRECTORY "${CASE_BINARY}"
                RESULT_VARIABLE result OUTPUT_VARIABLE stdout ERROR_VARIABLE stderr)
string(REGEX REPLACE "\\.cmake$" "" expected "${CASE}")
archgrid_compare_with("${expected}" "${result}" "${stdout}" "${stderr}")
