# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Included by a tree's CTestCustom.cmake with matrix_command and matrix_tree: after ctest's own summary come the coverage of
# the audited cells as a picture, and which GPU tests ran.
if(EXISTS "${matrix_command}") # before the first build it does not
  foreach(word IN ITEMS matrix_command matrix_tree) # ctest splits the command as a shell does
    string(REGEX REPLACE "([\\\"])" "\\\\\\1" ${word} "${${word}}")
    string(REPLACE ";" "\\;" ${word} "${${word}}")
  endforeach()
  set(CTEST_CUSTOM_POST_TEST "\"${matrix_command}\" after-tests \"${matrix_tree}\"")
endif()
