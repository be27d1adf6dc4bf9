# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that ctest writes the list of a tree's GPU tests when it reads them. Two instances may do
# so concurrently: neither modifies a file that the other one writes.
include("${ARCHGRID_MODULES}/archgrid/detail/cell_status.cmake")
_archgrid_write_cell_status("${CASE_BINARY}/cells/one.json" ID one STATUS built ARTIFACTS app)
file(WRITE "${CASE_BINARY}/cells/one/CTestTestfile.cmake" "
add_test(gemm sh -c true)
set_tests_properties(gemm PROPERTIES ENVIRONMENT ARCHGRID_RECORD=gemm.json)
add_test(host sh -c true)
")
file(WRITE "${CASE_BINARY}/plan.json"
  [==[{"cells": [{"id": "one", "cuda": "13.5", "kind": "fat", "archs": ["90"], "labels": ["fat"]}]}]==])
file(WRITE "${CASE_BINARY}/CTestTestfile.cmake" "include([==[${ARCHGRID_MODULES}/archgrid/detail/cell_tests.cmake]==])
_archgrid_add_cells(TREE [==[${CASE_BINARY}]==] COMMAND archgrid)
")
set(file "${CASE_BINARY}/Testing/Temporary/archgrid-gpu-tests.txt")
file(WRITE "${file}.new" "half")
execute_process(COMMAND "${CMAKE_CTEST_COMMAND}" --test-dir "${CASE_BINARY}" -N OUTPUT_VARIABLE text ERROR_VARIABLE text
  RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "ctest ended with ${result}:\n${text}")
endif()
file(READ "${file}" names)
if(NOT names STREQUAL "one/gemm\n")
  message(FATAL_ERROR "the list of GPU tests: ${names}")
endif()
file(GLOB files RELATIVE "${CASE_BINARY}/Testing/Temporary" "${file}*")
if(NOT "${files}" STREQUAL "archgrid-gpu-tests.txt;archgrid-gpu-tests.txt.new")
  message(FATAL_ERROR "ctest left ${files}")
endif()
