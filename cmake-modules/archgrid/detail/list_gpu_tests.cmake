# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# cmake -DPROGRAM=<file> -DTARGET=<name> -DOUTPUT=<file> -DKIND=<gpu|perf>
#   -DLABELS=<a,b> -DTIMEOUT=<s> -DLEGS=<jit,eager,sanitizer> -DTOOLKIT=<folder> -P list_gpu_tests.cmake
#
# Asks a GoogleTest program for its tests and writes the commands that register them with ctest.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/gpu_test_list.cmake")

# The JSON list, because what people see on stdout may be mixed with what the program's libraries print.
set(json_file "${OUTPUT}.json")
file(REMOVE "${json_file}")
execute_process(
  COMMAND "${PROGRAM}" --gtest_list_tests "--gtest_filter=*" "--gtest_output=json:${json_file}"
  RESULT_VARIABLE result OUTPUT_VARIABLE said ERROR_VARIABLE said TIMEOUT 60)

# Ends the step: the program becomes one failing test. The build goes on.
macro(_archgrid_end_listing reason)
  _archgrid_write_failing_list("${OUTPUT}" "${TARGET}"
    "${PROGRAM} --gtest_list_tests: ${reason}. It said:\n${said}")
  message(STATUS "${TARGET}: its tests cannot be listed (${reason}); the test ${TARGET}.LISTED fails")
  return()
endmacro()

if(NOT result EQUAL 0)
  _archgrid_end_listing("it ended with ${result}")
endif()
if(NOT EXISTS "${json_file}")
  _archgrid_end_listing("it wrote no list; does it link archgrid::gtest?")
endif()
file(READ "${json_file}" json)
string(JSON suites ERROR_VARIABLE error GET "${json}" testsuites)
if(error)
  _archgrid_end_listing("its list cannot be read: ${error}")
endif()

string(REGEX REPLACE "_test$" "" program_name "${TARGET}")
_archgrid_bracket("${PROGRAM}" program)

# Appends the command for a test to `content`: NAME, the bracketed arguments of its COMMAND, its first
# LABELS, and ENVIRONMENT.
function(_archgrid_append_command name command labels environment)
  _archgrid_bracket("${program_name}.${name}" test)
  string(REPLACE "," ";" more_labels "${LABELS}")
  _archgrid_bracket("${labels};${more_labels}" labels)
  # No SKIP_REGULAR_EXPRESSION, which would skip what fails beside a test that is skipped.
  set(properties "SKIP_RETURN_CODE 77 TIMEOUT ${TIMEOUT} LABELS ${labels} RESOURCE_GROUPS \"gpus:1\"")
  if(inner_timeout)
    list(APPEND environment "ARCHGRID_TIMEOUT=${inner_timeout}")
  endif()
  if(environment)
    string(APPEND properties " ENVIRONMENT \"${environment}\"")
  endif()
  if(KIND STREQUAL "perf")
    string(APPEND properties " RUN_SERIAL TRUE")
  endif()
  if(name MATCHES "(^|[./])DISABLED_")
    string(APPEND properties " DISABLED TRUE")
  endif()
  set(content "${content}add_test(${test} ${command})\nset_tests_properties(${test} PROPERTIES ${properties})\n" PARENT_SCOPE)
endfunction()

# A little before ctest would kill it, the program ends itself, and says during which test.
set(inner_timeout "")
if(TIMEOUT MATCHES "^[1-9][0-9]*$")
  math(EXPR whole "95 * ${TIMEOUT} / 100")
  math(EXPR hundredths "95 * ${TIMEOUT} % 100 + 100")
  string(REGEX REPLACE "^1" "${whole}." inner_timeout "${hundredths}")
endif()

set(content "")
string(JSON suite_count LENGTH "${suites}")
if(suite_count GREATER 0)
  math(EXPR last_suite "${suite_count} - 1")
  foreach(suite_index RANGE ${last_suite})
    string(JSON suite GET "${suites}" ${suite_index})
    string(JSON suite_name GET "${suite}" name)
    string(JSON tests GET "${suite}" testsuite)
    string(JSON test_count LENGTH "${tests}")
    if(test_count EQUAL 0)
      continue()
    endif()
    math(EXPR last_test "${test_count} - 1")
    foreach(test_index RANGE ${last_test})
      string(JSON test_name GET "${tests}" ${test_index} name)
      _archgrid_bracket("--gtest_filter=${suite_name}.${test_name}" filter)
      _archgrid_append_command("${suite_name}.${test_name}" "${program} ${filter}" ${KIND} "")
    endforeach()
  endforeach()
endif()
if(content STREQUAL "")
  _archgrid_end_listing("it holds no test")
endif()
# What archgrid::gtest adds to every program that is really linked with it.
if(NOT content MATCHES "ArchCoverage\\.EveryKernelIsServed")
  _archgrid_end_listing("it is not linked with archgrid::gtest, or RUN_ALL_TESTS() lies in a shared library: nothing would watch its tests")
endif()

string(REPLACE "," ";" LEGS "${LEGS}")
foreach(leg IN LISTS LEGS)
  if(leg STREQUAL "sanitizer")
    _archgrid_bracket("${CMAKE_CURRENT_LIST_DIR}/run_sanitizer.sh" runner)
    _archgrid_bracket("${TOOLKIT}" toolkit)
    _archgrid_append_command(LEG.sanitizer "${runner} ${toolkit} ${program}" "${KIND};sanitizer" "")
  else()
    _archgrid_append_command(LEG.${leg} "${program}" "${KIND};${leg}" "ARCHGRID_LOAD=${leg}")
  endif()
endforeach()
_archgrid_write_list("${OUTPUT}" "${content}")
