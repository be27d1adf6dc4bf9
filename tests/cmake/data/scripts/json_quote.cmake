# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Every text comes back from JSON as it was, control characters too: compilers colour their messages.
include("${ARCHGRID_MODULES}/archgrid/detail/cell_status.cmake")
set(text "\"quoted\" \\ \t[tab]\r\n")
foreach(code RANGE 1 31)
  string(ASCII ${code} character)
  string(APPEND text "${character}")
endforeach()
_archgrid_json_quote(quoted "${text}")
string(JSON back GET "[${quoted}]" 0)
if(NOT back STREQUAL text)
  message(FATAL_ERROR "${quoted} is read as ${back}")
endif()
string(ASCII 27 escape)
_archgrid_json_quote(quoted "${escape}[31mred")
if(NOT quoted STREQUAL "\"\\u001b[31mred\"")
  message(FATAL_ERROR "an escape is written as ${quoted}")
endif()

# A cell whose failure has such a reason has failed; it is not `building` for ever.
set(status "${CASE_BINARY}/cu135-sm90.json")
_archgrid_write_cell_status("${status}" ID cu135-sm90 STATUS building)
_archgrid_write_cell_status("${status}" ID cu135-sm90 STATUS failed STEP build REASON "${text}")
_archgrid_read_cell_status("${status}" cell)
if(NOT cell_STATUS STREQUAL "failed" OR NOT cell_REASON STREQUAL text)
  message(FATAL_ERROR "the status is ${cell_STATUS}, the reason ${cell_REASON}")
endif()
