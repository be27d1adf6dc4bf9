# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# cmake -DROOT=<repository> -DWORK=<scratch folder> -DCLANG_FORMAT=<program> -P format.cmake
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND "${CLANG_FORMAT}" --version OUTPUT_VARIABLE version RESULT_VARIABLE result)
if(NOT result EQUAL 0 OR NOT version MATCHES "version 14\\.")
  message("skipped: clang-format 14 was not found (found: ${CLANG_FORMAT} ${version})")
  return()
endif()

# Sets OUT to clang-format's messages about FILES.
function(complaints_about out)
  execute_process(COMMAND "${CLANG_FORMAT}" --dry-run ${ARGN} WORKING_DIRECTORY "${ROOT}"
    OUTPUT_VARIABLE text ERROR_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

set(sources "")
foreach(folder IN ITEMS harness kernels cmake-modules tests)
  foreach(ending IN ITEMS cpp hpp h cu cuh)
    file(GLOB_RECURSE found RELATIVE "${ROOT}" "${ROOT}/${folder}/*.${ending}")
    list(APPEND sources ${found})
  endforeach()
endforeach()
list(LENGTH sources count)
if(count LESS 100)
  message(FATAL_ERROR "expected the repository's sources, found ${count} files")
endif()
complaints_about(complaints ${sources})
if(complaints)
  message(FATAL_ERROR "write these as clang-format -i does:\n${complaints}")
endif()
file(COPY "${ROOT}/.clang-format" DESTINATION "${WORK}")
file(WRITE "${WORK}/planted.cpp" "int  planted( ) {return 0 ;}\n")
complaints_about(planted "${WORK}/planted.cpp")
if(NOT planted MATCHES "planted.cpp")
  message(FATAL_ERROR "a planted fault went unseen")
endif()
