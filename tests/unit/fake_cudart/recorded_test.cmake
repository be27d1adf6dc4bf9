# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that the fake runtime answers as a real GPU was recorded to, and that the comparison detects
# a single other answer:
#   cmake -DCOMPARE=<tests/bench/runtime_answers> -DPROGRAMS=<folder> -DRECORDED=<file> -P recorded_test.cmake
cmake_minimum_required(VERSION 3.25)

execute_process(COMMAND "${COMPARE}" --programs "${PROGRAMS}" --recorded "${RECORDED}" RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "the fake runtime answers otherwise than ${RECORDED}: exit ${result}")
endif()

file(READ "${RECORDED}" text)
string(REPLACE [=["launch:sass_80", "sync", "last", "launch:sass_80"], ["209"]=]
  [=["launch:sass_80", "sync", "last", "launch:sass_80"], ["0"]=] planted "${text}")
set(file "${PROGRAMS}/planted.json")
file(WRITE "${file}" "${planted}")
execute_process(COMMAND "${COMPARE}" --programs "${PROGRAMS}" --recorded "${file}" OUTPUT_VARIABLE said RESULT_VARIABLE result)
if(NOT result EQUAL 1 OR NOT said MATCHES "launch:sass_80 sync last launch:sass_80\n  real  0 .*\n  fake  209 ")
  message(FATAL_ERROR "a planted answer is not found: exit ${result}\n${said}")
endif()
