# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
#
# Runs one case of refused/: checks that whole.json expands, and that with the edit of the case it
# fails for the reasons in <case>-stderr.txt, with empty stdout.

cmake_minimum_required(VERSION 3.25...4.0)
include("${CMAKE_CURRENT_LIST_DIR}/edit_case.cmake")

set(expand "${ARCHGRID_SOURCE}/cmake-modules/archgrid/expand.cmake")
file(REMOVE_RECURSE "${CASE_BINARY}")
file(MAKE_DIRECTORY "${CASE_BINARY}")
execute_process(COMMAND "${CMAKE_COMMAND}" "-DMATRIX=${CMAKE_CURRENT_LIST_DIR}/whole.json" -P "${expand}"
                RESULT_VARIABLE result OUTPUT_VARIABLE stdout ERROR_VARIABLE stderr)
if(NOT result EQUAL 0 OR NOT stderr STREQUAL "" OR NOT stdout MATCHES "archgrid.plan/1")
  message(FATAL_ERROR "the green twin is not green: ${result} ${stderr}")
endif()

archgrid_edit_case("${CASE}" "${CASE_BINARY}/matrix.json" schema)
execute_process(COMMAND "${CMAKE_COMMAND}" -DMATRIX=matrix.json -P "${expand}" WORKING_DIRECTORY "${CASE_BINARY}"
                RESULT_VARIABLE result OUTPUT_VARIABLE stdout ERROR_VARIABLE stderr)
if(NOT stdout STREQUAL "")
  message(FATAL_ERROR "a refused matrix printed to stdout: ${stdout}")
elseif(result EQUAL 0)
  message(FATAL_ERROR "the matrix was not refused")
endif()
string(REGEX REPLACE "\\.cmake$" "" expected "${CASE}")
if(NOT EXISTS "${expected}-stderr.txt")
  message(FATAL_ERROR "${expected}-stderr.txt is missing: which error should it be?")
endif()
archgrid_compare_with("${expected}" 0 "" "${stderr}")
