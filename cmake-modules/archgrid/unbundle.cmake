# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

include_guard(GLOBAL)
cmake_policy(VERSION 3.25...4.0)

#[=======================================================================[.rst:
archgrid_unbundle
-----------------

Unpacks an archive of archgrid_bundle into a new folder::

  archgrid_unbundle(ARCHIVE <cells.tar.zst> OUTPUT <folder>)
  cmake -DARCHIVE=cells.tar.zst -DOUTPUT=cells -P unbundle.cmake

Writes nothing outside OUTPUT: rejects an archive before unpacking if a member has an absolute path
or ``..`` in its path, if a link leads to an absolute path or upwards, or if a member is a hard link
or a device. The script needs no other file of archgrid, so that it can be copied beside the
archive.

Errors: ARCHIVE cannot be read or is rejected; OUTPUT exists.
#]=======================================================================]
function(archgrid_unbundle)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "ARCHIVE;OUTPUT" "")
  foreach(required IN ITEMS ARCHIVE OUTPUT)
    if(NOT arg_${required})
      message(FATAL_ERROR
        "archgrid_unbundle: ${required} is missing. For example: archgrid_unbundle(ARCHIVE cells.tar.zst OUTPUT cells)")
    endif()
    cmake_path(ABSOLUTE_PATH arg_${required} NORMALIZE)
  endforeach()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "archgrid_unbundle: unknown arguments: ${arg_UNPARSED_ARGUMENTS}. Known: ARCHIVE OUTPUT.")
  endif()
  string(REGEX REPLACE "/$" "" output "${arg_OUTPUT}")
  if(EXISTS "${output}" OR IS_SYMLINK "${output}")
    message(FATAL_ERROR
      "archgrid_unbundle: ${output} exists. Remove it, or name a new folder: files of another bundle would stay in it.")
  endif()
  _archgrid_refuse_members("${arg_ARCHIVE}" reason)
  if(reason)
    message(FATAL_ERROR "archgrid_unbundle: ${arg_ARCHIVE}: ${reason}")
  endif()
  string(RANDOM LENGTH 8 name)
  set(partial "${output}.partial-${name}")
  file(MAKE_DIRECTORY "${partial}")
  execute_process(COMMAND "${CMAKE_COMMAND}" -E tar xf "${arg_ARCHIVE}" WORKING_DIRECTORY "${partial}"
    RESULT_VARIABLE result ERROR_VARIABLE error)
  if(NOT result EQUAL 0)
    file(REMOVE_RECURSE "${partial}")
    message(FATAL_ERROR "archgrid_unbundle: ${arg_ARCHIVE} cannot be unpacked: ${error}")
  endif()
  file(RENAME "${partial}" "${output}")
endfunction()

# Sets OUT to the reason why ARCHIVE must not be unpacked, or to nothing. The listings are checked
# line by line: a member whose name contains a line break spans several lines, each of which must be
# harmless.
function(_archgrid_refuse_members archive out)
  foreach(listing IN ITEMS tf tvf)
    execute_process(COMMAND "${CMAKE_COMMAND}" -E tar ${listing} "${archive}"
      OUTPUT_VARIABLE ${listing} ERROR_VARIABLE error RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
      set(${out} "it cannot be read: ${error}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(${out} "" PARENT_SCOPE)
  if(tf MATCHES "(^|\n)(/[^\n]*|([^\n]*/)?\\.\\.(/[^\n]*)?)(\n|$)")
    set(${out} "the member ${CMAKE_MATCH_2} would be written outside the folder" PARENT_SCOPE)
  elseif(tvf MATCHES "(^|\n)(l[^\n]*) -> (/[^\n]*|([^\n]*[/ ])?\\.\\.([/ ][^\n]*)?|[^\n]* -> /[^\n]*)(\n|$)")
    set(${out} "a link leads to ${CMAKE_MATCH_3}, which may be outside the folder" PARENT_SCOPE)
  elseif(tvf MATCHES "(^|\n)([^-dl\n][^\n]*)")
    set(${out} "not a file, a folder or a symbolic link: ${CMAKE_MATCH_2}" PARENT_SCOPE)
  endif()
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  archgrid_unbundle(ARCHIVE "${ARCHIVE}" OUTPUT "${OUTPUT}")
endif()
