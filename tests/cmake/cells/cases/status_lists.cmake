# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that the lists of a cell's status are read as written: plain strings, and strings with JSON
# or list syntax.
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

# Files that are not audited, with text that separates objects in their names.
set(files "")
foreach(file IN ITEMS "copy:a.tar!b},{.o" "unreadable:x[.whl\tcut; or {worse}" "outside:/s/a\"b" "nvidia:plain.so")
  _archgrid_mask_list_syntax("${file}" file)
  list(APPEND files "${file}")
endforeach()
foreach(count RANGE 1 4)
  list(SUBLIST files 0 ${count} some)
  _archgrid_write_cell_status("${CASE_BINARY}/files.json" ID cell STATUS built UNAUDITED ${some})
  _archgrid_read_cell_status("${CASE_BINARY}/files.json" read)
  if(NOT "${read_UNAUDITED}" STREQUAL "${some}")
    message(FATAL_ERROR "${some} is read as ${read_UNAUDITED}")
  endif()
endforeach()
