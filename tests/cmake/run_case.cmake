# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
#
# Runs one case (CASE, in CASE_BINARY) and compares what came of it with the files beside it; see CMakeLists.txt.

cmake_minimum_required(VERSION 3.25...4.0)
include("${CMAKE_CURRENT_LIST_DIR}/compare.cmake")

get_filename_component(CASE_SOURCE "${CASE}" DIRECTORY)
get_filename_component(ARCHGRID_SOURCE "${ARCHGRID_SOURCE}" ABSOLUTE)
file(REMOVE_RECURSE "${CASE_BINARY}")
file(MAKE_DIRECTORY "${CASE_BINARY}")
set(variables "-DARCHGRID_SOURCE=${ARCHGRID_SOURCE}" "-DARCHGRID_MODULES=${ARCHGRID_SOURCE}/cmake-modules"
              "-DCASE_SOURCE=${CASE_SOURCE}" "-DCASE_BINARY=${CASE_BINARY}")
if(IS_DIRECTORY "${CASE}")
  set(how --no-warn-unused-cli -G Ninja -S "${CASE}" -B "${CASE_BINARY}")
else()
  set(how -P "${CASE}")
endif()
execute_process(COMMAND "${CMAKE_COMMAND}" ${variables} ${how} WORKING_DIRECTORY "${CASE_BINARY}"
                RESULT_VARIABLE result OUTPUT_VARIABLE stdout ERROR_VARIABLE stderr)
string(REGEX REPLACE "\\.cmake$" "" expected "${CASE}")
archgrid_compare_with("${expected}" "${result}" "${stdout}" "${stderr}")
