# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Stores data that all checkouts and trees on a machine share.
include_guard(GLOBAL)
cmake_policy(VERSION 3.25...4.0)

# Sets OUT to the folder of KIND: VARIABLE (a CMake or an environment variable), else archgrid/KIND
# in the user's cache folder. Sets it to nothing if VARIABLE is OFF, or if there is no user's cache
# folder.
function(_archgrid_user_cache kind variable out)
  if(NOT "${${variable}}" STREQUAL "")
    set(folder "${${variable}}")
  elseif(NOT "$ENV{${variable}}" STREQUAL "")
    set(folder "$ENV{${variable}}")
  elseif(NOT "$ENV{XDG_CACHE_HOME}" STREQUAL "")
    set(folder "$ENV{XDG_CACHE_HOME}/archgrid/${kind}")
  elseif(NOT "$ENV{HOME}" STREQUAL "")
    set(folder "$ENV{HOME}/.cache/archgrid/${kind}")
  else()
    set(folder OFF)
  endif()
  if(folder STREQUAL "OFF")
    set(${out} "" PARENT_SCOPE)
    return()
  endif()
  file(TO_CMAKE_PATH "${folder}" folder)
  cmake_path(ABSOLUTE_PATH folder NORMALIZE)
  set(${out} "${folder}" PARENT_SCOPE)
endfunction()

# Locks FILE until the calling function returns; prints WAITING if it has to wait.
macro(_archgrid_lock file waiting)
  file(LOCK "${file}" GUARD FUNCTION TIMEOUT 0 RESULT_VARIABLE _archgrid_locked)
  if(NOT _archgrid_locked EQUAL 0)
    message(STATUS "archgrid: ${waiting}")
    file(LOCK "${file}" GUARD FUNCTION)
  endif()
endmacro()

# Writes TEXT to FILE in the cache, by a rename; does nothing if the cache is not writable.
function(_archgrid_remember file text)
  cmake_path(GET file PARENT_PATH folder)
  string(RANDOM LENGTH 8 name)
  execute_process(COMMAND "${CMAKE_COMMAND}" -E make_directory "${folder}" ERROR_QUIET)
  execute_process(COMMAND "${CMAKE_COMMAND}" -E touch "${file}.${name}" ERROR_QUIET RESULT_VARIABLE result)
  if(result EQUAL 0)
    file(WRITE "${file}.${name}" "${text}")
    file(RENAME "${file}.${name}" "${file}")
  endif()
endfunction()
