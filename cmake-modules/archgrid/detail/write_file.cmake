# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

include_guard(GLOBAL)

# _archgrid_write_if_changed(<file> <content>)
#
# Writes <content> to a temporary file and renames it, unless <file> has this content already. A
# relative path starts at the current binary folder.
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

# Writes ARGN to FILE, one item per line.
function(_archgrid_write_lines file)
  list(TRANSFORM ARGN APPEND "\n" OUTPUT_VARIABLE lines)
  list(JOIN lines "" lines)
  file(WRITE "${file}" "${lines}")
endfunction()
