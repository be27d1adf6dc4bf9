# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# The first error of a log is one line of it, whatever lists would make of its text.
include("${ARCHGRID_MODULES}/archgrid/detail/first_error.cmake")
foreach(error IN ITEMS "error: a name" "error: expected ']' before [a; name" "error: in a path\\")
  _archgrid_first_build_error("[1/2] FAILED: a.o\nnvcc a.cu\nIn file [included; from here\\\na.cu(1): ${error}\nnext line ]\n" "" line)
  if(NOT line STREQUAL "it does not compile: a.cu(1): ${error}")
    message(FATAL_ERROR "the error is shown as ${line}")
  endif()
endforeach()
