# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
include("${ARCHGRID_MODULES}/archgrid/detail/gpu_test_list.cmake")

_archgrid_write_failing_list("${CASE_BINARY}/CTestTestfile.cmake" gemm_test "it said: ]=] \"no\" \${HOPE}")
get_filename_component(folder "${CMAKE_COMMAND}" DIRECTORY)
execute_process(COMMAND "${folder}/ctest" --test-dir "${CASE_BINARY}" --output-on-failure
  OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE result)
if(result EQUAL 0)
  message(FATAL_ERROR "the test passed:\n${said}")
endif()
foreach(text IN ITEMS "gemm_test.LISTED" "it said: ]=] \"no\" \${HOPE}")
  string(FIND "${said}" "${text}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "ctest did not show ${text}:\n${said}")
  endif()
endforeach()
