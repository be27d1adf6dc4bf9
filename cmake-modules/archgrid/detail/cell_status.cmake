# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# The status file of a cell, <tree>/cells/<id>.json (archgrid.cell/1): written by the cell's build
# step, read by the closing table and, while ctest reads its tests, by cell_tests.cmake.
include_guard(GLOBAL)

# Writes VALUE as a JSON string literal into OUT.
function(_archgrid_json_string out value)
  string(REPLACE "\\" "\\\\" value "${value}")
  string(REPLACE "\"" "\\\"" value "${value}")
  string(REPLACE "\n" "\\n" value "${value}")
  string(REPLACE "\r" "\\r" value "${value}")
  string(REPLACE "\t" "\\t" value "${value}")
  set(${out} "\"${value}\"" PARENT_SCOPE)
endfunction()

# Writes FILE aside and renames it, so that a reader never sees half of it.
function(_archgrid_write_whole file content)
  string(RANDOM LENGTH 8 unique)
  file(WRITE "${file}.${unique}.tmp" "${content}")
  file(RENAME "${file}.${unique}.tmp" "${file}")
endfunction()

# _archgrid_write_cell_status(<file> ID <id> STATUS <built|failed|building|impossible>
#   [STEP <detect|configure|build|toolkit>] [SECONDS <s>] [LOG <name>] [REASON <text>] [ARTIFACTS <path>...])
function(_archgrid_write_cell_status file)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "ID;STATUS;STEP;SECONDS;LOG;REASON" "ARTIFACTS")
  set(members "\"schema\": \"archgrid.cell/1\"")
  foreach(key IN ITEMS ID STATUS STEP LOG REASON)
    string(TOLOWER "${key}" name)
    _archgrid_json_string(value "${arg_${key}}")
    string(APPEND members ",\n  \"${name}\": ${value}")
  endforeach()
  if("${arg_SECONDS}" STREQUAL "")
    set(arg_SECONDS 0)
  endif()
  set(artifacts "")
  foreach(artifact IN LISTS arg_ARTIFACTS)
    _archgrid_json_string(value "${artifact}")
    list(APPEND artifacts "${value}")
  endforeach()
  list(JOIN artifacts ", " artifacts)
  _archgrid_write_whole("${file}" "{${members},
  \"seconds\": ${arg_SECONDS},
  \"artifacts\": [${artifacts}]}
")
endfunction()

# Reads a status file into <prefix>_STATUS, _STEP, _SECONDS, _LOG, _REASON, _ARTIFACTS. A file that is
# not there reads as status `missing`, one that is not a cell status as `unreadable`.
function(_archgrid_read_cell_status file prefix)
  foreach(key IN ITEMS STEP SECONDS LOG REASON ARTIFACTS)
    set(${prefix}_${key} "" PARENT_SCOPE)
  endforeach()
  if(NOT EXISTS "${file}")
    set(${prefix}_STATUS missing PARENT_SCOPE)
    return()
  endif()
  file(READ "${file}" json)
  string(JSON schema ERROR_VARIABLE error GET "${json}" schema)
  if(error OR NOT schema STREQUAL "archgrid.cell/1")
    set(${prefix}_STATUS unreadable PARENT_SCOPE)
    return()
  endif()
  # As written: string(JSON) prints 5.1 as 5.0999999999999996.
  string(REGEX MATCH "\"seconds\": ([0-9.]+)" seconds "${json}")
  set(${prefix}_SECONDS "${CMAKE_MATCH_1}" PARENT_SCOPE)
  foreach(name IN ITEMS status step log reason)
    string(JSON value GET "${json}" ${name})
    string(TOUPPER "${name}" key)
    set(${prefix}_${key} "${value}" PARENT_SCOPE)
  endforeach()
  string(JSON count LENGTH "${json}" artifacts)
  set(artifacts "")
  foreach(index RANGE ${count})
    if(index LESS count)
      string(JSON value GET "${json}" artifacts ${index})
      list(APPEND artifacts "${value}")
    endif()
  endforeach()
  set(${prefix}_ARTIFACTS "${artifacts}" PARENT_SCOPE)
endfunction()

# What went wrong in a build log, for people: from the first "FAILED:" or "CMake Error" on, at most
# 40 lines; else the last 40.
function(_archgrid_log_excerpt file out)
  if(NOT EXISTS "${file}")
    set(${out} "(there is no log at ${file})" PARENT_SCOPE)
    return()
  endif()
  file(READ "${file}" text)
  string(REGEX MATCH "(^|\n)(FAILED:|CMake Error).*" failure "${text}")
  if(failure STREQUAL "")
    string(REGEX MATCH "(\n[^\n]*)?(\n[^\n]*)?(\n[^\n]*)?(\n[^\n]*)?(\n[^\n]*)?(\n[^\n]*)?(\n[^\n]*)?(\n[^\n]*)?(\n[^\n]*)?(\n[^\n]*)?\n?$" failure "${text}")
  endif()
  # Brackets and semicolons would be list syntax to CMake; the text is cut by lines, not by items.
  set(kept "")
  foreach(line RANGE 40)
    string(FIND "${failure}" "\n" end)
    if(end EQUAL -1)
      string(APPEND kept "${failure}")
      break()
    endif()
    math(EXPR end "${end} + 1")
    string(SUBSTRING "${failure}" 0 ${end} first)
    string(SUBSTRING "${failure}" ${end} -1 failure)
    string(APPEND kept "${first}")
  endforeach()
  string(STRIP "${kept}" kept)
  set(${out} "${kept}" PARENT_SCOPE)
endfunction()

# Seconds between two `string(TIMESTAMP x "%s%f" UTC)` readings (microseconds), with one decimal.
function(_archgrid_seconds_between begin end out)
  math(EXPR tenths "(${end} - ${begin}) / 100000")
  math(EXPR whole "${tenths} / 10")
  math(EXPR rest "${tenths} % 10")
  set(${out} "${whole}.${rest}" PARENT_SCOPE)
endfunction()
