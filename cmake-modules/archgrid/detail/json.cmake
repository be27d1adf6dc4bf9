# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/list_syntax.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/utf8.cmake")

# _archgrid_json_quote(<out> <text>)
#
# Sets <out> to <text> as a JSON string, including quotes. Bytes that are not UTF-8 become U+FFFD.
function(_archgrid_json_quote out text)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(REPLACE "\t" "\\t" text "${text}")
  string(REPLACE "\n" "\\n" text "${text}")
  string(REPLACE "\r" "\\r" text "${text}")
  string(ASCII 8 backspace)
  string(ASCII 12 form_feed)
  string(REPLACE "${backspace}" "\\b" text "${text}")
  string(REPLACE "${form_feed}" "\\f" text "${text}")
  string(ASCII 1 first)
  string(ASCII 31 last)
  if(text MATCHES "[${first}-${last}]")
    foreach(code RANGE 1 31)
      string(ASCII ${code} character)
      math(EXPR digits "${code} + 256" OUTPUT_FORMAT HEXADECIMAL)
      string(REGEX REPLACE "^0x1" "\\\\u00" escape "${digits}")
      string(REPLACE "${character}" "${escape}" text "${text}")
    endforeach()
  endif()
  _archgrid_replace_invalid_utf8("${text}" text)
  set(${out} "\"${text}\"" PARENT_SCOPE)
endfunction()

# _archgrid_json_quote_list(<out> <item>...)
#
# Sets <out> to a JSON array of strings, on one line. The items must not need escapes: numbers, ids
# and versions that were validated before.
function(_archgrid_json_quote_list out)
  list(JOIN ARGN "\", \"" joined)
  if("${joined}" STREQUAL "")
    set(${out} "[]" PARENT_SCOPE)
  else()
    set(${out} "[\"${joined}\"]" PARENT_SCOPE)
  endif()
endfunction()

# _archgrid_json_list(<out> <json> <key>...)
#
# Sets <out> to the list of the strings in the array at <key>... of <json>, which must exist. For
# the data files, whose strings are plain; _archgrid_matrix_strings() reads matrix files.
function(_archgrid_json_list out json)
  string(JSON array GET "${json}" ${ARGN})
  string(REGEX MATCHALL "\"[^\"]*\"" items "${array}")
  string(REPLACE "\"" "" items "${items}")
  set(${out} "${items}" PARENT_SCOPE)
endfunction()

# _archgrid_json_items(<out> <json> <key>)
#
# Sets <out> to the items of the array at <key> of <json>, JSON objects or strings, each masked by
# _archgrid_mask_list_syntax(). Splits objects at the line breaks that CMake writes, since reading
# one by its index parses all of <json> again.
function(_archgrid_json_items out json key)
  string(JSON array GET "${json}" ${key})
  string(JSON count LENGTH "${json}" ${key})
  set(objects "")
  if(array MATCHES "^.[ \n]*({.*})[ \n]*.$")
    _archgrid_mask_list_syntax("${CMAKE_MATCH_1}" objects)
    string(REGEX REPLACE "\n *},\n *{" "\n};{" objects "${objects}")
  endif()
  list(LENGTH objects parts)
  if(NOT parts EQUAL count)
    set(objects "")
    foreach(index RANGE ${count})
      if(index LESS count)
        string(JSON item GET "${json}" ${key} ${index})
        _archgrid_mask_list_syntax("${item}" item)
        list(APPEND objects "${item}")
      endif()
    endforeach()
  endif()
  set(${out} "${objects}" PARENT_SCOPE)
endfunction()
