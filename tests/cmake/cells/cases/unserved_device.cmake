# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that the preset of a device that no cell serves runs one test, which fails and names the
# matrix file as spelled.
file(WRITE "${CASE_BINARY}/plan.json" [==[{"matrix": "/with a\\nother\\table.json",
  "cells": [{"id": "cu135-sm80", "cuda": "13.5", "kind": "single", "archs": ["80"], "labels": ["cu135", "sm80"]}]}]==])
file(WRITE "${CASE_BINARY}/CTestTestfile.cmake" "include([==[${ARCHGRID_MODULES}/archgrid/detail/cell_tests.cmake]==])
_archgrid_add_cells(TREE [==[${CASE_BINARY}]==] COMMAND archgrid CMAKE cmake)
")
set(ENV{ARCHGRID_PRESET} sm86)
execute_process(COMMAND "${CMAKE_CTEST_COMMAND}" --test-dir "${CASE_BINARY}" -L "^sm86$" --output-on-failure
  OUTPUT_VARIABLE text ERROR_VARIABLE text)
string(CONCAT line "\nsm86: nothing to build or test in /with a\\nother\\table.json: "
  "no single cell has this arch, and no fat cell is promised to serve it\n")
string(FIND "${text}" "${line}" place)
if(place EQUAL -1 OR NOT text MATCHES "1/1 Test #[0-9]+: sm86 [.]+[*]+Failed")
  message(SEND_ERROR "the failing test is not there, or says something else:\n${text}")
endif()

# The device of a cell, and no preset at all, add no test.
foreach(preset IN ITEMS sm80 "")
  set(ENV{ARCHGRID_PRESET} "${preset}")
  execute_process(COMMAND "${CMAKE_CTEST_COMMAND}" --test-dir "${CASE_BINARY}" -N OUTPUT_VARIABLE
    text ERROR_VARIABLE text)
  if(NOT text MATCHES "Total Tests: 1" OR text MATCHES "#[0-9]+: sm8[06]\n")
    message(SEND_ERROR "\"${preset}\" adds a test:\n${text}")
  endif()
endforeach()
