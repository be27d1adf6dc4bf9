# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that the line of a CMakeLists.txt which puts a target's file outside the cell's tree is
# found: of several candidates, the one that names the target, or else all.
cmake_minimum_required(VERSION 3.25)
include("${ARCHGRID_MODULES}/archgrid/detail/outside.cmake")

# expect(<target> <lines> <name>): checks the result for the file of the case.
function(expect target expected expected_name)
  _archgrid_find_settings("${CASE_BINARY}/CMakeLists.txt"
    "LIBRARY_OUTPUT_DIRECTORY|LIBRARY_OUTPUT_PATH" "${target}" lines name)
  if(NOT lines STREQUAL expected OR NOT name STREQUAL expected_name)
    message(FATAL_ERROR "for ${target}: lines \"${lines}\" (${name}), not \"${expected}\" (${expected_name})")
  endif()
endfunction()

set(text [==[
# LIBRARY_OUTPUT_DIRECTORY of a comment
if(WIN32)
  set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/a;b[c") # LIBRARY_OUTPUT_PATH
endif()
set_target_properties(other PROPERTIES LIBRARY_OUTPUT_DIRECTORY "]")
Set_Target_Properties(
  first "second"
  PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY ../package
    LIBRARY_OUTPUT_DIRECTORY_RELEASE ../package)
set_property(TARGET third PROPERTY LIBRARY_OUTPUT_PATH ..)
]==])
file(WRITE "${CASE_BINARY}/CMakeLists.txt" "${text}")
expect(other 5 LIBRARY_OUTPUT_DIRECTORY)
expect(first 9 LIBRARY_OUTPUT_DIRECTORY)
expect(second 9 LIBRARY_OUTPUT_DIRECTORY)
expect(third 11 LIBRARY_OUTPUT_PATH)
expect(fourth "3;5;9;11" CMAKE_LIBRARY_OUTPUT_DIRECTORY)

file(WRITE "${CASE_BINARY}/CMakeLists.txt" "project(x)\nset(LIBRARY_OUTPUT_PATH ..)\n")
expect(first 2 LIBRARY_OUTPUT_PATH)
file(WRITE "${CASE_BINARY}/CMakeLists.txt"
  "set(LIBRARY_OUTPUT_PATH ..)\nadd_test(NAME t COMMAND \${LIBRARY_OUTPUT_PATH}/t)\nset(LIBRARY_OUTPUT_PATH \"\${LIBRARY_OUTPUT_PATH}/d\")\n")
expect(first "1;3" LIBRARY_OUTPUT_PATH)
file(WRITE "${CASE_BINARY}/CMakeLists.txt" "project(x)\n")
expect(first "" "")
file(REMOVE "${CASE_BINARY}/CMakeLists.txt")
expect(first "" "")
