# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that a forgotten or unknown argument is fatal.
function(expect_refused code pattern)
  file(WRITE "${CASE_BINARY}/call.cmake" "include(\"${ARCHGRID_MODULES}/archgrid/fetch_toolkit.cmake\")
include(\"${ARCHGRID_MODULES}/archgrid/find_host_compiler.cmake\")\n${code}\n")
  execute_process(COMMAND "${CMAKE_COMMAND}" -P "${CASE_BINARY}/call.cmake"
    OUTPUT_QUIET ERROR_VARIABLE text RESULT_VARIABLE result)
  string(REGEX REPLACE "[ \n]+" " " text "${text}")
  if(result EQUAL 0 OR NOT text MATCHES "${pattern}")
    message(FATAL_ERROR "${code}: expected a failure with \"${pattern}\", got ${result}: ${text}")
  endif()
endfunction()

expect_refused("archgrid_find_toolkit(13.5)" "RESULT <prefix> is missing")
expect_refused("archgrid_find_toolkit(13.5 RESULT a b)" "cannot read \"b\"")
expect_refused("archgrid_find_host_compiler(13.5)" "RESULT <prefix> is missing")
expect_refused("archgrid_find_host_compiler(13.5 RESULT a b)" "cannot read \"b\"")
expect_refused("archgrid_fetch_toolkit(13.5 b)" "cannot read \"b\"")
expect_refused("archgrid_fetch_toolkit(13.5 RESULT)" "cannot read \"RESULT\"")
