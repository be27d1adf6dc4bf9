# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Writes the files from which ctest reads the tests of one program.
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/quote.cmake")

# Writes CONTENT to a temporary file and renames it to FILE, so that a killed build leaves either
# the old list or the new one.
function(_archgrid_write_list file content)
  file(WRITE "${file}.new" "${content}")
  file(RENAME "${file}.new" "${file}")
endfunction()

# Writes a list that contains only the failing test TARGET.LISTED, which prints MESSAGE.
function(_archgrid_write_failing_list file target message)
  set(script "${file}.failed")
  _archgrid_bracket("${message}" argument)
  _archgrid_write_list("${script}" "message(FATAL_ERROR ${argument})\n")
  _archgrid_bracket("${target}.LISTED" name)
  _archgrid_bracket("${script}" script)
  _archgrid_bracket("${CMAKE_COMMAND}" cmake)
  _archgrid_write_list("${file}" "add_test(${name} ${cmake} -P ${script})
set_tests_properties(${name} PROPERTIES LABELS gpu)
")
endfunction()
