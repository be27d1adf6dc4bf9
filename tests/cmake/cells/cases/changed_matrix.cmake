# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that ctest asks the command whether the matrix file has changed: then only the failing test
# BUILT of a built cell runs. A command that fails proves nothing: ctest fails. A tree without a
# command has no built cell yet, and a bundle is not asked about.
include("${ARCHGRID_MODULES}/archgrid/detail/cell_status.cmake")
set(command "${CASE_BINARY}/a command")
_archgrid_write_cell_status("${CASE_BINARY}/cells/one.json" ID one STATUS built SIGNATURE a ARTIFACTS app)
file(WRITE "${CASE_BINARY}/cells/one/CTestTestfile.cmake" "add_test(runs sh -c true)\n")
file(WRITE "${CASE_BINARY}/plan.json" [==[{"matrix": "/src/m.json",
  "cells": [{"id": "one", "cuda": "13.5", "kind": "fat", "archs": ["90"], "labels": ["fat"]}]}]==])

# Runs ctest with ARGN in the tree, whose command is a shell SCRIPT, or in a bundle of it. Sets OUT
# to the output and OUT_STATUS to the exit code.
function(run script is_bundle out)
  file(REMOVE "${command}")
  if(NOT script STREQUAL "")
    file(WRITE "${command}" "#!/bin/sh\n${script}\n")
    file(CHMOD "${command}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  endif()
  set(cmake CMAKE "[==[${CMAKE_COMMAND}]==]")
  if(is_bundle)
    set(cmake "")
  endif()
  list(JOIN cmake " " cmake)
  file(WRITE "${CASE_BINARY}/CTestTestfile.cmake" "include([==[${ARCHGRID_MODULES}/archgrid/detail/cell_tests.cmake]==])
_archgrid_add_cells(TREE [==[${CASE_BINARY}]==] COMMAND [==[${command}]==] ${cmake})
")
  execute_process(COMMAND "${CMAKE_CTEST_COMMAND}" --test-dir "${CASE_BINARY}" ${ARGN}
    OUTPUT_VARIABLE text ERROR_VARIABLE text RESULT_VARIABLE status)
  set(${out} "${text}" PARENT_SCOPE)
  set(${out}_STATUS "${status}" PARENT_SCOPE)
endfunction()

set(says_changed "[ \"$*\" = 'changed-matrix ${CASE_BINARY}' ] && echo /src/m.json")
run("${says_changed}" FALSE changed --output-on-failure)
if(NOT changed MATCHES "one: /src/m.json has changed since this tree was configured. Build it"
    OR changed MATCHES "one/runs")
  message(SEND_ERROR "with a changed matrix file ctest says:\n${changed}")
endif()
run(true FALSE same -N)
if(NOT same MATCHES "one/BUILT.*one/runs")
  message(SEND_ERROR "with an unchanged matrix file ctest lists:\n${same}")
endif()
run("echo out of order >&2; exit 3" FALSE broken)
if(broken_STATUS EQUAL 0 OR NOT broken MATCHES "cannot tell.*\\(3\\).*out of order")
  message(SEND_ERROR "with a command that fails ctest ends with ${broken_STATUS}:\n${broken}")
endif()
run("" FALSE none -N)
run("${says_changed}" TRUE bundle -N)
foreach(tree IN ITEMS none bundle)
  if(NOT ${tree} MATCHES "one/runs")
    message(SEND_ERROR "${tree}: ctest lists:\n${${tree}}")
  endif()
endforeach()
