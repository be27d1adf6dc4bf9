# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that a program which "targets" of the matrix file excludes disables its placeholder test,
# which gtest_discover_tests() and catch_discover_tests() name like its command, without a path. In
# a cell with all targets, and under another name, such a test fails.
include("${ARCHGRID_MODULES}/archgrid/detail/cell_status.cmake")
foreach(id IN ITEMS partial whole)
  _archgrid_write_cell_status("${CASE_BINARY}/cells/${id}.json" ID ${id} STATUS built ARTIFACTS app)
  file(WRITE "${CASE_BINARY}/cells/${id}/CTestTestfile.cmake" "
add_test([=[unit_NOT_BUILT]=] \"unit_NOT_BUILT\")
add_test(case_NOT_BUILT-b858cb2 case_NOT_BUILT-b858cb2)
add_test(other_NOT_BUILT no_such_program)
")
endforeach()
file(WRITE "${CASE_BINARY}/plan.json" [==[{"cells": [
  {"id": "partial", "cuda": "13.5", "kind": "fat", "archs": ["90"], "labels": ["fat"], "targets": ["app"]},
  {"id": "whole", "cuda": "13.5", "kind": "fat", "archs": ["90"], "labels": ["fat"]}]}]==])
file(WRITE "${CASE_BINARY}/CTestTestfile.cmake" "include([==[${ARCHGRID_MODULES}/archgrid/detail/cell_tests.cmake]==])
_archgrid_add_cells(TREE [==[${CASE_BINARY}]==] COMMAND archgrid)
")
execute_process(COMMAND "${CMAKE_CTEST_COMMAND}" --test-dir "${CASE_BINARY}" OUTPUT_VARIABLE text ERROR_VARIABLE text)
foreach(test IN ITEMS partial/unit_NOT_BUILT partial/case_NOT_BUILT-b858cb2)
  if(NOT text MATCHES "${test} \\.+\\*+Not Run \\(Disabled\\)")
    message(FATAL_ERROR "${test} is not disabled:\n${text}")
  endif()
endforeach()
foreach(test IN ITEMS partial/other_NOT_BUILT whole/unit_NOT_BUILT whole/case_NOT_BUILT-b858cb2 whole/other_NOT_BUILT)
  if(NOT text MATCHES "- ${test} \\(Not Run\\)")
    message(FATAL_ERROR "${test} does not fail:\n${text}")
  endif()
endforeach()
