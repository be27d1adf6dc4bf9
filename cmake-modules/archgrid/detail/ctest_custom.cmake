# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Included by a tree's CTestCustom.cmake with matrix_command, matrix_tree and, but in bundles, matrix_cmake: before the tests
# come the marks of edited cells; after ctest's own summary the coverage of the audited cells as a picture, and which GPU tests
# ran.
set(here "${CMAKE_CURRENT_LIST_DIR}")
if(EXISTS "${matrix_command}") # before the first build it does not
  foreach(word IN ITEMS matrix_command matrix_tree matrix_cmake here) # ctest splits the command as a shell does
    string(REGEX REPLACE "([\\\"])" "\\\\\\1" ${word} "${${word}}")
    string(REPLACE ";" "\\;" ${word} "${${word}}")
  endforeach()
  set(CTEST_CUSTOM_POST_TEST "\"${matrix_command}\" after-tests \"${matrix_tree}\"")
  if(matrix_cmake)
    set(CTEST_CUSTOM_PRE_TEST "\"${matrix_cmake}\" \"-DTREE=${matrix_tree}\" -P \"${here}/mark_edited.cmake\"")
  endif()
endif()
