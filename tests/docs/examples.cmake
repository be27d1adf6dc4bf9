# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that archgrid accepts the matrix file in docs/matrix-file.md: readers copy it.
cmake_minimum_required(VERSION 3.25)
file(READ "${ROOT}/docs/matrix-file.md" page)
string(FIND "${page}" "```json\n" begin)
string(SUBSTRING "${page}" ${begin} -1 page)
string(SUBSTRING "${page}" 8 -1 page)
string(FIND "${page}" "```" end)
string(SUBSTRING "${page}" 0 ${end} example)

# Expands a matrix file with this TEXT. Sets RESULT to the exit code and OUTPUT to the output.
function(expand text result output)
  file(WRITE "${WORK}/example.json" "${text}")
  execute_process(COMMAND "${CMAKE_COMMAND}" "-DMATRIX=${WORK}/example.json"
    -P "${ROOT}/cmake-modules/archgrid/expand.cmake"
    RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  set(${result} ${code} PARENT_SCOPE)
  set(${output} "${text}" PARENT_SCOPE)
endfunction()

expand("${example}" result output)
if(NOT result EQUAL 0 OR NOT output MATCHES "\"id\": \"cu135-fat\"")
  message(FATAL_ERROR "docs/matrix-file.md: its example is refused: ${output}")
endif()
string(REPLACE "[\"8.6\"]" "[\"7.5\"]" planted "${example}")
expand("${planted}" result output)
if(result EQUAL 0 OR NOT output MATCHES "matches nothing")
  message(FATAL_ERROR "an example with a planted fault is taken: ${output}")
endif()
