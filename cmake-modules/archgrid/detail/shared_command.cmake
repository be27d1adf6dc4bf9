# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Builds the archgrid command from source once for all projects and trees of a user that include the
# same sources. Its folder has a copy of the sources, so that it outlives the project that built it:
#   <folder>/                     the copy; <folder>.lock: concurrent builds wait for each other
#   <folder>/build/command/       the build tree, as FindArchGrid.cmake's
#   <folder>/build/command.whole  exists once the command was built and has run
include_guard(GLOBAL)
cmake_policy(VERSION 3.25...4.0)
include("${CMAKE_CURRENT_LIST_DIR}/build_host.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/user_cache.cmake")

# Sets OUT to the paths of the sources in ROOT that decide the command.
function(_archgrid_command_sources root out)
  string(REGEX REPLACE "([][*?])" "[\\1]" pattern "${root}")
  file(GLOB_RECURSE files LIST_DIRECTORIES false RELATIVE "${root}" "${pattern}/harness/*" "${pattern}/cmake-modules/*"
    "${pattern}/matrices/*")
  list(FILTER files EXCLUDE REGEX "(^|/)\\.|~$") # what editors leave
  if(NOT files)
    message(FATAL_ERROR "archgrid: its sources cannot be listed in ${root}")
  endif()
  set(${out} "${files};CMakeLists.txt;LICENSE" PARENT_SCOPE)
endfunction()

# Sets OUT to a hash of the sources in ROOT and of the system.
function(_archgrid_command_key root out)
  _archgrid_command_sources("${root}" files)
  cmake_host_system_information(RESULT text QUERY OS_PLATFORM DISTRIB_ID DISTRIB_VERSION_ID)
  foreach(file IN LISTS files)
    file(SHA256 "${root}/${file}" hash)
    string(APPEND text "\n${hash} ${file}")
  endforeach()
  string(SHA256 key "${text}")
  string(SUBSTRING "${key}" 0 16 key)
  set(${out} "${key}" PARENT_SCOPE)
endfunction()

# Sets OUT to the folder of the command of the sources in ROOT: one of the user's
# (ARCHGRID_COMMANDS), or one of this build tree if that is OFF or cannot be written.
function(_archgrid_command_folder root out)
  _archgrid_command_key("${root}" key)
  _archgrid_user_cache(commands ARCHGRID_COMMANDS commands)
  if(commands AND NOT EXISTS "${commands}/${key}/build/command.whole")
    string(RANDOM LENGTH 8 name)
    execute_process(COMMAND "${CMAKE_COMMAND}" -E make_directory "${commands}" ERROR_QUIET)
    execute_process(COMMAND "${CMAKE_COMMAND}" -E touch "${commands}/.${name}" ERROR_QUIET RESULT_VARIABLE result)
    file(REMOVE "${commands}/.${name}")
    if(NOT result EQUAL 0)
      message(STATUS "archgrid: ${commands} cannot be written: the command is built in this tree")
      set(commands "")
    endif()
  endif()
  if(NOT commands)
    set(commands "${CMAKE_BINARY_DIR}/archgrid-commands")
  endif()
  set(${out} "${commands}/${key}" PARENT_SCOPE)
endfunction()

# Sets OUT to whether the command in FOLDER was built, and is still there.
function(_archgrid_command_is_whole folder out)
  set(${out} OFF PARENT_SCOPE)
  if(EXISTS "${folder}/build/command.whole" AND EXISTS "${folder}/build/command/harness/cli/archgrid")
    set(${out} ON PARENT_SCOPE)
  endif()
endfunction()

# Copies the sources in ROOT into FOLDER, by a rename.
function(_archgrid_copy_command_sources root folder)
  _archgrid_command_sources("${root}" files)
  file(REMOVE_RECURSE "${folder}" "${folder}.partial")
  foreach(file IN LISTS files)
    cmake_path(GET file PARENT_PATH parent)
    file(COPY "${root}/${file}" DESTINATION "${folder}.partial/${parent}")
  endforeach()
  file(RENAME "${folder}.partial" "${folder}")
endfunction()

# Copies the sources in ROOT into FOLDER and configures their build. Sets OUT to nothing, or to why
# the command cannot be built here. The caller has the lock of the folder.
function(_archgrid_configure_command root folder out)
  set(${out} "" PARENT_SCOPE)
  set(key "")
  if(EXISTS "${folder}/CMakeLists.txt")
    _archgrid_command_key("${folder}" key)
  endif()
  cmake_path(GET folder FILENAME wanted)
  if(NOT key STREQUAL wanted)
    _archgrid_copy_command_sources("${root}" "${folder}")
    _archgrid_command_key("${folder}" key)
  endif()
  if(NOT key STREQUAL wanted)
    set(${out}
      "archgrid: the sources in ${root} have changed since this tree was configured\n  Fix: configure it again"
      PARENT_SCOPE)
    return()
  endif()
  _archgrid_host_configure_command("${folder}" "${folder}/build/command" configure)
  execute_process(COMMAND ${configure} OUTPUT_VARIABLE text ERROR_VARIABLE text RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    _archgrid_host_problem("${root}" "${text}" problem)
    set(${out} "archgrid: its command cannot be built here: ${problem}" PARENT_SCOPE)
  endif()
endfunction()

# Sets OUT to nothing, or to why the command of the sources in ROOT cannot be built in FOLDER:
# configures what _archgrid_build_command() continues.
function(_archgrid_prepare_command root folder out)
  cmake_path(GET folder PARENT_PATH commands)
  file(MAKE_DIRECTORY "${commands}")
  _archgrid_lock("${folder}.lock" "waiting for another build of the archgrid command")
  set(${out} "" PARENT_SCOPE)
  _archgrid_command_is_whole("${folder}" whole)
  if(NOT whole)
    _archgrid_configure_command("${root}" "${folder}" reason)
    set(${out} "${reason}" PARENT_SCOPE)
  endif()
endfunction()

# Builds the command of the sources in ROOT in FOLDER unless it is there. An interrupted build is
# continued by the next.
function(_archgrid_build_command root folder)
  _archgrid_lock("${folder}.lock" "waiting for another build of the archgrid command")
  _archgrid_command_is_whole("${folder}" whole)
  if(whole)
    return()
  endif()
  _archgrid_configure_command("${root}" "${folder}" reason)
  if(reason)
    message(FATAL_ERROR "${reason}")
  endif()
  set(build "${folder}/build/command")
  execute_process(COMMAND "${CMAKE_COMMAND}" --build "${build}" --target archgrid archgrid_package
    RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "archgrid: its command could not be built, see above")
  endif()
  execute_process(COMMAND "${build}/harness/cli/archgrid" --version OUTPUT_VARIABLE version ERROR_VARIABLE version
    RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "archgrid: its command was built, but does not run here (${result}): ${version}")
  endif()
  file(GLOB_RECURSE objects "${build}/*.o")
  file(REMOVE ${objects}) # most of the disk space, and never used again
  file(WRITE "${folder}/build/command.whole" "${version}")
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  _archgrid_build_command("${ROOT}" "${FOLDER}")
endif()
