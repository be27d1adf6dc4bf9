# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that every text survives JSON, including control characters: compilers colour their
# messages.
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

# A cell that fails for such a reason has the status `failed`, not `building` for ever.
set(status "${CASE_BINARY}/cu135-sm90.json")
_archgrid_write_cell_status("${status}" ID cu135-sm90 STATUS building)
_archgrid_write_cell_status("${status}" ID cu135-sm90 STATUS failed STEP build REASON "${text}")
_archgrid_read_cell_status("${status}" cell)
if(NOT cell_STATUS STREQUAL "failed" OR NOT cell_REASON STREQUAL text)
  message(FATAL_ERROR "the status is ${cell_STATUS}, the reason ${cell_REASON}")
endif()

# JSON is UTF-8: each invalid byte becomes U+FFFD. Characters of every length are preserved.
function(expect_bytes bytes expected)
  string(ASCII ${bytes} text)
  _archgrid_json_quote(quoted "a${text}b")
  string(HEX "${quoted}" hex)
  if(NOT hex STREQUAL "2261${expected}6222")
    message(FATAL_ERROR "the bytes ${bytes} are written as ${hex}")
  endif()
endfunction()
expect_bytes("195;164" c3a4)
expect_bytes("226;128;152" e28098)
expect_bytes("240;159;154;128" f09f9a80)
set(replaced efbfbd)
expect_bytes("228" ${replaced}) # Latin-1
expect_bytes("226;128" ${replaced}${replaced}) # truncated
expect_bytes("152;195;164" ${replaced}c3a4)
expect_bytes("192;175" ${replaced}${replaced}) # overlong
expect_bytes("237;160;128" ${replaced}${replaced}${replaced}) # half of a surrogate pair
expect_bytes("244;144;128;128" ${replaced}${replaced}${replaced}${replaced}) # beyond U+10FFFF
expect_bytes("255" ${replaced})
