# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# cmake -DCONFIG=<cell>.command/config.cmake -DBUILD=<the cell's tree> -P run.cmake
#
# Builds a project that is no CMake project: copies its sources to BUILD/source, sets the
# environment and runs its command there. The project's own folder is only read, so cells cannot mix
# their outputs. Builds from scratch, as make and setuptools build nothing again for changed flags
# or headers.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/../list_syntax.cmake")
# Sets the record of the command: command_source, command_line (a list), command_environment
# (<name>=<value>...), command_jobs, command_incremental, command_excluded, a folder that is no
# source, and command_path, the first folder of PATH.
include("${CONFIG}")

# Sets OUT to the lines of TEXT, masked by _archgrid_mask_list_syntax().
function(_archgrid_masked_lines text out)
  _archgrid_mask_list_syntax("${text}" text)
  string(REGEX MATCHALL "[^\n]+" lines "${text}")
  set(${out} "${lines}" PARENT_SCOPE)
endfunction()

# Sets OUT to what the other arguments of find print below FOLDER, relative, masked. Not every find
# has -printf.
function(_archgrid_find_below out folder)
  execute_process(COMMAND find -H "${folder}" ${ARGN} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n${folder}/" "\n" text "\n${text}")
  _archgrid_masked_lines("${text}" found)
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

# Fails unless the tar on PATH is GNU tar: that of busybox lacks options for a copy with all times,
# links and names, and `cmake -E tar` fails for names with other than ASCII letters in the locale C.
function(_archgrid_expect_gnu_tar)
  execute_process(COMMAND tar --version OUTPUT_VARIABLE text ERROR_VARIABLE text RESULT_VARIABLE result)
  if(result EQUAL 0 AND text MATCHES "GNU tar")
    return()
  endif()
  string(REGEX MATCH "^[^\n]*" found "${text}")
  # One line, for the cell's status: CMake wraps errors.
  message(NOTICE "error: copying the sources needs GNU tar: install the package `tar`")
  message(FATAL_ERROR "the tar on PATH is no GNU tar: ${result} ${found}")
endfunction()

# Sets OUT to whether FOLDER is in a git work tree. A work tree that git refuses to read is an
# error: results of an earlier build could not be told from sources.
function(_archgrid_is_in_work_tree folder out)
  set(${out} FALSE PARENT_SCOPE)
  execute_process(COMMAND git -C "${folder}" rev-parse --is-inside-work-tree
    OUTPUT_VARIABLE text ERROR_VARIABLE error RESULT_VARIABLE result)
  if(result EQUAL 0 AND text MATCHES "true")
    set(${out} TRUE PARENT_SCOPE)
    return()
  endif()
  set(parent "${folder}")
  while(NOT EXISTS "${parent}/.git")
    cmake_path(GET parent PARENT_PATH next)
    if(next STREQUAL parent)
      return()
    endif()
    set(parent "${next}")
  endwhile()
  if(NOT result EQUAL 0)
    string(REGEX MATCH "^[^\n]+" reason "${error}") # its advice follows
    string(REGEX REPLACE "^fatal: " "" reason "${reason}")
    set(reason "cannot tell sources from results of an earlier build in ${parent}: ${reason}")
    if(error MATCHES "git config --global --add safe\\.directory [^\n]+")
      set(reason "does not read another user's work tree. Fix: ${CMAKE_MATCH_0}")
    endif()
    # One line, for the cell's status: CMake wraps errors.
    message(NOTICE "error: git ${reason}")
    message(FATAL_ERROR "${error}")
  endif()
endfunction()

# Sets OUT to the files below FOLDER, relative, masked, without those in EXCLUDED. In a git work
# tree these are the files that git tracks and new files that it does not ignore, those of
# submodules and nested repositories too.
function(_archgrid_find_sources folder excluded out)
  set(sources "")
  set(found "")
  _archgrid_is_in_work_tree("${folder}" is_in_git)
  if(is_in_git)
    execute_process(COMMAND git -C "${folder}" -c core.quotePath=false ls-files --cached --others --exclude-standard
      OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
    _archgrid_masked_lines("${text}" found)
    list(REMOVE_DUPLICATES found)
  endif()
  if(found STREQUAL "") # not in a repository, or ignored by one around it
    _archgrid_find_below(found "${folder}" -name .git -prune -o -path "${excluded}" -prune -o ! -type d -print)
  endif()
  string(ASCII 1 2 3 4 masks)
  foreach(file IN LISTS found)
    if(file MATCHES "^\"")
      message(FATAL_ERROR
        "${folder}: cannot copy ${file}: rename it, without quotes, backslashes and control characters")
    endif()
    set(path "${file}")
    if(file MATCHES "[${masks}]") # few are, and calls take time
      _archgrid_unmask_list_syntax("${file}" path)
    endif()
    cmake_path(IS_PREFIX excluded "${folder}/${path}" NORMALIZE is_excluded)
    if(is_excluded)
      continue()
    elseif(IS_DIRECTORY "${folder}/${path}" AND NOT IS_SYMLINK "${folder}/${path}")
      string(REGEX REPLACE "/$" "" path "${path}")
      string(REGEX REPLACE "/$" "" file "${file}")
      if(EXISTS "${folder}/${path}/.git") # else a submodule that is not checked out
        _archgrid_find_sources("${folder}/${path}" "${excluded}" nested)
        list(TRANSFORM nested PREPEND "${file}/")
        list(APPEND sources ${nested})
      endif()
    elseif(EXISTS "${folder}/${path}" OR IS_SYMLINK "${folder}/${path}") # else: deleted
      list(APPEND sources "${file}")
    endif()
  endforeach()
  set(${out} "${sources}" PARENT_SCOPE)
endfunction()

# Sets OUT to the folders below FOLDER, itself too, in which a new file is a source: none in
# EXCLUDED, and none that git ignores.
function(_archgrid_find_source_folders folder excluded out)
  execute_process(COMMAND find -H "${folder}" -name .git -prune -o -path "${excluded}" -prune -o -type d -print
    OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  _archgrid_masked_lines("${text}" folders)
  _archgrid_mask_list_syntax("${folder}" folder_masked)
  _archgrid_is_in_work_tree("${folder}" is_in_git)
  if(is_in_git)
    file(WRITE "${BUILD}/command.folders" "${text}")
    # Exits with 128 for a folder in a submodule.
    execute_process(COMMAND git -C "${folder}" -c core.quotePath=false check-ignore --stdin
      INPUT_FILE "${BUILD}/command.folders" OUTPUT_VARIABLE ignored ERROR_QUIET)
    _archgrid_masked_lines("${ignored}" ignored)
    if(NOT folder_masked IN_LIST ignored) # else a repository around it ignores all of it
      list(REMOVE_ITEM folders ${ignored} "")
    endif()
  endif()
  set(${out} "${folders}" PARENT_SCOPE)
endfunction()

# Copies SOURCES of FROM to the folder TO, with their times. LIST names the file that records
# SOURCES: files that the project has no more are removed.
function(_archgrid_copy_sources from to sources list)
  set(before "")
  if(EXISTS "${list}")
    file(READ "${list}" before)
  endif()
  list(JOIN sources "\n" now)
  if(NOT before STREQUAL now)
    string(REGEX MATCHALL "[^\n]+" before "${before}")
    list(REMOVE_ITEM before ${sources} "")
    foreach(file IN LISTS before)
      _archgrid_unmask_list_syntax("${file}" path)
      file(REMOVE "${to}/${path}")
    endforeach()
  endif()
  file(MAKE_DIRECTORY "${to}")
  _archgrid_unmask_list_syntax("${now}" names)
  file(WRITE "${list}.names" "${names}\n")
  # One process for all files. cp --parents would copy the modes of read-only folders first. Format
  # and options keep fractions of seconds, and make no file of the copy a link to another.
  execute_process(
    COMMAND tar -C "${from}" --format=posix --hard-dereference --no-recursion --verbatim-files-from
    -T "${list}.names" -cf -
    COMMAND tar -C "${to}" --no-same-owner -pxf - RESULTS_VARIABLE results)
  # tar exits with 1 if a file changed meanwhile; the command then runs again next time.
  if(NOT results MATCHES "^[01];0$")
    message(FATAL_ERROR "cannot copy ${from} to ${to}: tar failed (${results})")
  endif()
  _archgrid_mend_links("${from}" "${to}" "${sources}")
  file(WRITE "${list}" "${now}")
endfunction()

# Lets each symbolic link in the copy TO mean what it means in FROM: another file of the copy, or a
# file outside of FROM, which a relative link would miss.
function(_archgrid_mend_links from to sources)
  _archgrid_find_below(links "${to}" -type l -print)
  set(others "${links}") # the command's own
  list(REMOVE_ITEM others ${sources} "")
  list(REMOVE_ITEM links ${others} "")
  foreach(file IN LISTS links)
    _archgrid_unmask_list_syntax("${file}" link)
    file(READ_SYMLINK "${from}/${link}" target)
    cmake_path(GET link PARENT_PATH folder)
    cmake_path(ABSOLUTE_PATH target BASE_DIRECTORY "${to}/${folder}" NORMALIZE OUTPUT_VARIABLE now)
    file(REAL_PATH "${from}" root)
    file(REAL_PATH "${from}/${folder}" real_folder)
    cmake_path(ABSOLUTE_PATH target BASE_DIRECTORY "${real_folder}" NORMALIZE OUTPUT_VARIABLE meant)
    cmake_path(IS_PREFIX root "${meant}" is_inside)
    if(is_inside)
      cmake_path(RELATIVE_PATH meant BASE_DIRECTORY "${root}" OUTPUT_VARIABLE inner)
      cmake_path(APPEND to "${inner}" OUTPUT_VARIABLE meant)
      cmake_path(NORMAL_PATH meant)
      if(NOT EXISTS "${meant}") # no source, such as a result of an earlier build
        continue()
      endif()
    endif()
    if(NOT meant STREQUAL now)
      file(CREATE_LINK "${meant}" "${to}/${link}" SYMBOLIC)
    endif()
  endforeach()
endfunction()

# Writes the depfile of STAMP: PATHS, absolute and masked.
function(_archgrid_write_depfile file stamp paths)
  list(JOIN paths "\n" text)
  _archgrid_unmask_list_syntax("${text}" text)
  if(text MATCHES "[^\n]*;[^\n]*")
    message(FATAL_ERROR "cannot watch ${CMAKE_MATCH_0}: rename it, without semicolons")
  endif()
  string(REGEX REPLACE "([ #])" "\\\\\\1" text "${text}")
  string(REPLACE "$" "$$" text "${text}")
  string(REPLACE "\n" " \\\n  " text "${text}")
  file(WRITE "${file}" "${stamp}: \\\n  ${text}\n")
endfunction()

# Removes everything in the tree BUILD that an earlier run of the command left: all but what was
# there before the first run, which LIST records.
function(_archgrid_remove_results build list)
  file(GLOB entries RELATIVE "${build}" "${build}/*" "${build}/.*")
  list(FILTER entries EXCLUDE REGEX "^(\\.|\\.\\.|command\\..*|\\.ninja_.*)$")
  if(NOT EXISTS "${list}")
    list(JOIN entries "\n" text)
    file(WRITE "${list}" "${text}")
    return()
  endif()
  file(READ "${list}" kept)
  string(REPLACE "\n" ";" kept "${kept}")
  list(APPEND kept archgrid.signature archgrid.targets)
  list(REMOVE_ITEM entries ${kept})
  foreach(entry IN LISTS entries)
    file(REMOVE_RECURSE "${build}/${entry}")
  endforeach()
endfunction()

# Fails if PROGRAM, the first word of the command, is neither on PATH nor, with a slash, in SOURCE.
function(_archgrid_expect_build_program program source)
  if(program MATCHES "/")
    cmake_path(ABSOLUTE_PATH program BASE_DIRECTORY "${source}" OUTPUT_VARIABLE path)
    if(EXISTS "${path}")
      return()
    endif()
    set(error "${program} of COMMAND does not exist, neither in the project's folder nor as an absolute path")
  else()
    find_program(path NAMES "${program}" PATHS ENV PATH NO_DEFAULT_PATH NO_CACHE)
    if(path)
      return()
    endif()
    set(error "${program} of COMMAND was not found on PATH: install it, or write its path")
  endif()
  # One line, for the cell's status: CMake wraps errors.
  message(NOTICE "error: ${error}")
  message(FATAL_ERROR "no program")
endfunction()

foreach(variable IN ITEMS GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE TORCH_CUDA_ARCH_LIST CUDAARCHS NVCC_GENCODE)
  unset(ENV{${variable}})
endforeach()
file(TOUCH "${BUILD}/command.begin") # edits from now on are newer than the stamp
file(SHA256 "${CONFIG}" config)
set(built "")
if(EXISTS "${BUILD}/command.config")
  file(READ "${BUILD}/command.config" built)
endif()
if(NOT command_incremental OR NOT config STREQUAL built)
  _archgrid_remove_results("${BUILD}" "${BUILD}/command.entries")
endif()
file(WRITE "${BUILD}/command.config" "${config}")
_archgrid_expect_gnu_tar()
_archgrid_find_sources("${command_source}" "${command_excluded}" sources)
if(sources STREQUAL "")
  # One line, for the cell's status: CMake wraps errors.
  message(NOTICE "error: ${command_source} has no files to build")
  message(FATAL_ERROR "no files")
endif()
_archgrid_copy_sources("${command_source}" "${BUILD}/source" "${sources}" "${BUILD}/command.sources")
_archgrid_find_source_folders("${command_source}" "${command_excluded}" folders)
_archgrid_mask_list_syntax("${command_source}/" prefix)
list(TRANSFORM sources PREPEND "${prefix}")
_archgrid_write_depfile("${BUILD}/command.d" command.stamp "${sources};${folders}")

foreach(folder IN ITEMS "${command_source}" "${BUILD}/source") # as in build_cell.cmake
  file(REAL_PATH "${folder}" folder)
  set(ENV{ARCHGRID_CELL_SOURCES} "$ENV{ARCHGRID_CELL_SOURCES}\n${folder}")
endforeach()
set(ENV{MAX_JOBS} "${command_jobs}")
set(ENV{CMAKE_BUILD_PARALLEL_LEVEL} "${command_jobs}")
if("$ENV{ARCHGRID_CELL_JOBS}" MATCHES "^-j([0-9]+)$") # else MAKEFLAGS has a jobserver
  set(ENV{MAKEFLAGS} "-j${CMAKE_MATCH_1}")
  set(ENV{MAX_JOBS} "${CMAKE_MATCH_1}")
  set(ENV{CMAKE_BUILD_PARALLEL_LEVEL} "${CMAKE_MATCH_1}")
endif()
set(ENV{PATH} "${command_path}:$ENV{PATH}")
if(NOT "${command_environment}" MATCHES "(^|;)PATH=")
  list(GET command_line 0 program)
  _archgrid_expect_build_program("${program}" "${BUILD}/source")
endif()
execute_process(COMMAND "${CMAKE_COMMAND}" -E env ${command_environment} -- ${command_line}
  WORKING_DIRECTORY "${BUILD}/source" RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  list(JOIN command_line " " line)
  message(FATAL_ERROR "the build command failed (${result}): ${line}")
endif()
file(RENAME "${BUILD}/command.begin" "${BUILD}/command.stamp")
