# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Builds the archgrid command from source once for all projects and trees of a user that include the
# same sources, and installs it with its modules into a folder of its own.
include_guard(GLOBAL)
cmake_policy(VERSION 3.25...4.0)
include("${CMAKE_CURRENT_LIST_DIR}/build_host.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/user_cache.cmake")

# Sets OUT to a hash of what decides how the command behaves: the sources in ROOT and the system.
function(_archgrid_command_key root out)
  file(GLOB_RECURSE files LIST_DIRECTORIES false RELATIVE "${root}" "${root}/harness/*" "${root}/cmake-modules/*"
    "${root}/matrices/*")
  list(APPEND files CMakeLists.txt)
  cmake_host_system_information(RESULT system QUERY OS_PLATFORM DISTRIB_ID DISTRIB_VERSION_ID)
  set(text "${system}")
  foreach(file IN LISTS files)
    file(SHA256 "${root}/${file}" hash)
    string(APPEND text "\n${hash} ${file}")
  endforeach()
  string(SHA256 key "${text}")
  string(SUBSTRING "${key}" 0 16 key)
  set(${out} "${key}" PARENT_SCOPE)
endfunction()

# Sets OUT to the folder that the command of the sources in ROOT is installed in: one of the user's
# (ARCHGRID_COMMANDS), or one of this build tree if that is OFF.
function(_archgrid_command_prefix root out)
  _archgrid_user_cache(commands ARCHGRID_COMMANDS commands)
  if(NOT commands)
    set(${out} "${CMAKE_BINARY_DIR}/archgrid-installed" PARENT_SCOPE)
    return()
  endif()
  _archgrid_command_key("${root}" key)
  set(${out} "${commands}/${key}" PARENT_SCOPE)
endfunction()

# Configures the build that _archgrid_install_command() continues. Sets OUT to nothing, or to why
# the command of ROOT cannot be built here.
function(_archgrid_configure_command root prefix out)
  set(build "${prefix}.build")
  cmake_path(GET prefix PARENT_PATH folder)
  file(MAKE_DIRECTORY "${folder}")
  file(LOCK "${prefix}.lock" GUARD FUNCTION)
  set(${out} "" PARENT_SCOPE)
  if(EXISTS "${prefix}/bin/archgrid")
    return()
  endif()
  set(configured "")
  if(EXISTS "${build}/CMakeCache.txt")
    file(STRINGS "${build}/CMakeCache.txt" configured REGEX "^CMAKE_HOME_DIRECTORY:")
    string(REGEX REPLACE "^[^=]*=" "" configured "${configured}")
  endif()
  if(NOT configured STREQUAL root)
    file(REMOVE_RECURSE "${build}") # of the same sources in another folder
  endif()
  _archgrid_host_configure_command("${root}" "${build}" configure)
  execute_process(COMMAND ${configure} OUTPUT_VARIABLE text ERROR_VARIABLE text RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    _archgrid_host_problem("${root}" "${text}" problem)
    set(${out} "archgrid: its command cannot be built here: ${problem}" PARENT_SCOPE)
  endif()
endfunction()

# Runs a command with arguments of execute_process(), and fails if it fails. WHAT is what it does.
function(_archgrid_run_or_fail what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "archgrid: its command could not be ${what}, see above")
  endif()
endfunction()

# Builds and installs the command of ROOT into PREFIX unless it is there. Concurrent runs wait for
# each other; an interrupted one leaves a build that the next one continues, and no PREFIX.
function(_archgrid_install_command root prefix)
  _archgrid_configure_command("${root}" "${prefix}" reason)
  if(reason)
    message(FATAL_ERROR "${reason}")
  endif()
  file(LOCK "${prefix}.lock" GUARD FUNCTION)
  if(EXISTS "${prefix}/bin/archgrid")
    return()
  endif()
  set(build "${prefix}.build")
  _archgrid_run_or_fail(built "${CMAKE_COMMAND}" --build "${build}" --target archgrid)
  file(REMOVE_RECURSE "${prefix}.partial")
  _archgrid_run_or_fail(installed "${CMAKE_COMMAND}" --install "${build}" --prefix "${prefix}.partial" --strip
    OUTPUT_QUIET)
  file(RENAME "${prefix}.partial" "${prefix}")
  file(REMOVE_RECURSE "${build}")
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  _archgrid_install_command("${ROOT}" "${PREFIX}")
endif()
