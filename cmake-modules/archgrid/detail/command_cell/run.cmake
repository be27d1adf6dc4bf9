# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# cmake -DCONFIG=<cell>.command/config.cmake -DBUILD=<the cell's tree> -P run.cmake
#
# Builds a project that is no CMake project: copies its sources to BUILD/source, sets the environment
# and runs its command there. The project's own folder is only read, so cells cannot mix their outputs.
# Builds from scratch, as make and setuptools build nothing again for changed flags or headers.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/../list_syntax.cmake")
# Sets the record of the command: command_source, command_line (a list), command_environment
# (<name>=<value>...), command_incremental, command_excluded, a folder that is no source, and command_path, the first folder
# of PATH.
include("${CONFIG}")

# Sets OUT to the files below SOURCE, relative, masked by _archgrid_mask_list_syntax(), without those
# below EXCLUDED. In a git work tree these are the files that git tracks, those of submodules too, and
# new files that it does not ignore: results of an earlier build stay behind.
function(_archgrid_find_sources source excluded out)
  find_program(git git NO_CACHE)
  set(result 1)
  set(others "")
  if(git)
    execute_process(COMMAND "${git}" -C "${source}" -c core.quotePath=false ls-files --cached --recurse-submodules
      OUTPUT_VARIABLE files ERROR_QUIET RESULT_VARIABLE result)
    execute_process(COMMAND "${git}" -C "${source}" -c core.quotePath=false ls-files --others --exclude-standard
      OUTPUT_VARIABLE others ERROR_QUIET)
  endif()
  if(NOT result EQUAL 0 OR "${files}${others}" STREQUAL "")
    execute_process(COMMAND find . -type d -name .git -prune -o ! -type d -printf "%P\\n" WORKING_DIRECTORY "${source}"
      OUTPUT_VARIABLE files COMMAND_ERROR_IS_FATAL ANY)
  endif()
  _archgrid_mask_list_syntax("${files}${others}" files)
  string(REGEX MATCHALL "[^\n]+" files "${files}")
  set(sources "")
  foreach(file IN LISTS files)
    _archgrid_unmask_list_syntax("${file}" path)
    cmake_path(IS_PREFIX excluded "${source}/${path}" NORMALIZE is_excluded)
    if(NOT is_excluded AND (EXISTS "${source}/${path}" OR IS_SYMLINK "${source}/${path}"))
      list(APPEND sources "${file}")
    endif()
  endforeach()
  set(${out} "${sources}" PARENT_SCOPE)
endfunction()

# Makes the folder TO equal to SOURCES of FROM, except for files that the build made. Files that are
# equal keep their time, so that nothing is built again. LIST names the file that records SOURCES.
function(_archgrid_copy_sources from to sources list)
  set(before "")
  if(EXISTS "${list}")
    file(READ "${list}" before)
    string(REGEX MATCHALL "[^\n]+" before "${before}")
    list(REMOVE_ITEM before ${sources})
  endif()
  foreach(file IN LISTS before) # the project has it no more
    _archgrid_unmask_list_syntax("${file}" path)
    file(REMOVE "${to}/${path}")
  endforeach()
  foreach(file IN LISTS sources)
    _archgrid_unmask_list_syntax("${file}" path)
    cmake_path(GET path PARENT_PATH folder)
    file(COPY "${from}/${path}" DESTINATION "${to}/${folder}")
  endforeach()
  list(JOIN sources "\n" text)
  file(WRITE "${list}" "${text}\n")
endfunction()

# Writes the depfile of STAMP: SOURCES of FROM and their folders, whose times change when a file is
# added or removed.
function(_archgrid_write_depfile file stamp from sources)
  set(folders "${from}")
  set(text "${stamp}:")
  foreach(source IN LISTS sources)
    _archgrid_unmask_list_syntax("${source}" path)
    cmake_path(GET path PARENT_PATH folder)
    list(APPEND folders "${from}/${folder}")
    string(REGEX REPLACE "([ #])" "\\\\\\1" path "${from}/${path}")
    string(REPLACE "$" "$$" path "${path}")
    string(APPEND text " \\\n  ${path}")
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    string(REGEX REPLACE "([ #])" "\\\\\\1" folder "${folder}")
    string(REPLACE "$" "$$" folder "${folder}")
    string(APPEND text " \\\n  ${folder}")
  endforeach()
  file(WRITE "${file}" "${text}\n")
endfunction()

_archgrid_find_sources("${command_source}" "${command_excluded}" sources)
file(SHA256 "${CONFIG}" config)
set(built "")
if(EXISTS "${BUILD}/command.config")
  file(READ "${BUILD}/command.config" built)
endif()
if(NOT command_incremental OR NOT config STREQUAL built)
  file(REMOVE_RECURSE "${BUILD}/source")
endif()
file(WRITE "${BUILD}/command.config" "${config}")
_archgrid_copy_sources("${command_source}" "${BUILD}/source" "${sources}" "${BUILD}/command.sources")
_archgrid_write_depfile("${BUILD}/command.d" command.stamp "${command_source}" "${sources}")
if("$ENV{ARCHGRID_CELL_JOBS}" MATCHES "^-j([0-9]+)$") # else MAKEFLAGS has a jobserver
  set(ENV{MAKEFLAGS} "-j${CMAKE_MATCH_1}")
  set(ENV{MAX_JOBS} "${CMAKE_MATCH_1}")
  set(ENV{CMAKE_BUILD_PARALLEL_LEVEL} "${CMAKE_MATCH_1}")
endif()
set(ENV{PATH} "${command_path}:$ENV{PATH}")
foreach(variable IN LISTS command_environment)
  string(REGEX MATCH "^([^=]*)=(.*)$" parts "${variable}")
  set(ENV{${CMAKE_MATCH_1}} "${CMAKE_MATCH_2}")
endforeach()
execute_process(COMMAND ${command_line} WORKING_DIRECTORY "${BUILD}/source" RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  list(JOIN command_line " " line)
  message(FATAL_ERROR "the build command failed (${result}): ${line}")
endif()
file(TOUCH "${BUILD}/command.stamp")
