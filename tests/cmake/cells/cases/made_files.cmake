# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that outputs of a build's commands, whatever their names, are distinguished from inputs.
include("${ARCHGRID_MODULES}/archgrid/detail/artifacts.cmake")
find_program(ninja NAMES ninja ninja-build REQUIRED)
file(WRITE "${CASE_BINARY}/build.ninja" "rule make
  command = make
build a$ b$:c: make in.cu
build sub/x[1];y | by]product: make in.cu
build all: phony a$ b$:c
")
file(WRITE "${CASE_BINARY}/in.cu" "")
_archgrid_read_outputs("${CASE_BINARY}" "${ninja}" output)
foreach(path IN ITEMS "a b:c" "sub/x[1];y" "by]product" all)
  _archgrid_is_made("${path}" output is_made)
  if(NOT is_made)
    message(FATAL_ERROR "${path} is not known to be made")
  endif()
endforeach()
foreach(path IN ITEMS in.cu "a b" "sub/x[1]" "sub/x" none)
  _archgrid_is_made("${path}" output is_made)
  if(is_made)
    message(FATAL_ERROR "${path} is said to be made")
  endif()
endforeach()
