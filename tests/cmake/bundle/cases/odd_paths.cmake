# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that paths with quotes, $ and the end of a bracket argument can be bundled: a program and a
# library in such a folder run, and a test that uses such a file outside the cell is skipped with
# the reason. A GPU test prints the line that the closing summary counts. A folder without tests, as
# EXCLUDE_FROM_ALL leaves it, is ignored, as by ctest.
cmake_minimum_required(VERSION 3.25)
include("${ARCHGRID_MODULES}/archgrid/detail/bundle_tests.cmake")
set(from "${CASE_BINARY}/cell")
set(to "${CASE_BINARY}/stage")
set(odd "it's \"odd\" $HOME ]==]")
file(WRITE "${from}/${odd}/program" "#!/bin/sh\necho \"ran with $LD_LIBRARY_PATH\"\n")
file(CHMOD "${from}/${odd}/program" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
file(WRITE "${CASE_BINARY}/outside/${odd}" "")
file(MAKE_DIRECTORY "${from}/excluded")
file(WRITE "${from}/CTestTestfile.cmake" "subdirs(excluded)
add_test(runs [=[${from}/${odd}/program]=])
add_test(stays [=[${from}/${odd}/program]=] [=[${CASE_BINARY}/outside/${odd}]=])
add_test(gpu_stays [=[${from}/${odd}/program]=] [=[${CASE_BINARY}/outside/${odd}]=])
set_tests_properties(gpu_stays PROPERTIES LABELS \"gpu;large\")
add_test(perf_stays [=[${CASE_BINARY}/outside/${odd}]=])
set_tests_properties(perf_stays PROPERTIES LABELS perf ENVIRONMENT A=b)
")
_archgrid_stage_cell_tests("${from}" "${to}" cu135-fat "${odd}/libsample.so")
file(RENAME "${from}" "${CASE_BINARY}/hidden")
file(WRITE "${CASE_BINARY}/top/CTestTestfile.cmake" "include([=[${to}/CTestTestfile.cmake]=])\n")
execute_process(COMMAND "${CMAKE_CTEST_COMMAND}" --test-dir "${CASE_BINARY}/top" -V OUTPUT_VARIABLE
  text ERROR_VARIABLE text
  RESULT_VARIABLE result)
string(FIND "${text}" "ran with ${to}/./${odd}" ran)
if(NOT result EQUAL 0 OR ran EQUAL -1)
  message(FATAL_ERROR "ctest ended with ${result}:\n${text}")
endif()
set(reason "it uses ${CASE_BINARY}/outside/${odd}, which did not travel")
foreach(line IN ITEMS "2: not run here: ${reason}" "3: archgrid: skipped: not-bundled: ${reason}"
  "4: archgrid: skipped: not-bundled: ${reason}")
  string(FIND "${text}" "\n${line}\n" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "no line `${line}`:\n${text}")
  endif()
endforeach()
foreach(test IN ITEMS stays gpu_stays perf_stays)
  if(NOT text MATCHES " ${test} \\.+\\*\\*\\*Skipped")
    message(FATAL_ERROR "${test} is not skipped:\n${text}")
  endif()
endforeach()
