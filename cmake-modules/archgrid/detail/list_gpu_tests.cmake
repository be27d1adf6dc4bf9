# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# cmake -DPROGRAM=<file> -DTARGET=<name> -DOUTPUT=<file> -DKIND=<gpu|perf>
#   -DLABELS=<a,b> -DTIMEOUT=<s> -DPROGRAM_TIMEOUT=<s> -DSUITES=<bool> -DSHARDS=<n>
#   -DLEGS=<jit,eager,sanitizer> -DTOOLKIT=<folder> -P list_gpu_tests.cmake
#
# Lists the cases of a GoogleTest program and writes the commands that register it with ctest.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/gpu_test_list.cmake")

# Sets OUT to the suites that PROGRAM lists in JSON_FILE, as JSON: its stdout may also contain
# output of its libraries. Sets SAID_OUT to what it printed, and REASON_OUT to the error or to
# nothing.
function(_archgrid_list_suites program json_file out said_out reason_out)
  file(REMOVE "${json_file}")
  execute_process(
    COMMAND "${program}" --gtest_list_tests "--gtest_filter=*" "--gtest_output=json:${json_file}"
    RESULT_VARIABLE result OUTPUT_VARIABLE said ERROR_VARIABLE said TIMEOUT 60)
  set(suites "")
  set(reason "")
  if(NOT result EQUAL 0)
    set(reason "it ended with ${result}")
  elseif(NOT EXISTS "${json_file}")
    set(reason "it wrote no list; does it link archgrid::gtest?")
  else()
    file(READ "${json_file}" json)
    string(JSON suites ERROR_VARIABLE error GET "${json}" testsuites)
    if(error)
      set(reason "its list cannot be read: ${error}")
    endif()
  endif()
  set(${out} "${suites}" PARENT_SCOPE)
  set(${said_out} "${said}" PARENT_SCOPE)
  set(${reason_out} "${reason}" PARENT_SCOPE)
endfunction()

# Sets <prefix>_SUITES to the names of the SUITES, JSON, that have cases, <prefix>_DISABLED to those
# with only disabled ones, and <prefix>_CASES to all cases as bracketed arguments.
function(_archgrid_collect_cases suites prefix)
  set(listed "")
  set(disabled "")
  set(cases "")
  string(JSON suite_count LENGTH "${suites}")
  foreach(suite_index RANGE ${suite_count})
    if(suite_index EQUAL suite_count)
      break()
    endif()
    string(JSON suite GET "${suites}" ${suite_index})
    string(JSON suite_name GET "${suite}" name)
    string(JSON tests GET "${suite}" testsuite)
    string(JSON test_count LENGTH "${tests}")
    if(test_count EQUAL 0)
      continue()
    endif()
    set(is_disabled TRUE)
    math(EXPR last_test "${test_count} - 1")
    foreach(test_index RANGE ${last_test})
      string(JSON test_name GET "${tests}" ${test_index} name)
      _archgrid_bracket("${suite_name}.${test_name}" case)
      string(APPEND cases " ${case}")
      if(NOT "${suite_name}" MATCHES "(^|/)DISABLED_" AND NOT "${test_name}" MATCHES "(^|/)DISABLED_")
        set(is_disabled FALSE)
      endif()
    endforeach()
    list(APPEND listed "${suite_name}")
    if(is_disabled)
      list(APPEND disabled "${suite_name}")
    endif()
  endforeach()
  set(${prefix}_SUITES "${listed}" PARENT_SCOPE)
  set(${prefix}_DISABLED "${disabled}" PARENT_SCOPE)
  set(${prefix}_CASES "${cases}" PARENT_SCOPE)
endfunction()

# Appends to CODE_VARIABLE the commands for the test PROGRAM<suffix>. COMMAND consists of
# bracketed arguments, LABELS come before those of the target, and ENVIRONMENT may be empty.
function(_archgrid_append_command code_variable suffix command labels environment disabled)
  string(REGEX REPLACE "_test$" "" program_name "${TARGET}")
  _archgrid_bracket("${program_name}${suffix}" test)
  string(REPLACE "," ";" more_labels "${LABELS}")
  _archgrid_bracket("${labels};${more_labels}" labels)
  # Each test writes its own record, beside the list.
  string(REPLACE "/" "-" file_name "${TARGET}${suffix}.record.json")
  cmake_path(GET OUTPUT PARENT_PATH record_folder)
  list(APPEND environment "ARCHGRID_TIMEOUT=${TIMEOUT}" "ARCHGRID_RECORD=${record_folder}/${file_name}")
  _archgrid_bracket("${environment}" environment)
  # No SKIP_REGULAR_EXPRESSION: it would report a test as skipped that also failed.
  set(properties
    "SKIP_RETURN_CODE 77 TIMEOUT ${PROGRAM_TIMEOUT} LABELS ${labels} RESOURCE_GROUPS \"gpus:1\" ENVIRONMENT ${environment}")
  if(KIND STREQUAL "perf")
    string(APPEND properties " RUN_SERIAL TRUE")
  endif()
  if(disabled)
    string(APPEND properties " DISABLED TRUE")
  endif()
  set(${code_variable}
    "${${code_variable}}add_test(${test} ${command})\nset_tests_properties(${test} PROPERTIES ${properties})\n"
    PARENT_SCOPE)
endfunction()

_archgrid_list_suites("${PROGRAM}" "${OUTPUT}.json" suites said reason)
if(reason STREQUAL "")
  _archgrid_collect_cases("${suites}" listed)
  if(listed_CASES STREQUAL "")
    set(reason "it holds no test")
  elseif(NOT listed_CASES MATCHES "ArchCoverage\\.EveryKernelIsServed")
    # archgrid::gtest adds this case to every program that really links it.
    set(reason
      "it is not linked with archgrid::gtest, or RUN_ALL_TESTS() lies in a shared library: nothing would watch its tests")
  endif()
endif()
if(reason)
  # One failing test for the program; the build continues.
  _archgrid_write_failing_list("${OUTPUT}" "${TARGET}"
    "${PROGRAM} --gtest_list_tests: ${reason}. It said:\n${said}")
  message(STATUS "${TARGET}: its tests cannot be listed (${reason}); the test ${TARGET}.LISTED fails")
  return()
endif()

_archgrid_bracket("${PROGRAM}" program)
set(content "")
if(SUITES)
  foreach(suite IN LISTS listed_SUITES)
    set(disabled FALSE)
    if(suite IN_LIST listed_DISABLED)
      set(disabled TRUE)
    endif()
    _archgrid_append_command(content ".${suite}" "${program}" ${KIND} "ARCHGRID_SUITE=${suite}" ${disabled})
  endforeach()
elseif(SHARDS GREATER 1)
  foreach(shard RANGE 1 ${SHARDS})
    math(EXPR index "${shard} - 1")
    _archgrid_append_command(content ".SHARD.${shard}" "${program}" ${KIND}
      "GTEST_TOTAL_SHARDS=${SHARDS};GTEST_SHARD_INDEX=${index}" FALSE)
  endforeach()
else()
  _archgrid_append_command(content "" "${program}" ${KIND} "" FALSE)
endif()

string(REPLACE "," ";" LEGS "${LEGS}")
foreach(leg IN LISTS LEGS)
  if(leg STREQUAL "sanitizer")
    _archgrid_bracket("${CMAKE_CURRENT_LIST_DIR}/run_sanitizer.sh" runner)
    _archgrid_bracket("${TOOLKIT}" toolkit)
    _archgrid_append_command(content .LEG.sanitizer "${runner} ${toolkit} ${program}" "${KIND};sanitizer" "" FALSE)
  else()
    _archgrid_append_command(content .LEG.${leg} "${program}" "${KIND};${leg}" "ARCHGRID_LOAD=${leg}" FALSE)
  endif()
endforeach()
# cell_tests.cmake reads the tests of a cell, and compares the matrix file's skips with the cases.
string(APPEND content "if(COMMAND _archgrid_add_gpu_cases)\n  _archgrid_add_gpu_cases(${listed_CASES})\nendif()\n")
_archgrid_write_list("${OUTPUT}" "${content}")
