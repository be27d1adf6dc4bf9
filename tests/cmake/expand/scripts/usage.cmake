# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that every wrong call ends with an error that names the problem.
set(expand "${ARCHGRID_MODULES}/archgrid/expand.cmake")
set(good "${CASE_SOURCE}/../whole.json")

function(expect_error regex)
  execute_process(COMMAND "${CMAKE_COMMAND}" ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE stdout
    ERROR_VARIABLE stderr)
  if(result EQUAL 0 OR NOT stderr MATCHES "${regex}" OR NOT stdout STREQUAL "")
    message(FATAL_ERROR "${ARGN} should fail with ${regex}: ${result} ${stdout} ${stderr}")
  endif()
endfunction()

function(expect_call_error regex call)
  file(WRITE "${CASE_BINARY}/call.cmake" "include([[${expand}]])\n${call}\n")
  expect_error("${regex}" -P "${CASE_BINARY}/call.cmake")
endfunction()

expect_error("no matrix file is named" -P "${expand}")
expect_error("unknown FORMAT \"yaml\"" "-DMATRIX=${good}" -DFORMAT=yaml -P "${expand}")
expect_call_error("a value is missing for: MATRIX" "archgrid_expand(OUTPUT x.json)")
expect_call_error("a value is missing for: MATRIX +OUTPUT" "archgrid_expand(MATRIX [[${good}]] OUTPUT)")
expect_call_error("unknown arguments: RESULTS" "archgrid_expand(MATRIX [[${good}]] RESULTS x)")

# Counterpart without an error.
file(WRITE "${CASE_BINARY}/call.cmake" "include([[${expand}]])\narchgrid_expand(MATRIX [[${good}]] RESULT x)\n")
execute_process(COMMAND "${CMAKE_COMMAND}" -P "${CASE_BINARY}/call.cmake" COMMAND_ERROR_IS_FATAL ANY)
