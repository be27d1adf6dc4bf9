# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Paths with quotes, $ and what closes a bracket argument travel: a program and a library in such a folder run, and a test
# that uses such a file outside the cell is skipped with the reason.
include("${ARCHGRID_MODULES}/archgrid/detail/bundle_tests.cmake")
set(from "${CASE_BINARY}/cell")
set(to "${CASE_BINARY}/stage")
set(odd "it's \"odd\" $HOME ]==]")
file(WRITE "${from}/${odd}/program" "#!/bin/sh\necho \"ran with $LD_LIBRARY_PATH\"\n")
file(CHMOD "${from}/${odd}/program" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
file(WRITE "${CASE_BINARY}/outside/${odd}" "")
file(WRITE "${from}/CTestTestfile.cmake" "add_test(runs [=[${from}/${odd}/program]=])
add_test(stays [=[${from}/${odd}/program]=] [=[${CASE_BINARY}/outside/${odd}]=])
")
_archgrid_stage_cell_tests("${from}" "${to}" cu135-fat "${odd}/libsample.so")
file(RENAME "${from}" "${CASE_BINARY}/hidden")
file(WRITE "${CASE_BINARY}/top/CTestTestfile.cmake" "include([=[${to}/CTestTestfile.cmake]=])\n")
execute_process(COMMAND "${CMAKE_CTEST_COMMAND}" --test-dir "${CASE_BINARY}/top" -V OUTPUT_VARIABLE text ERROR_VARIABLE text
  RESULT_VARIABLE result)
string(FIND "${text}" "ran with ${to}/./${odd}" ran)
string(FIND "${text}" "not run here: it uses ${CASE_BINARY}/outside/${odd}, which did not travel" stayed)
if(NOT result EQUAL 0 OR ran EQUAL -1 OR stayed EQUAL -1 OR NOT text MATCHES "stays \\.+\\*\\*\\*Skipped")
  message(FATAL_ERROR "ctest ended with ${result}:\n${text}")
endif()
