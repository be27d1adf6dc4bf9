# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Adds steps before and after the tests of a tree. A tree's CTestCustom.cmake includes it with
# matrix_command, matrix_tree and, except in bundles, matrix_cmake. Before the tests, edited cells
# are marked; after ctest's summary, a map shows the coverage of the audited cells, and a list the
# GPU tests that ran.
set(here "${CMAKE_CURRENT_LIST_DIR}")
if(EXISTS "${matrix_command}") # it does not exist before the first build
  # ctest splits the command like a shell.
  foreach(word IN ITEMS matrix_command matrix_tree matrix_cmake here)
    string(REGEX REPLACE "([\\\"])" "\\\\\\1" ${word} "${${word}}")
    string(REPLACE ";" "\\;" ${word} "${${word}}")
  endforeach()
  set(CTEST_CUSTOM_POST_TEST "\"${matrix_command}\" after-tests \"${matrix_tree}\"")
  if(matrix_cmake)
    set(CTEST_CUSTOM_PRE_TEST "\"${matrix_cmake}\" \"-DTREE=${matrix_tree}\" -P \"${here}/mark_edited.cmake\"")
  endif()
endif()
