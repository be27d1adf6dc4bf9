# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that each sample fails with the expectation beside it, and that the output names the
# difference.
function(expect_red sample suffix content difference)
  file(COPY "${CASE_SOURCE}/../samples/${sample}.cmake" DESTINATION "${CASE_BINARY}/${sample}-${suffix}")
  set(case "${CASE_BINARY}/${sample}-${suffix}/${sample}")
  if(NOT suffix STREQUAL "bare")
    file(WRITE "${case}-${suffix}.txt" "${content}")
  endif()
  execute_process(COMMAND "${CMAKE_COMMAND}" "-DCASE=${case}.cmake" "-DCASE_BINARY=${case}.run"
                          "-DARCHGRID_SOURCE=${ARCHGRID_SOURCE}" -P "${CASE_SOURCE}/../../run_case.cmake"
                  RESULT_VARIABLE result OUTPUT_VARIABLE stdout ERROR_VARIABLE stderr)
  if(result EQUAL 0 OR NOT stderr MATCHES "${difference}")
    message(FATAL_ERROR "${sample} with -${suffix} \"${content}\" should say \"${difference}\": ${result} ${stderr}")
  endif()
endfunction()

expect_red(fails bare "" "the result is 1 and should be 0")
expect_red(fails stderr "planted" "the result is 1 and should be 0")
expect_red(complains bare "" "stderr should be empty")
expect_red(silent result "failure" "the result is 0 and should be failure")
expect_red(silent result "2" "the result is 0 and should be 2")
expect_red(silent stdout "text" "stdout does not match: text")
expect_red(silent stdout "" "expects nothing")
expect_red(prints stdout "one\nthree\n" "stdout does not match: three")
expect_red(prints stdout "one\n!two" "stdout matches and should not: two")
