# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Sets OUT to the words before a call of nvcc that lets ccache cache it, in the mode that sees edits
# of all archs; to nothing without ccache. FINGERPRINT is that of the toolkit. For calls of tests,
# whose form the launcher of cells leaves to nvcc alone.
function(archgrid_tests_ccache_nvcc fingerprint out)
  find_program(ARCHGRID_TESTS_CCACHE ccache)
  set(${out} "" PARENT_SCOPE)
  if(ARCHGRID_TESTS_CCACHE)
    set(${out} "env;CCACHE_DEPEND=1;CCACHE_COMPILERCHECK=string:${fingerprint};${ARCHGRID_TESTS_CCACHE}" PARENT_SCOPE)
  endif()
endfunction()
