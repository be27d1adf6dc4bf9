# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks the errors of archgrid_add_matrix.
e2e_matrix(matrix CUDA 13.5 ARCHS 90 DEVICES 9.0 CELLS fat ACCEPT native)
file(WRITE "${WORK}/good.json" "${matrix}")
file(WRITE "${WORK}/bad.json" "{\"name\": \"bad\", \"toolkits\": [{\"cuda\": 13.5, \"archs\": [\"90\"]}]}")
set(good "MATRIX [==[${WORK}/good.json]==] SOURCE [==[${E2E}/tiny]==]")
e2e_refuses(no_matrix "archgrid_add_matrix(SOURCE [==[${E2E}/tiny]==])" "MATRIX is missing")
e2e_refuses(no_source "archgrid_add_matrix(MATRIX [==[${WORK}/good.json]==])" "SOURCE is missing")
e2e_refuses(no_project
  "archgrid_add_matrix(MATRIX [==[${WORK}/good.json]==] SOURCE [==[${WORK}]==])" "has no CMakeLists.txt")
e2e_refuses(no_folder
  "archgrid_add_matrix(MATRIX [==[${WORK}/good.json]==] SOURCE nowhere COMMAND make)" "SOURCE .*nowhere is no folder")
e2e_refuses(placeholder
  "archgrid_add_matrix(MATRIX [==[${WORK}/good.json]==] SOURCE [==[${WORK}]==] COMMAND make X=@GENCODES@)"
  "unknown placeholder @GENCODES@.*write @GENCODE@")
e2e_refuses(empty_word
  "archgrid_add_matrix(MATRIX [==[${WORK}/good.json]==] SOURCE [==[${WORK}]==] COMMAND make \"\")"
  "Put the command into a script")
e2e_refuses(bracket
  "archgrid_add_matrix(MATRIX [==[${WORK}/good.json]==] SOURCE [==[${WORK}]==] COMMAND make a[b)"
  "Put the command into a script")
string(REPLACE "\"toolkits\"" "\"enforce_archs\": true, \"toolkits\"" enforced "${matrix}")
file(WRITE "${WORK}/enforced.json" "${enforced}")
e2e_refuses(enforced
  "archgrid_add_matrix(MATRIX [==[${WORK}/enforced.json]==] SOURCE [==[${WORK}]==] COMMAND make)"
  "are for CMake projects")
string(REPLACE "\"90\"" "\"90-virtual\"" virtual "${matrix}")
file(WRITE "${WORK}/virtual.json" "${virtual}")
e2e_refuses(unsayable
  "archgrid_add_matrix(MATRIX [==[${WORK}/virtual.json]==] SOURCE [==[${WORK}]==] COMMAND make @SM@)"
  "@SM@ cannot say it")
e2e_refuses(incremental "archgrid_add_matrix(${good} INCREMENTAL)" "INCREMENTAL belongs to COMMAND")
e2e_refuses(unknown "archgrid_add_matrix(${good} SOURCES x)" "unknown arguments: SOURCES")
e2e_refuses(twice "archgrid_add_matrix(${good})\narchgrid_add_matrix(${good})" "has the cells of .*good.json already")
e2e_refuses(definition "archgrid_add_matrix(${good} DEFINITIONS novalue)" "'novalue' is no definition. Write KEY=VALUE")
e2e_refuses(bad_matrix "archgrid_add_matrix(MATRIX [==[${WORK}/bad.json]==] SOURCE [==[${E2E}/tiny]==])"
  "bad\\.json.*toolkits\\[0\\]\\.cuda")

# Cells must not have the same cells in turn.
set(calls_itself "makes this call: its cells would have cells\\. Put .*: matrices/CMakeLists\\.txt with SOURCE \\.\\.")
e2e_refuses(itself "archgrid_add_matrix(MATRIX [==[${WORK}/good.json]==] SOURCE .)" "${calls_itself}")
foreach(command IN ITEMS "" "COMMAND [==[${CMAKE_COMMAND}]==] -G Ninja -S . -B out")
  set(recursive "${WORK}/recursive")
  file(WRITE "${recursive}/matrices/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(matrices NONE)
include([==[${ROOT}/cmake-modules/ArchGrid.cmake]==])
archgrid_add_matrix(MATRIX [==[${WORK}/good.json]==] SOURCE .. ${command})
")
  if(command STREQUAL "")
    e2e_refuses(recursive "add_subdirectory(matrices)" "${calls_itself}")
  endif()
  set(tree "${WORK}/recursive_build")
  e2e_run("${CMAKE_COMMAND}" -G Ninja -S "${recursive}/matrices" -B "${tree}" "-DARCHGRID_COMMAND=${COMMAND}")
  e2e_expect(pass)
  e2e_run("${NINJA}" -C "${tree}" matrix)
  e2e_expect(pass MATCH "1 cell: 0 built, 1 failed")
  file(READ "${tree}/cells/cu135-fat.log" output)
  e2e_expect(pass MATCH "${calls_itself}")
endforeach()

# A missing command would fail each cell.
foreach(command IN ITEMS "${WORK}/no/such/archgrid" "${WORK}")
  file(WRITE "${WORK}/no_command/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(refused NONE)
include([==[${ROOT}/cmake-modules/ArchGrid.cmake]==])
archgrid_add_matrix(${good})
")
  e2e_run("${CMAKE_COMMAND}" -G Ninja -S "${WORK}/no_command" -B "${WORK}/no_command/build"
    "-DARCHGRID_COMMAND=${command}")
  e2e_expect(fail MATCH "ARCHGRID_COMMAND is ${command}, and there is no such" "Fix: set it to the archgrid command")
endforeach()

# Samurai lacks some of the Ninja tools that the proof of a cell needs.
foreach(program IN ITEMS samu ninja)
  file(WRITE "${WORK}/${program}/bin/${program}" "#!/bin/sh\n")
  file(CHMOD "${WORK}/${program}/bin/${program}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  file(WRITE "${WORK}/${program}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(refused NONE)
include([==[${ROOT}/cmake-modules/ArchGrid.cmake]==])
set(CMAKE_FIND_USE_CMAKE_SYSTEM_PATH OFF)
set(CMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH OFF)
archgrid_add_matrix(${good})
")
  e2e_run("${CMAKE_COMMAND}" -G "Unix Makefiles" -S "${WORK}/${program}" -B "${WORK}/${program}/build"
    "-DCMAKE_PROGRAM_PATH=${WORK}/${program}/bin" "-DARCHGRID_COMMAND=${COMMAND}"
    -DCMAKE_MAKE_PROGRAM=true) # without a language nothing is made, and make need not be installed
  if(program STREQUAL "samu")
    e2e_expect(fail MATCH "cells are built with Ninja, which was not found")
  else()
    e2e_expect(fail MATCH "flock was not found" WITHOUT "cells are built with Ninja")
  endif()
endforeach()
