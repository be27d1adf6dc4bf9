# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that expand/refused.cmake passes a right row of a table, and fails each kind of wrong one.
set(driver "${CASE_SOURCE}/../../expand/refused.cmake")

function(expect_row difference case)
  set(table "${CASE_BINARY}/table.json")
  file(WRITE "${table}" "[${ARGN}]")
  execute_process(COMMAND "${CMAKE_COMMAND}" "-DTABLE=${table}" "-DCASE=${case}" "-DCASE_BINARY=${CASE_BINARY}/run"
                          -P "${driver}" RESULT_VARIABLE result OUTPUT_VARIABLE stdout ERROR_VARIABLE stderr)
  string(REGEX REPLACE "[ \n]+" " " folded "${stderr}")
  if(difference STREQUAL "" AND NOT "${result}${stderr}" STREQUAL "0")
    message(FATAL_ERROR "${ARGN} should pass: ${result} ${stderr}")
  elseif(NOT difference STREQUAL "" AND (result EQUAL 0 OR NOT folded MATCHES "${difference}"))
    message(FATAL_ERROR "${ARGN} should fail with \"${difference}\": ${result} ${stderr}")
  endif()
endfunction()

set(edit [=["replace": "\"name\": \"whole\"", "with": "\"name\": \"a b\""]=])
set(error [=["error": ["name: \"a b\" is no name", "fix: "]]=])
set(good "{\"name\": \"a\", ${edit}, ${error}}")
expect_row("" a "${good}")
expect_row("" a "{\"name\": \"b\"}, {\"name\": \"a\", ${edit}, \"error\": \"is no name\", \"schema\": \"accepts\"}")
expect_row("stderr does not match: planted" a "{\"name\": \"a\", ${edit}, \"error\": \"planted\"}")
expect_row("stderr does not match: planted" a "{\"name\": \"a\", ${edit}, \"error\": [\"is no name\", \"planted\"]}")
expect_row("expects nothing" a "{\"name\": \"a\", ${edit}, \"error\": []}")
expect_row("the edited matrix file was not refused" a
  [[{"name": "a", "replace": "whole\"", "with": "part\"", "error": "x"}]])
expect_row("exactly once: planted" a [[{"name": "a", "replace": "planted", "with": "", "error": "x"}]])
expect_row("exactly once: 7\\.5" a [[{"name": "a", "replace": "7.5", "with": "", "error": "x"}]])
expect_row("exactly once: " a [[{"name": "a", "replace": "", "with": "", "error": "x"}]])
expect_row("two cases have the name \"a\"" a "${good}, ${good}")
expect_row("invalid name \"A b\"" "A b" [[{"name": "A b"}]])
expect_row("has no case \"b\"" b "${good}")
expect_row("contains no case" a "")
expect_row("unknown \"schemas\": \"accepts\"" a "{\"name\": \"a\", ${edit}, ${error}, \"schemas\": \"accepts\"}")
expect_row("unknown \"schema\": \"refuses\"" a "{\"name\": \"a\", ${edit}, ${error}, \"schema\": \"refuses\"}")
expect_row("member 'error' not found" a "{\"name\": \"a\", ${edit}}")
expect_row("\"with\" should be a string" a [[{"name": "a", "replace": "whole", "with": 1, "error": "x"}]])
