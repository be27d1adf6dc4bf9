# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Reads and writes the status file of a cell, <tree>/cells/<id>.json (archgrid.cell/1). The cell's
# build step writes it; the closing table and, while ctest reads its tests, cell_tests.cmake read
# it.
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/json.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/list_syntax.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/write_file.cmake")

# Edition of the rules that check a built cell and find its artifacts. Increment it when they
# change: a cell recorded under an earlier edition is judged again even if it needs no build. A
# property, as functions are called in other scopes than the module was included in.
set_property(GLOBAL PROPERTY ARCHGRID_CELL_RULES 15)

# _archgrid_write_cell_status(<file> ID <id> STATUS <built|failed|building|impossible|edited|stale>
#   [STEP <detect|configure|build|artifacts|toolkit|architectures>] [SECONDS <s>] [LOG <name>]
#   [REASON <text>] [SIGNATURE <hash of what the cell was configured with>]
#   [NINJA <hash of Ninja's graph and log>] [DUE <hash of what Ninja would still do>]
#   [ARTIFACTS <path>...] [HANDMADE <artifact that no target makes>...]
#   [UNNAMED <artifact that no command names>...] [EXCLUDED <target>...] [UNAUDITED <file>...]
#   [COMPILED_BY_CMAKE <whether a target compiles in CMake's language CUDA>]
#   [DEVICE_CODE <hash of the device code that was compiled>] [NOTES <sentence>...])
#
# An unaudited <file> is "<why>:<path>", or "unreadable:<path><tab><reason>" for an unreadable one,
# masked by _archgrid_mask_list_syntax().
function(_archgrid_write_cell_status file)
  cmake_parse_arguments(PARSE_ARGV 1 arg ""
    "ID;STATUS;STEP;SECONDS;LOG;REASON;SIGNATURE;NINJA;DUE;DEVICE_CODE;COMPILED_BY_CMAKE"
    "ARTIFACTS;HANDMADE;UNNAMED;EXCLUDED;UNAUDITED;NOTES")
  set(members "\"schema\": \"archgrid.cell/1\"")
  foreach(key IN ITEMS ID STATUS STEP LOG REASON SIGNATURE NINJA DUE DEVICE_CODE)
    string(TOLOWER "${key}" name)
    _archgrid_json_quote(value "${arg_${key}}")
    string(APPEND members ",\n  \"${name}\": ${value}")
  endforeach()
  if("${arg_SECONDS}" STREQUAL "")
    set(arg_SECONDS 0)
  endif()
  set(by_cmake true)
  if(DEFINED arg_COMPILED_BY_CMAKE AND NOT arg_COMPILED_BY_CMAKE)
    set(by_cmake false)
  endif()
  foreach(key IN ITEMS ARTIFACTS HANDMADE UNNAMED EXCLUDED NOTES)
    set(list_${key} "")
    foreach(item IN LISTS arg_${key})
      _archgrid_json_quote(value "${item}")
      string(APPEND list_${key} ", ${value}")
    endforeach()
    string(REGEX REPLACE "^, " "" list_${key} "${list_${key}}")
  endforeach()
  _archgrid_unaudited_json(list_UNAUDITED "${arg_UNAUDITED}")
  get_property(rules GLOBAL PROPERTY ARCHGRID_CELL_RULES)
  _archgrid_write_if_changed("${file}" "{${members},
  \"seconds\": ${arg_SECONDS},
  \"rules\": ${rules},
  \"compiled_by_cmake\": ${by_cmake},
  \"artifacts\": [${list_ARTIFACTS}],
  \"handmade\": [${list_HANDMADE}],
  \"unnamed\": [${list_UNNAMED}],
  \"excluded\": [${list_EXCLUDED}],
  \"unaudited\": [${list_UNAUDITED}],
  \"notes\": [${list_NOTES}]}
")
endfunction()

# Sets OUT to the JSON objects of the unaudited files ITEMS, joined by commas.
function(_archgrid_unaudited_json out items)
  set(objects "")
  foreach(item IN LISTS items)
    _archgrid_unmask_list_syntax("${item}" item)
    set(reason "")
    if(item MATCHES "^(unreadable:[^\t]*)\t(.+)$")
      set(item "${CMAKE_MATCH_1}")
      _archgrid_json_quote(reason "${CMAKE_MATCH_2}")
      string(PREPEND reason ", \"reason\": ")
    endif()
    string(REGEX MATCH "^([a-z]+):(.*)$" item "${item}")
    set(why "${CMAKE_MATCH_1}")
    _archgrid_json_quote(path "${CMAKE_MATCH_2}")
    string(APPEND objects ", {\"path\": ${path}, \"why\": \"${why}\"${reason}}")
  endforeach()
  string(REGEX REPLACE "^, " "" objects "${objects}")
  set(${out} "${objects}" PARENT_SCOPE)
endfunction()

# Sets OUT to the items of the array NAME of the status JSON, masked by _archgrid_mask_list_syntax()
# where they are "<why>:<path>" or "<why>:<path><tab><reason>" of a file.
function(_archgrid_read_status_items out json name)
  set(items "")
  string(JSON array ERROR_VARIABLE error GET "${json}" ${name})
  # Plain strings: reading them item by item would parse the whole file each time.
  if(array MATCHES "^[[][^][{;\\]*[]]$")
    _archgrid_json_list(items "${json}" ${name})
  elseif(NOT error)
    _archgrid_json_items(found "${json}" ${name})
    foreach(value IN LISTS found)
      _archgrid_unmask_list_syntax("${value}" value)
      string(JSON why ERROR_VARIABLE error GET "${value}" why)
      if(NOT error)
        string(JSON path GET "${value}" path)
        string(JSON reason ERROR_VARIABLE error GET "${value}" reason)
        set(value "${why}:${path}")
        if(NOT error)
          string(APPEND value "\t${reason}")
        endif()
        _archgrid_mask_list_syntax("${value}" value)
      else()
        string(REPLACE ";" "\\;" value "${value}")
      endif()
      list(APPEND items "${value}")
    endforeach()
  endif()
  set(${out} "${items}" PARENT_SCOPE)
endfunction()

# Reads a status file into <prefix>_STATUS, _STEP, _SECONDS, _LOG, _REASON, _SIGNATURE, _NINJA,
# _DUE, _RULES, _ARTIFACTS, _HANDMADE, _UNNAMED, _EXCLUDED, _UNAUDITED, _COMPILED_BY_CMAKE,
# _DEVICE_CODE and _NOTES. Lists have the form that the writer accepts. A missing file reads as
# status `missing`, one that is not a cell status as `unreadable`.
function(_archgrid_read_cell_status file prefix)
  foreach(key IN ITEMS STEP SECONDS LOG REASON SIGNATURE NINJA DUE RULES ARTIFACTS HANDMADE UNNAMED
    EXCLUDED UNAUDITED COMPILED_BY_CMAKE DEVICE_CODE NOTES)
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
  # Taken from the text: string(JSON) prints 5.1 as 5.0999999999999996.
  string(REGEX MATCH "\"seconds\": ([0-9.]+)" seconds "${json}")
  set(${prefix}_SECONDS "${CMAKE_MATCH_1}" PARENT_SCOPE)
  foreach(name IN ITEMS status step log reason signature)
    string(JSON value ERROR_VARIABLE error GET "${json}" ${name})
    if(error)
      set(${prefix}_STATUS unreadable PARENT_SCOPE)
      return()
    endif()
    string(TOUPPER "${name}" key)
    set(${prefix}_${key} "${value}" PARENT_SCOPE)
  endforeach()
  foreach(name IN ITEMS rules ninja due device_code compiled_by_cmake) # absent in earlier editions
    string(JSON value ERROR_VARIABLE error GET "${json}" ${name})
    if(NOT error)
      string(TOUPPER "${name}" key)
      set(${prefix}_${key} "${value}" PARENT_SCOPE)
    endif()
  endforeach()
  foreach(name IN ITEMS artifacts handmade unnamed excluded unaudited notes)
    _archgrid_read_status_items(items "${json}" ${name})
    string(TOUPPER "${name}" key)
    set(${prefix}_${key} "${items}" PARENT_SCOPE)
  endforeach()
endfunction()

# Changes the status FROM in FILE to TO, and leaves everything else as it is.
function(_archgrid_change_status file from to)
  file(READ "${file}" json)
  string(REPLACE "\n  \"status\": \"${from}\"" "\n  \"status\": \"${to}\"" json "${json}")
  _archgrid_write_if_changed("${file}" "${json}")
endfunction()

# Changes the status of a built cell in FILE to edited: its sources have changed since.
function(_archgrid_mark_edited file)
  _archgrid_change_status("${file}" built edited)
endfunction()

# Changes the status of the cell ID of TREE from built to stale if it was built with inputs (archs,
# flags, compilers, source) other than those that TREE is configured with now, and back if these are
# the same again. Configuring calls this after it has written the inputs' signature, and the build
# step after it has written the status: the later one sees what the other wrote. Everything else
# only reads the status.
function(_archgrid_mark_if_stale tree id)
  set(file "${tree}/cells/${id}.json")
  _archgrid_read_cell_status("${file}" cell)
  file(READ "${tree}/cells/${id}.signature" configured)
  if(cell_STATUS STREQUAL "built" AND NOT cell_SIGNATURE STREQUAL configured)
    _archgrid_change_status("${file}" built stale)
  elseif(cell_STATUS STREQUAL "stale" AND cell_SIGNATURE STREQUAL configured)
    _archgrid_change_status("${file}" stale built)
  endif()
endfunction()

# Sets OUT to the failure in a build log, for people: at most 40 lines from the first "FAILED:" or
# "CMake Error" on, without Ninja's progress; else the last 10 lines.
function(_archgrid_log_excerpt file out)
  if(NOT EXISTS "${file}")
    set(${out} "(there is no log at ${file})" PARENT_SCOPE)
    return()
  endif()
  file(READ "${file}" text)
  string(REGEX MATCH "(^|\n)(FAILED:|CMake Error).*" failure "${text}")
  if(failure STREQUAL "")
    string(REGEX REPLACE "\n+$" "" text "${text}")
    foreach(line RANGE 1 10)
      string(FIND "${text}" "\n" begin REVERSE)
      if(begin EQUAL -1)
        string(PREPEND failure "${text}")
        break()
      endif()
      string(SUBSTRING "${text}" ${begin} -1 last)
      string(PREPEND failure "${last}")
      string(SUBSTRING "${text}" 0 ${begin} text)
    endforeach()
  else()
    string(REGEX REPLACE "\n\\[[0-9]+/[0-9]+\\] [^\n]*" "" failure "${failure}")
    # The next line is Ninja's command, many lines on a screen above the compiler's error. Lists of
    # archgrid's own are indented.
    string(REGEX REPLACE "(FAILED: [^\n]*)\n[^ \n][^\n]*" "\\1" failure "${failure}")
  endif()
  # The text is cut by lines, not as a list: CMake treats brackets and semicolons as list syntax.
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

# Sets OUT to the seconds, with one decimal, between two `string(TIMESTAMP x "%s%f" UTC)` readings,
# which are in microseconds.
function(_archgrid_seconds_between begin end out)
  math(EXPR tenths "(${end} - ${begin}) / 100000")
  math(EXPR whole "${tenths} / 10")
  math(EXPR rest "${tenths} % 10")
  set(${out} "${whole}.${rest}" PARENT_SCOPE)
endfunction()

# Sets OUT to the message that there is nothing to build or test for LABEL (sm121), which no cell of
# PLACE has.
function(_archgrid_describe_unserved label place out)
  set(${out}
    "${label}: nothing to build or test in ${place}: no single cell has this arch, and no fat cell is promised to serve it"
    PARENT_SCOPE)
endfunction()
