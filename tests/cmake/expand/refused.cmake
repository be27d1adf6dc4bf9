# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
#
# Matrix files that archgrid_expand refuses. A table such as refused.json lists edits of whole.json
# in an array of objects:
#   name      name of the case
#   replace   text that occurs exactly once in whole.json
#   with      new text
#   error     a regular expression that stderr must match, or an array of them, each as a line of
#             <case>-stderr.txt (../CMakeLists.txt)
#   schema    "accepts" if only the data table or other parts of the file reveal the error, so that
#             the JSON Schema accepts the edited file; otherwise absent. For validate.py
#
#   cmake -DTABLE=<table> -DCASE=<name> -DCASE_BINARY=<folder> -P refused.cmake
#
# runs one case in a fresh folder: checks that whole.json expands, and that with the edit it fails
# with these errors and empty stdout.

cmake_minimum_required(VERSION 3.25...4.0)
include("${CMAKE_CURRENT_LIST_DIR}/../compare.cmake")

# archgrid_refused_names(<table> <out>): sets <out> to the names of the cases. Fails for a table
# without a case, and for an invalid or repeated name.
function(archgrid_refused_names table out)
  file(READ "${table}" rows)
  string(JSON count LENGTH "${rows}")
  if(count EQUAL 0)
    message(FATAL_ERROR "${table} contains no case")
  endif()
  set(names "")
  math(EXPR last "${count} - 1")
  foreach(index RANGE ${last})
    string(JSON name GET "${rows}" ${index} name)
    if(NOT name MATCHES "^[a-z0-9-]+$")
      message(FATAL_ERROR "${table}: invalid name \"${name}\": use small letters, digits and -")
    elseif(name IN_LIST names)
      message(FATAL_ERROR "${table}: two cases have the name \"${name}\"")
    endif()
    list(APPEND names "${name}")
  endforeach()
  set(${out} "${names}" PARENT_SCOPE)
endfunction()

# archgrid_add_refused_cases(<name> <table>): registers the test cmake/<name>/<case> for each case.
function(archgrid_add_refused_cases name table)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${table}")
  archgrid_refused_names("${table}" cases)
  foreach(case IN LISTS cases)
    add_test(NAME cmake/${name}/${case}
             COMMAND "${CMAKE_COMMAND}" "-DTABLE=${table}" "-DCASE=${case}"
             "-DCASE_BINARY=${CMAKE_CURRENT_BINARY_DIR}/cases/${name}/${case}"
                     -P "${CMAKE_CURRENT_FUNCTION_LIST_FILE}")
    set_tests_properties(cmake/${name}/${case} PROPERTIES LABELS cmake TIMEOUT 120)
  endforeach()
endfunction()

# _archgrid_read_refused(<table> <case>): sets row_<key> for each key of the case.
function(_archgrid_read_refused table case)
  archgrid_refused_names("${table}" names)
  list(FIND names "${case}" index)
  if(index EQUAL -1)
    message(FATAL_ERROR "${table} has no case \"${case}\"")
  endif()
  file(READ "${table}" rows)
  string(JSON row GET "${rows}" ${index})
  string(JSON count LENGTH "${row}")
  math(EXPR last "${count} - 1")
  foreach(index RANGE ${last})
    string(JSON key MEMBER "${row}" ${index})
    string(JSON value GET "${row}" "${key}")
    if(NOT key MATCHES "^(name|replace|with|error|schema)$" OR (key STREQUAL "schema" AND NOT value STREQUAL "accepts"))
      message(FATAL_ERROR "${table}: ${case}: unknown \"${key}\": \"${value}\"")
    endif()
    set(row_${key} "${value}" PARENT_SCOPE)
  endforeach()
  foreach(key IN ITEMS replace with error)
    string(JSON type TYPE "${row}" ${key})
    if(key STREQUAL "error" AND type STREQUAL "ARRAY")
      string(JSON count LENGTH "${row}" error)
      set(lines "")
      while(count GREATER 0)
        math(EXPR count "${count} - 1")
        string(JSON line GET "${row}" error ${count})
        string(PREPEND lines "${line}\n")
      endwhile()
      set(row_error "${lines}" PARENT_SCOPE)
    elseif(NOT type STREQUAL "STRING")
      message(FATAL_ERROR "${table}: ${case}: \"${key}\" should be a string")
    endif()
  endforeach()
endfunction()

# _archgrid_run_refused(<table> <case> <folder>)
function(_archgrid_run_refused table case folder)
  set(expand "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../../cmake-modules/archgrid/expand.cmake")
  set(whole_file "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/whole.json")
  file(REMOVE_RECURSE "${folder}")
  file(MAKE_DIRECTORY "${folder}")
  execute_process(COMMAND "${CMAKE_COMMAND}" "-DMATRIX=${whole_file}" -P "${expand}"
                  RESULT_VARIABLE result OUTPUT_VARIABLE stdout ERROR_VARIABLE stderr)
  if(NOT result EQUAL 0 OR NOT stderr STREQUAL "" OR NOT stdout MATCHES "archgrid.plan/1")
    message(FATAL_ERROR "whole.json is refused without an edit: ${result} ${stderr}")
  endif()

  _archgrid_read_refused("${table}" "${case}")
  file(READ "${whole_file}" whole)
  string(FIND "${whole}" "${row_replace}" first)
  string(FIND "${whole}" "${row_replace}" last REVERSE)
  if(first EQUAL -1 OR NOT first EQUAL last)
    message(FATAL_ERROR "${table}: ${case}: whole.json should contain this text exactly once: ${row_replace}")
  endif()
  string(REPLACE "${row_replace}" "${row_with}" edited "${whole}")
  file(WRITE "${folder}/matrix.json" "${edited}")
  execute_process(COMMAND "${CMAKE_COMMAND}" -DMATRIX=matrix.json -P "${expand}" WORKING_DIRECTORY "${folder}"
                  RESULT_VARIABLE result OUTPUT_VARIABLE stdout ERROR_VARIABLE stderr)
  if(result EQUAL 0)
    message(FATAL_ERROR "the edited matrix file was not refused")
  elseif(NOT stdout STREQUAL "")
    message(FATAL_ERROR "a refused matrix file printed to stdout: ${stdout}")
  endif()
  file(WRITE "${folder}/expected-stderr.txt" "${row_error}")
  archgrid_compare_with("${folder}/expected" 0 "" "${stderr}")
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  _archgrid_run_refused("${TABLE}" "${CASE}" "${CASE_BINARY}")
endif()
