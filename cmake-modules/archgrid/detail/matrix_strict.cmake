# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
#
# Rejects matrix files that string(JSON) reads but that are not JSON: comments, commas before a
# closing bracket, text after the end and repeated keys. Other readers of the same file reject these
# or, worse, read something else.

include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/matrix_json.cmake")

# _archgrid_matrix_parse_strictly(<file> <json>)
#
# Fails unless <json>, the text of <file>, is one JSON object according to RFC 8259, without
# repeated keys in an object.
function(_archgrid_matrix_parse_strictly file json)
  string(JSON type ERROR_VARIABLE error TYPE "${json}")
  if(error)
    _archgrid_matrix_fail_syntax("${file}" "${json}" "${error}")
  endif()
  if(NOT type STREQUAL "OBJECT")
    _archgrid_matrix_fail("${file}" "the file holds no JSON object" "write {\"name\": ..., \"toolkits\": [...]}")
  endif()
  _archgrid_matrix_mask(masked "${json}")
  _archgrid_matrix_refuse("${file}" "${masked}" "\"" "a string runs over the end of its line, or holds a tab"
                          "close the string, or write \\n and \\t in it")
  _archgrid_matrix_refuse("${file}" "${masked}" "/" "JSON has no comments" "remove the comment")
  _archgrid_matrix_refuse("${file}" "${masked}" ",[ \t\r\n]*[]}]" "a comma stands before the closing bracket"
                          "remove the comma")
  _archgrid_matrix_check_objects(rest "${file}" "${masked}")
  string(STRIP "${rest}" rest)
  if(NOT rest STREQUAL "v")
    string(REGEX REPLACE "^v[ \t\r\n]*" "" rest "${rest}")
    string(SUBSTRING "${rest}" 0 20 rest)
    _archgrid_matrix_fail("${file}" "text stands after the end of the JSON object: ${rest}" "remove it")
  endif()
endfunction()

# _archgrid_matrix_mask(<out> <json>)
#
# Sets <out> to <json> with 'key' for each plain key and s for each other string: only the structure
# remains, on the same lines.
function(_archgrid_matrix_mask out json)
  string(REGEX REPLACE "\\\\." "e" masked "${json}")
  string(REGEX REPLACE "\"([A-Za-z0-9_.+$-]*)\"[ \t\r]*:" "'\\1':" masked "${masked}")
  string(REGEX REPLACE "\"[^\"\t\r\n]*\"" "s" masked "${masked}")
  set(${out} "${masked}" PARENT_SCOPE)
endfunction()

# _archgrid_matrix_refuse(<file> <masked> <regex> <what> <fix>)
#
# Fails if <regex> matches, and names the line of the first match.
function(_archgrid_matrix_refuse file masked regex what fix)
  if(masked MATCHES "${regex}")
    string(FIND "${masked}" "${CMAKE_MATCH_0}" at)
    string(SUBSTRING "${masked}" 0 ${at} before)
    string(REGEX REPLACE "[^\n]" "" before "${before}")
    string(LENGTH "${before}" line)
    math(EXPR line "${line} + 1")
    _archgrid_matrix_fail("${file}: line ${line}" "${what}" "${fix}")
  endif()
endfunction()

# _archgrid_matrix_check_objects(<out> <file> <masked>)
#
# Fails if an object has a key twice. Sets <out> to the remaining text after each object and array
# has become v.
function(_archgrid_matrix_check_objects out file masked)
  set(before "")
  while(NOT masked STREQUAL before)
    string(REGEX MATCHALL "{[^][{}]*}" objects "${masked}")
    foreach(object IN LISTS objects)
      string(REGEX MATCHALL "'[^']*':" keys "${object}")
      set(distinct "${keys}")
      list(REMOVE_DUPLICATES distinct)
      if(NOT keys STREQUAL distinct)
        _archgrid_matrix_fail_repeated_key("${file}" "${keys}")
      endif()
    endforeach()
    set(before "${masked}")
    string(REGEX REPLACE "{[^][{}]*}|\\[[^][{}]*\\]" "v" masked "${masked}")
  endwhile()
  set(${out} "${masked}" PARENT_SCOPE)
endfunction()

function(_archgrid_matrix_fail_repeated_key file keys)
  string(REGEX REPLACE "[':]" "" keys "${keys}")
  set(seen "")
  foreach(key IN LISTS keys)
    if(key IN_LIST seen)
      list(JOIN keys ", " all)
      _archgrid_matrix_fail("${file}" "the key \"${key}\" stands twice in one object (with the keys ${all})"
                            "keep one of the two")
    endif()
    list(APPEND seen "${key}")
  endforeach()
endfunction()

# Ends with an error that shows where the JSON parser failed, and that line.
function(_archgrid_matrix_fail_syntax file json error)
  if(NOT error MATCHES "Line ([0-9]+), Column ([0-9]+)[ \t]*\n[ \t]*([^\n]*)")
    _archgrid_matrix_fail("${file}" "not JSON: ${error}" "write JSON")
  endif()
  set(line ${CMAKE_MATCH_1})
  set(column ${CMAKE_MATCH_2})
  set(reason "${CMAKE_MATCH_3}")
  foreach(i RANGE 2 ${line})
    string(FIND "${json}" "\n" end)
    if(line GREATER 1 AND NOT end EQUAL -1)
      math(EXPR start "${end} + 1")
      string(SUBSTRING "${json}" ${start} -1 json)
    endif()
  endforeach()
  string(REGEX REPLACE "\n.*" "" text "${json}")
  string(STRIP "${text}" text)
  _archgrid_matrix_fail("${file}: line ${line}, column ${column}" "not JSON: ${reason}, at: ${text}"
                        "write JSON (no comments, no comma after a last item, strings in double quotes)")
endfunction()
