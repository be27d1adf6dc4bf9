# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

include_guard(GLOBAL)
cmake_policy(VERSION 3.25...4.0)

#[=======================================================================[.rst:
archgrid_unbundle
-----------------

Unpacks archives of archgrid_bundle into a new folder::

  archgrid_unbundle(ARCHIVE <cells.tar.zst>... OUTPUT <folder>)
  cmake -DARCHIVE=cells.tar.zst -DOUTPUT=cells -P unbundle.cmake

Several archives have different cells of one plan. With all cells of the plan, the folder has the
test PROMISES, too, which compares cells.

Writes nothing outside OUTPUT: rejects an archive before unpacking if a member has an absolute path
or ``..`` in its path, if a link leads to an absolute path or upwards, or if a member is a hard link
or a device. The script needs no other file of archgrid, so that it can be copied beside the
archive.

Errors: ARCHIVE cannot be read or is rejected; OUTPUT exists; archives of different plans, or with
the same cell.
#]=======================================================================]
function(archgrid_unbundle)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "OUTPUT" "ARCHIVE")
  foreach(required IN ITEMS ARCHIVE OUTPUT)
    if(NOT arg_${required})
      message(FATAL_ERROR
        "archgrid_unbundle: ${required} is missing. For example: archgrid_unbundle(ARCHIVE cells.tar.zst OUTPUT cells)")
    endif()
  endforeach()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "archgrid_unbundle: unknown arguments: ${arg_UNPARSED_ARGUMENTS}. Known: ARCHIVE OUTPUT.")
  endif()
  cmake_path(ABSOLUTE_PATH arg_OUTPUT NORMALIZE)
  string(REGEX REPLACE "/$" "" output "${arg_OUTPUT}")
  if(EXISTS "${output}" OR IS_SYMLINK "${output}")
    message(FATAL_ERROR
      "archgrid_unbundle: ${output} exists. Remove it, or name a new folder: files of another bundle would stay in it.")
  endif()
  string(RANDOM LENGTH 8 name)
  set(partial "${output}.partial-${name}")
  foreach(archive IN LISTS arg_ARCHIVE)
    cmake_path(ABSOLUTE_PATH archive NORMALIZE)
    set(folder "${partial}")
    if(EXISTS "${partial}")
      set(folder "${partial}.next")
    endif()
    _archgrid_unpack("${archive}" "${folder}" problem)
    if(NOT problem AND NOT folder STREQUAL partial)
      _archgrid_join_bundles("${folder}" "${partial}" problem)
    endif()
    file(REMOVE_RECURSE "${partial}.next")
    if(problem)
      file(REMOVE_RECURSE "${partial}")
      message(FATAL_ERROR "archgrid_unbundle: ${archive}${problem}")
    endif()
  endforeach()
  file(RENAME "${partial}" "${output}")
endfunction()

# Unpacks ARCHIVE into the new folder FOLDER. Sets OUT to nothing, or to the end of a sentence that
# says why that failed.
function(_archgrid_unpack archive folder out)
  _archgrid_refuse_members("${archive}" reason)
  if(reason)
    set(${out} ": ${reason}" PARENT_SCOPE)
    return()
  endif()
  file(MAKE_DIRECTORY "${folder}")
  execute_process(COMMAND "${CMAKE_COMMAND}" -E tar xf "${archive}" WORKING_DIRECTORY "${folder}"
    RESULT_VARIABLE result ERROR_VARIABLE error)
  set(${out} "" PARENT_SCOPE)
  if(NOT result EQUAL 0)
    set(${out} " cannot be unpacked: ${error}" PARENT_SCOPE)
  endif()
endfunction()

# Moves the files of the bundle FROM into the bundle TO. Sets OUT to nothing, or to the end of a
# sentence that says why that failed.
function(_archgrid_join_bundles from to out)
  file(GLOB_RECURSE files RELATIVE "${from}" "${from}/*")
  foreach(file IN LISTS files)
    cmake_path(GET file PARENT_PATH folder)
    if(file MATCHES "/matrix\\.json$" AND EXISTS "${from}/${folder}/CTestCustom.cmake")
      set(tree "${folder}")
    endif()
  endforeach()
  set(${out} "" PARENT_SCOPE)
  file(GLOB cells RELATIVE "${from}/${tree}/cells" "${from}/${tree}/cells/*.json")
  foreach(file IN LISTS files)
    set(target "${to}/${file}")
    if(NOT EXISTS "${target}" AND NOT IS_SYMLINK "${target}")
      cmake_path(GET target PARENT_PATH folder)
      file(MAKE_DIRECTORY "${folder}")
      file(RENAME "${from}/${file}" "${target}")
    elseif(file MATCHES "^${tree}/cells/([^/]+)\\.json$")
      set(${out} ": another archive has the cell ${CMAKE_MATCH_1}, too" PARENT_SCOPE)
      return()
    elseif(file STREQUAL "${tree}/matrix.json")
      file(SHA256 "${from}/${file}" here)
      file(SHA256 "${target}" there)
      if(NOT here STREQUAL there)
        set(${out} ": it is of another matrix file than the archives before it" PARENT_SCOPE)
        return()
      endif()
    elseif(file MATCHES "^${tree}/lib/")
      _archgrid_join_library("${from}/${file}" "${target}" "${to}/${tree}/cells" "${cells}")
    endif()
  endforeach()
  _archgrid_join_tests("${from}/${tree}" "${to}/${tree}")
endfunction()

# Gives CELLS, names of their records below FOLDER, the library FILE unless TARGET is the same file.
function(_archgrid_join_library file target folder cells)
  file(SHA256 "${file}" here)
  file(SHA256 "${target}" there)
  if(here STREQUAL there)
    return()
  endif()
  foreach(cell IN LISTS cells)
    cmake_path(REMOVE_EXTENSION cell LAST_ONLY)
    file(COPY "${file}" DESTINATION "${folder}/${cell}/archgrid-lib" FOLLOW_SYMLINK_CHAIN)
  endforeach()
endfunction()

# Adds the audits and cells of the bundled tree FROM to those of TO.
function(_archgrid_join_tests from to)
  file(READ "${from}/plan.json" added)
  file(READ "${to}/plan.json" plan)
  string(JSON count LENGTH "${added}" audits)
  string(JSON end LENGTH "${plan}" audits)
  set(index 0)
  while(index LESS count)
    string(JSON audit GET "${added}" audits ${index})
    string(JSON plan SET "${plan}" audits ${end} "${audit}")
    math(EXPR index "${index} + 1")
    math(EXPR end "${end} + 1")
  endwhile()
  file(WRITE "${to}/plan.json" "${plan}\n")
  file(GLOB cells RELATIVE "${to}/cells" "${to}/cells/*.json")
  list(TRANSFORM cells REPLACE "\\.json$" "")
  list(LENGTH cells count)
  string(JSON planned LENGTH "${plan}" cells)
  set(joined " ${cells}")
  string(REPLACE ";" " " joined "${joined}")
  if(count EQUAL planned)
    set(joined "")
  endif()
  file(READ "${to}/CTestTestfile.cmake" text)
  string(REGEX REPLACE " CELLS[^)]*\\)" " CELLS${joined})" text "${text}")
  file(WRITE "${to}/CTestTestfile.cmake" "${text}")
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
  archgrid_unbundle(ARCHIVE ${ARCHIVE} OUTPUT "${OUTPUT}")
endif()
