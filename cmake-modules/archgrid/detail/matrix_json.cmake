# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0
#
# Reads parts of a matrix file with strict types. Every function that fails names the file, the JSON
# path, the value and the fix. <path> is a place for people, `m.json: toolkits[0].cuda`: the name of
# the file, and the JSON path in it unless the file as a whole is meant.

include_guard(GLOBAL)

# _archgrid_matrix_fail(<path> <what> <fix>)
#
# Ends with an error about <path>.
function(_archgrid_matrix_fail path what fix)
  # CMake wraps the lines of a message, except indented ones.
  message(FATAL_ERROR "\n  ${path}: ${what}\n  fix: ${fix}\n")
endfunction()

# _archgrid_matrix_keys(<json> <path> [REQUIRED <key>...] [OPTIONAL <key>...])
#
# Fails unless the object <json> at <path> has all required keys, and no keys other than those
# named.
function(_archgrid_matrix_keys json path)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "REQUIRED;OPTIONAL")
  _archgrid_matrix_members(present "${json}")
  foreach(key IN LISTS present)
    if(NOT key IN_LIST arg_REQUIRED AND NOT key IN_LIST arg_OPTIONAL)
      _archgrid_matrix_fail_unknown("${path}" "key" "${key}" ${arg_REQUIRED} ${arg_OPTIONAL})
    endif()
  endforeach()
  foreach(key IN LISTS arg_REQUIRED)
    if(NOT key IN_LIST present)
      _archgrid_matrix_fail("${path}" "the key \"${key}\" is missing" "add \"${key}\": ...")
    endif()
  endforeach()
endfunction()

# _archgrid_matrix_members(<out> <json>)
#
# Sets <out> to the list of the keys of the object <json>: empty for an empty object or an empty
# text.
function(_archgrid_matrix_members out json)
  set(keys "")
  _archgrid_matrix_indices(indices "${json}")
  foreach(i IN LISTS indices)
    string(JSON key MEMBER "${json}" ${i})
    string(REPLACE ";" "\\;" key "${key}")
    list(APPEND keys "${key}")
  endforeach()
  set(${out} "${keys}" PARENT_SCOPE)
endfunction()

# _archgrid_matrix_get(<out> <found> <type> <json> <path> <key>)
#
# Sets <found> to whether <json> has a value at <key> (of an object) or index (of an array), and
# <out> to that value, or to nothing. Fails if its JSON type is not <type>, or if it is a string of
# only white space.
function(_archgrid_matrix_get out found type json path key)
  string(JSON actual ERROR_VARIABLE absent TYPE "${json}" "${key}")
  if(absent)
    set(${found} FALSE PARENT_SCOPE)
    set(${out} "" PARENT_SCOPE)
    return()
  endif()
  string(JSON value GET "${json}" "${key}")
  if(NOT actual STREQUAL type)
    _archgrid_matrix_fail_type("${path}" "${value}" ${actual} ${type})
  endif()
  if(type STREQUAL "STRING" AND NOT value MATCHES "[^ \t\r\n]")
    _archgrid_matrix_fail("${path}" "the string is empty" "write a value, or remove the key")
  endif()
  set(${found} TRUE PARENT_SCOPE)
  set(${out} "${value}" PARENT_SCOPE)
endfunction()

# _archgrid_matrix_check_patterns(<found> <json> <path> <key>)
#
# Sets <found> to whether <key> exists; fails if it is neither a string nor a list of strings, or if
# one of them is empty.
function(_archgrid_matrix_check_patterns found json path key)
  string(JSON type ERROR_VARIABLE absent TYPE "${json}" "${key}")
  if(NOT type STREQUAL "ARRAY")
    _archgrid_matrix_get(pattern is_there STRING "${json}" "${path}" "${key}")
    set(${found} "${is_there}" PARENT_SCOPE)
    return()
  endif()
  _archgrid_matrix_get(array is_there ARRAY "${json}" "${path}" "${key}")
  _archgrid_matrix_indices(indices "${array}")
  if("${indices}" STREQUAL "")
    _archgrid_matrix_fail("${path}" "the list is empty" "write a pattern, or remove the key")
  endif()
  foreach(i IN LISTS indices)
    _archgrid_matrix_get(pattern is_there STRING "${array}" "${path}[${i}]" ${i})
  endforeach()
  set(${found} TRUE PARENT_SCOPE)
endfunction()

# _archgrid_matrix_indices(<out> <json>)
#
# Sets <out> to the list of the indices of the array <json>: empty for an empty array or an empty
# text.
function(_archgrid_matrix_indices out json)
  set(indices "")
  set(count 0)
  if(NOT json STREQUAL "")
    string(JSON count LENGTH "${json}")
  endif()
  if(count GREATER 0)
    math(EXPR last "${count} - 1")
    foreach(i RANGE ${last})
      list(APPEND indices ${i})
    endforeach()
  endif()
  set(${out} "${indices}" PARENT_SCOPE)
endfunction()

# _archgrid_matrix_strings(<out> <json> <path>)
#
# Sets <out> to the list of the strings of the array <json>, each safe as an item of a CMake list.
# Fails if the array is empty, contains anything else, or contains an item twice.
function(_archgrid_matrix_strings out json path)
  # The usual case is a long list of plain, distinct words: read it at once instead of parsing each
  # item.
  string(REGEX REPLACE "\"[A-Za-z0-9._-]+\"" "" rest "${json}")
  if(rest MATCHES "^[][, \t\n]+$")
    string(REGEX MATCHALL "[A-Za-z0-9._-]+" items "${json}")
    set(distinct "${items}")
    list(REMOVE_DUPLICATES distinct)
    if(NOT items STREQUAL "" AND items STREQUAL distinct)
      set(${out} "${items}" PARENT_SCOPE)
      return()
    endif()
  endif()
  _archgrid_matrix_indices(indices "${json}")
  if(indices STREQUAL "")
    _archgrid_matrix_fail("${path}" "the array is empty" "name at least one, or remove the key")
  endif()
  set(items "")
  foreach(i IN LISTS indices)
    _archgrid_matrix_get(item found STRING "${json}" "${path}[${i}]" ${i})
    if(item IN_LIST items)
      _archgrid_matrix_fail("${path}[${i}]" "\"${item}\" stands twice" "remove one of the two")
    endif()
    if(item MATCHES "[];[]|\\\\$")
      _archgrid_matrix_fail("${path}[${i}]" "\"${item}\" has one of the characters ; [ ] or ends with \\"
                            "none of the values of this list needs them: remove them")
    endif()
    list(APPEND items "${item}")
  endforeach()
  set(${out} "${items}" PARENT_SCOPE)
endfunction()

# _archgrid_matrix_fail_type(<path> <value> <actual> <wanted>)
#
# Ends with an error about a value whose JSON type is <actual> instead of <wanted>.
function(_archgrid_matrix_fail_type path value actual wanted)
  set(name_STRING "a string")
  set(name_ARRAY "an array")
  set(name_OBJECT "an object")
  set(name_NUMBER "a number")
  set(name_BOOLEAN "a boolean")
  set(name_NULL "null")
  string(REGEX REPLACE "[ \t\r\n]+" " " value "${value}")
  if(actual STREQUAL "STRING")
    set(value "\"${value}\"")
  elseif(actual STREQUAL "BOOLEAN")
    string(REPLACE "OFF" "false" value "${value}")
    string(REPLACE "ON" "true" value "${value}")
  endif()
  set(fix "write ${name_${wanted}}")
  if(wanted STREQUAL "STRING" AND actual STREQUAL "NUMBER")
    set(fix "put it in quotes, \"...\": as a number 12.10 is 12.1")
  elseif(wanted STREQUAL "BOOLEAN")
    set(fix "write true or false, without quotes")
  elseif(wanted STREQUAL "ARRAY" AND actual STREQUAL "STRING")
    set(fix "write an array, [${value}]")
  elseif(actual STREQUAL "NULL")
    set(value "it")
    set(fix "write ${name_${wanted}}, or remove the key")
  endif()
  _archgrid_matrix_fail("${path}" "${value} is ${name_${actual}}, and ${name_${wanted}} belongs here" "${fix}")
endfunction()

# _archgrid_matrix_fail_unknown(<path> <noun> <word> <known>...)
#
# Ends with an error about a word that is not among the known ones, and suggests the nearest of
# them.
function(_archgrid_matrix_fail_unknown path noun word)
  _archgrid_matrix_nearest(nearest "${word}" ${ARGN})
  list(JOIN ARGN ", " known)
  set(fix "use one of: ${known}")
  if(nearest)
    set(fix "write \"${nearest}\"? (known: ${known})")
  endif()
  _archgrid_matrix_fail("${path}" "unknown ${noun} \"${word}\"" "${fix}")
endfunction()

# _archgrid_matrix_nearest(<out> <word> <known>...)
#
# Sets <out> to the known word with the fewest edits to <word> (the last of several), or to nothing
# if that changes more than half of it.
function(_archgrid_matrix_nearest out word)
  string(LENGTH "${word}" length)
  math(EXPR best "${length} / 2")
  set(nearest "")
  if(word STREQUAL "")
    set(ARGN "")
  endif()
  foreach(known IN LISTS ARGN)
    _archgrid_matrix_edits(edits "${word}" "${known}")
    if(NOT edits GREATER best)
      set(best ${edits})
      set(nearest "${known}")
    endif()
  endforeach()
  set(${out} "${nearest}" PARENT_SCOPE)
endfunction()

# _archgrid_matrix_edits(<out> <a> <b>)
#
# Sets <out> to the Levenshtein distance of the two words.
function(_archgrid_matrix_edits out a b)
  string(LENGTH "${a}" a_length)
  string(LENGTH "${b}" b_length)
  foreach(j RANGE ${b_length})
    set(row_${j} ${j})
  endforeach()
  foreach(i RANGE 1 ${a_length})
    math(EXPR at "${i} - 1")
    string(SUBSTRING "${a}" ${at} 1 a_letter)
    set(diagonal ${row_0})
    set(row_0 ${i})
    foreach(j RANGE 1 ${b_length})
      math(EXPR left "${j} - 1")
      string(SUBSTRING "${b}" ${left} 1 b_letter)
      set(cost ${diagonal})
      if(NOT a_letter STREQUAL b_letter)
        math(EXPR cost "${diagonal} + 1")
      endif()
      set(diagonal ${row_${j}})
      math(EXPR inserted "${row_${left}} + 1")
      math(EXPR removed "${row_${j}} + 1")
      set(row_${j} ${cost})
      foreach(other IN ITEMS ${inserted} ${removed})
        if(other LESS row_${j})
          set(row_${j} ${other})
        endif()
      endforeach()
    endforeach()
  endforeach()
  set(${out} ${row_${b_length}} PARENT_SCOPE)
endfunction()
