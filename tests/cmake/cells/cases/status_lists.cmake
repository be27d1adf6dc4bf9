# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# The lists of a cell's state are read as they were written: plain strings, and those that JSON or a list would change.
include("${ARCHGRID_MODULES}/archgrid/detail/cell_status.cmake")
set(file "${CASE_BINARY}/cell.json")
set(plain "a b" "c:d, e" "(x)")
set(odd "a[1].so" "quo\"te" "semi\;colon" "tab	and {brace}")
foreach(list IN ITEMS plain odd)
  _archgrid_write_cell_status("${file}" ID cell STATUS built ARTIFACTS ${${list}} NOTES ${${list}})
  _archgrid_read_cell_status("${file}" read)
  foreach(key IN ITEMS ARTIFACTS NOTES)
    if(NOT "${read_${key}}" STREQUAL "${${list}}")
      message(FATAL_ERROR "${key} ${${list}} are read as ${read_${key}}")
    endif()
  endforeach()
  if(read_HANDMADE OR read_UNAUDITED)
    message(FATAL_ERROR "empty lists are read as ${read_HANDMADE} ${read_UNAUDITED}")
  endif()
endforeach()
