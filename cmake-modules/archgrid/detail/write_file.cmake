# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

include_guard(GLOBAL)

# _archgrid_write_if_changed(<file> <content>)
#
# Write <content> aside and rename it, unless the file holds just that; a relative path starts at the current binary
# folder.
function(_archgrid_write_if_changed file content)
  get_filename_component(file "${file}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
  if(EXISTS "${file}")
    file(READ "${file}" present)
    if(present STREQUAL content)
      return()
    endif()
  endif()
  string(RANDOM LENGTH 8 tag)
  file(WRITE "${file}.${tag}" "${content}")
  file(RENAME "${file}.${tag}" "${file}")
endfunction()

# Writes ARGN into FILE, a line each.
function(_archgrid_write_lines file)
  list(TRANSFORM ARGN APPEND "\n" OUTPUT_VARIABLE lines)
  list(JOIN lines "" lines)
  file(WRITE "${file}" "${lines}")
endfunction()
