# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Reads the plan, archgrid.plan/1. plan.json is the only form in which later steps get the plan.
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/json.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/list_syntax.cmake")

# _archgrid_plan_get(<object> <KEY> <variable> [<KEY> <variable>]...)
#
# Sets each <variable> to the value of the member <key> of <object>: the text of a plan, or an item
# of its arrays as this function returns it. An absent or null member is empty, true is ON, an array
# a list whose items are masked by _archgrid_mask_list_syntax(), and an object of strings a list of
# KEY=VALUE for foreach(IN LISTS).
function(_archgrid_plan_get object)
  _archgrid_unmask_list_syntax("${object}" object)
  math(EXPR last "${ARGC} - 1")
  foreach(index RANGE 1 ${last} 2)
    math(EXPR variable_index "${index} + 1")
    string(TOLOWER "${ARGV${index}}" key)
    set(value "")
    string(JSON type ERROR_VARIABLE absent TYPE "${object}" ${key})
    if(type STREQUAL "ARRAY")
      _archgrid_plan_items(value "${object}" ${key})
    elseif(type STREQUAL "OBJECT")
      _archgrid_plan_members(value "${object}" ${key})
    elseif(NOT absent)
      string(JSON value GET "${object}" ${key})
    endif()
    set(${ARGV${variable_index}} "${value}" PARENT_SCOPE)
  endforeach()
endfunction()

# Sets OUT to the masked items of the array at KEY of OBJECT.
function(_archgrid_plan_items out object key)
  string(JSON array GET "${object}" ${key})
  # Plain strings: reading them item by item would parse OBJECT each time.
  if(array MATCHES "^[[][^][{;\\]*[]]$")
    _archgrid_json_list(items "${object}" ${key})
  else()
    _archgrid_json_items(items "${object}" ${key})
  endif()
  set(${out} "${items}" PARENT_SCOPE)
endfunction()

# Sets OUT to the members of the object at KEY of OBJECT, strings, as a list of KEY=VALUE.
function(_archgrid_plan_members out object key)
  set(items "")
  string(JSON members GET "${object}" ${key})
  string(JSON count LENGTH "${members}")
  foreach(index RANGE ${count})
    if(index LESS count)
      string(JSON name MEMBER "${members}" ${index})
      string(JSON value GET "${members}" "${name}")
      string(REPLACE ";" "\\;" value "${value}")
      list(APPEND items "${name}=${value}")
    endif()
  endforeach()
  set(${out} "${items}" PARENT_SCOPE)
endfunction()
