# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks cells whose inputs differ from the current configuration, or whose files are incomplete:
# neither counts as built.
set(sources "${WORK}/sources")
file(COPY "${E2E}/tiny/" DESTINATION "${sources}")
e2e_matrix(matrix CUDA 13.5 ARCHS 75 90 DEVICES 7.5 9.0 CELLS fat ACCEPT native compatible)
e2e_tree(tree MATRIX "${matrix}" SOURCE "${sources}")
e2e_build(matrix)
e2e_ctest(--preset sm90)
e2e_expect(pass)

# A matrix file that has changed since: its promises are not those with which the tree was
# configured.
string(REPLACE "\"9.0\"" "\"9.0\", \"12.0\"" more "${matrix}")
file(WRITE "${PROJECT}/matrices/default.json" "${more}")
e2e_ctest(--preset sm90)
e2e_expect(fail MATCH "cu135-fat/BUILT[ .]+\\*\\*\\*Failed" "default.json has changed since the tree was configured"
  WITHOUT "AUDIT/sm90" "promise holds")
e2e_run("${CTEST}" --test-dir "${TREE}" --output-on-failure -R BUILT)
e2e_expect(fail MATCH "default.json has changed since this tree was configured. Build it")
e2e_build(matrix)
e2e_run("${CTEST}" --test-dir "${TREE}")
e2e_expect(fail MATCH "on 12\\.0, cu135-fat/")
file(WRITE "${PROJECT}/matrices/default.json" "${matrix}")
e2e_build(matrix)
e2e_ctest(--preset sm90)
e2e_expect(pass MATCH "promise holds")

# The same cell with other archs, not built again: the files do not match the matrix file.
e2e_matrix(fewer CUDA 13.5 ARCHS 75 DEVICES 7.5 9.0 CELLS fat ACCEPT native compatible jit)
file(WRITE "${PROJECT}/matrices/default.json" "${fewer}")
e2e_run("${CMAKE_COMMAND}" "${TREE}")
e2e_ctest(--preset sm90)
e2e_expect(fail MATCH "cu135-fat/BUILT[ .]+\\*\\*\\*Failed" "built with other settings"
  WITHOUT "AUDIT/sm90" "cu135-fat/runs")
e2e_run("${COMMAND}" audit --tree "${TREE}")
e2e_expect(fail MATCH "not-built: cell cu135-fat" "built with other settings")
e2e_run("${CMAKE_COMMAND}" "-DTREE=${TREE}" "-DOUTPUT=${WORK}/x.tar.zst"
  -P "${ROOT}/cmake-modules/archgrid/bundle.cmake")
e2e_expect(fail MATCH "cu135-fat is not built \\(stale\\)")
e2e_build(matrix)
e2e_ctest(--preset sm90)
e2e_expect(pass MATCH "cu135-fat/runs")

# A source that was edited since: the built files do not match it. A command that always runs, and
# globs of CONFIGURE_DEPENDS, for which work is always due, neither look like an edit nor hide one.
file(READ "${sources}/CMakeLists.txt" project)
file(APPEND "${sources}/CMakeLists.txt" "add_custom_target(always ALL COMMAND \${CMAKE_COMMAND} -E true)\n
file(GLOB headers CONFIGURE_DEPENDS *.hpp)\n")
e2e_build(matrix)
e2e_ctest(--preset sm90)
e2e_expect(pass MATCH "promise holds")
execute_process(COMMAND "${CMAKE_COMMAND}" -E sleep 1.1)
file(TOUCH "${sources}/first.cu")
e2e_ctest(--preset sm90)
e2e_expect(fail MATCH "cu135-fat/BUILT[ .]+\\*\\*\\*Failed" "its sources have changed since it was built. Build it"
  "not-built: cell cu135-fat\n  the cell keeps no promise: its sources have changed" WITHOUT "promise holds")
e2e_ctest(--preset sm90)
e2e_expect(fail MATCH "its sources have changed" WITHOUT "AUDIT/sm90" "cu135-fat/runs" "promise holds")
e2e_build(matrix)
e2e_ctest(--preset sm90)
e2e_expect(pass MATCH "promise holds")
# An edit during the build, too: it is rebuilt at once.
file(APPEND "${sources}/CMakeLists.txt" "add_custom_command(TARGET tiny POST_BUILD
  COMMAND sh -c \"[ -e edited ] || { touch edited; sleep 1.1; touch '${sources}/second.cu'; }\" VERBATIM)\n")
e2e_build(matrix)
e2e_ctest(--preset sm90)
e2e_expect(pass MATCH "promise holds")
file(READ "${TREE}/cells/cu135-fat.log" log)
string(REGEX MATCHALL "Building CUDA object [^\n]*second" compiled "${log}")
list(LENGTH compiled count)
if(NOT count EQUAL 1)
  message(FATAL_ERROR "what was edited during the build was compiled ${count} times:\n${log}")
endif()
file(WRITE "${sources}/CMakeLists.txt" "${project}")
e2e_build(matrix)

# A program that the project gains and loses: audited while it is built, and not afterwards,
# although the file remains.
file(APPEND "${sources}/CMakeLists.txt"
  "add_executable(another \${units}/main.cpp \${units}/first.cu \${units}/second.cu)\n")
e2e_build(matrix)
file(READ "${TREE}/cells/cu135-fat.json" status)
if(NOT status MATCHES "\"artifacts\": \\[\"another\", \"tiny\"\\]")
  message(FATAL_ERROR "the new program is no artifact: ${status}")
endif()
file(WRITE "${sources}/CMakeLists.txt" "${project}")
e2e_build(matrix)
file(READ "${TREE}/cells/cu135-fat.json" status)
if(NOT status MATCHES "\"artifacts\": \\[\"tiny\"\\]" OR NOT EXISTS "${TREE}/cells/cu135-fat/another")
  message(FATAL_ERROR "the lost program is still an artifact: ${status}")
endif()

# Programs outside the cell's tree, where all cells would write them.
e2e_tree(outside MATRIX "${matrix}" SOURCE "${sources}" DEFINITIONS "CMAKE_RUNTIME_OUTPUT_DIRECTORY=${WORK}/out")
e2e_build(matrix)
e2e_expect(pass MATCH "cu135-fat +failed .*target tiny writes [^\n]*/out/tiny, outside the cell's tree"
  "\"definitions\": {\"CMAKE_RUNTIME_OUTPUT_DIRECTORY\": \"bin\"}")
if(EXISTS "${WORK}/out/tiny")
  message(FATAL_ERROR "it was compiled before it was refused")
endif()
# With the advice applied.
e2e_tree(inside MATRIX "${matrix}" SOURCE "${sources}" DEFINITIONS "CMAKE_RUNTIME_OUTPUT_DIRECTORY=bin")
e2e_build(matrix)
file(READ "${TREE}/cells/cu135-fat.json" status)
if(NOT status MATCHES "\"artifacts\": \\[\"bin/tiny\"\\]")
  message(FATAL_ERROR "the program is not in the folder of the advice: ${status}")
endif()

# A build step that breaks down fails its own cell only.
e2e_matrix(matrix CUDA 13.5 ARCHS 75 90 DEVICES 7.5 9.0 CELLS single ACCEPT native compatible)
e2e_tree(broken MATRIX "${matrix}" SOURCE "${sources}")
e2e_build(matrix)
e2e_expect(pass MATCH "2 cells: 2 built")
file(WRITE "${TREE}/cells/cu135-sm75/.cmake/api/v1/reply/codemodel-v2-other.json" "{}")
execute_process(COMMAND "${CMAKE_COMMAND}" -E sleep 1.1)
file(TOUCH "${sources}/first.cu")
e2e_build(matrix)
e2e_expect(pass MATCH "cu135-sm75 +failed +[^\n]*its build step ended with" "cu135-sm90 +built"
  "2 cells: 1 built, 1 failed")
