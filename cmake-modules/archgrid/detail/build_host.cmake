# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Builds archgrid's host code for a project that includes its sources. It is a separate build, with
# its own compiler and standard, and adds nothing but its outputs to the project's tree.
include_guard(GLOBAL)
cmake_policy(VERSION 3.25...4.0)

# Sets OUT to the command that configures the sources in ROOT into BUILD. The generator is always
# Ninja, and flags and toolchain files of the environment are the project's.
function(_archgrid_host_configure_command root build out)
  find_program(ARCHGRID_NINJA NAMES ninja ninja-build NO_CMAKE_FIND_ROOT_PATH)
  mark_as_advanced(ARCHGRID_NINJA)
  set(${out} "${CMAKE_COMMAND}" -E env --unset=CXXFLAGS --unset=LDFLAGS --unset=CMAKE_TOOLCHAIN_FILE
    "${CMAKE_COMMAND}" -S "${root}" -B "${build}" -G Ninja "-DCMAKE_MAKE_PROGRAM=${ARCHGRID_NINJA}"
    -DCMAKE_BUILD_TYPE=Release -DARCHGRID_MATRIX= -DARCHGRID_BUILD_TESTS=OFF PARENT_SCOPE)
endfunction()

# Sets OUT to why the sources in ROOT cannot be configured and how to mend it, by TEXT, what CMake
# wrote.
function(_archgrid_host_problem root text out)
  if(text MATCHES "sudo apt-get install ([^\n]+)") # of harness/needs.cmake
    set(${out} "libraries are missing.\n  Fix: sudo apt-get install ${CMAKE_MATCH_1}" PARENT_SCOPE)
    return()
  endif()
  set(needs "it needs a C++20 compiler and Ninja (Debian: apt-get install g++ ninja-build).")
  if(EXISTS "${root}/setup")
    set(needs "${root}/setup installs what it needs.")
  endif()
  set(${out} "${needs} CMake said:\n${text}" PARENT_SCOPE)
endfunction()

# Script mode: builds TARGETS of ROOT in BUILD. Concurrent runs in one tree wait for each other.
if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  file(LOCK "${BUILD}/.archgrid-lock" GUARD PROCESS)
  if(NOT EXISTS "${BUILD}/build.ninja")
    _archgrid_host_configure_command("${ROOT}" "${BUILD}" configure)
    execute_process(COMMAND ${configure} OUTPUT_VARIABLE text ERROR_VARIABLE text RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
      _archgrid_host_problem("${ROOT}" "${text}" problem)
      message(FATAL_ERROR "archgrid: its host libraries cannot be configured: ${problem}")
    endif()
  endif()
  execute_process(COMMAND "${CMAKE_COMMAND}" --build "${BUILD}" --target ${TARGETS} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "archgrid: its host code could not be built, see above")
  endif()
endif()
