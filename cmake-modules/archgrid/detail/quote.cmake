# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Quotes values of users as CMake code, for every file of CMake code that archgrid writes.
include_guard(GLOBAL)

# Sets OUT to VALUE as a bracket argument. VALUE may contain anything.
function(_archgrid_bracket value out)
  set(equals "=")
  while(value MATCHES "\\]${equals}(\\]|$)")
    string(APPEND equals "=")
  endwhile()
  # CMake drops a line break after the opening bracket.
  set(${out} "[${equals}[\n${value}]${equals}]" PARENT_SCOPE)
endfunction()

# Appends to the variable CODE a line set(NAME VALUE) for each pair NAME VALUE in ARGN.
function(_archgrid_append_set code)
  set(lines "${${code}}")
  math(EXPR last "${ARGC} - 1")
  foreach(name_index RANGE 1 ${last} 2)
    math(EXPR value_index "${name_index} + 1")
    _archgrid_bracket("${ARGV${value_index}}" value)
    string(APPEND lines "set(${ARGV${name_index}} ${value})\n")
  endforeach()
  set(${code} "${lines}" PARENT_SCOPE)
endfunction()

# Sets OUT to VALUE as a part of a quoted argument: "...<part>...".
function(_archgrid_quoted_part value out)
  string(REGEX REPLACE "([\\\\\"$])" "\\\\\\1" value "${value}")
  set(${out} "${value}" PARENT_SCOPE)
endfunction()

# Appends to the variable CODE a line include(FILE).
function(_archgrid_append_include code file)
  _archgrid_bracket("${file}" argument)
  set(${code} "${${code}}include(${argument})\n" PARENT_SCOPE)
endfunction()
