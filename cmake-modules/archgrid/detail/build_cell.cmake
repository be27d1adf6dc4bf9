# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# cmake -DCONFIG=<tree>/cells/<id>.config.cmake -DCOMMAND=<archgrid> -P build_cell.cmake
#
# Configures one cell if necessary, builds it, and records the outcome in <tree>/cells/<id>.json. A
# failing cell does not fail this step: a broken cell must stop neither other cells nor the tests;
# its status makes the test <id>/BUILT fail. During the build the status is `building`, so a killed
# build never looks like a successful one. A killed step does not stop other cells either: `archgrid
# build-cells` removes a status that is not `building`.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/artifacts.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/cell_status.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/due_work.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/first_error.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/missing_libraries.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/outside.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/prove_cell.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/share_jobs.cmake")
# Sets cell_id, cell_source, cell_detection, cell_cache, cell_signature, cell_ninja, cell_jobs,
# cell_flock, cell_targets, cell_root, cell_cuda, cell_archs.
include("${CONFIG}")

get_filename_component(cells "${CONFIG}" DIRECTORY)
get_filename_component(tree "${cells}" DIRECTORY)
set(build "${cells}/${cell_id}")
set(log "${cells}/${cell_id}.log")
set(status_file "${cells}/${cell_id}.json")
string(TIMESTAMP begin "%s%f" UTC)

# A child process does the work: an error that ends it early (a full disk, say) then fails this
# cell.
if(NOT WORK)
  execute_process(COMMAND "${CMAKE_COMMAND}" "-DCONFIG=${CONFIG}" "-DCOMMAND=${COMMAND}" -DWORK=ON -P "${CMAKE_CURRENT_LIST_FILE}"
    RESULT_VARIABLE result ERROR_VARIABLE error)
  if(NOT result EQUAL 0)
    string(REGEX REPLACE "[ \n]+" " " error "${error}")
    message(STATUS "${cell_id}: failed: ${error}")
    _archgrid_write_cell_status("${status_file}" ID "${cell_id}" STATUS failed STEP build
      LOG "cells/${cell_id}.log" REASON "its build step ended with ${result}: ${error}")
  endif()
  return()
endif()

_archgrid_enter_toolkit("${cell_root}")
set(ENV{NINJA_STATUS} "[%f/%t] ") # the progress display parses this

# Sets OUT to "; the compiler cache failed on 3 units: <the first reason>" if the log reports so, else to
# nothing. Such units are compiled by nvcc alone: correct, but slower.
function(_archgrid_cache_failures out)
  set(${out} "" PARENT_SCOPE)
  if(NOT EXISTS "${log}")
    return()
  endif()
  file(STRINGS "${log}" lines REGEX "^archgrid: (s?ccache) failed, |compiling locally instead")
  list(LENGTH lines count)
  if(count EQUAL 0)
    return()
  endif()
  list(GET lines 0 first)
  string(REGEX REPLACE "^archgrid: s?ccache failed, nvcc compiled .* alone: " "" first "${first}")
  set(units units)
  if(count EQUAL 1)
    set(units unit)
  endif()
  set(${out} "; the compiler cache failed on ${count} ${units}: ${first}" PARENT_SCOPE)
endfunction()

# Records STATUS and prints it in one line.
function(_archgrid_record_end status step reason)
  string(TIMESTAMP end "%s%f" UTC)
  _archgrid_seconds_between(${begin} ${end} seconds)
  _archgrid_write_cell_status("${status_file}" ID "${cell_id}" STATUS ${status} STEP "${step}"
    SECONDS ${seconds} LOG "cells/${cell_id}.log" REASON "${reason}" SIGNATURE "${cell_signature}" NINJA "${ninja_state}" DUE "${due}"
    ARTIFACTS ${artifacts} HANDMADE ${handmade} UNNAMED ${unnamed} EXCLUDED ${excluded} UNAUDITED ${unaudited}
    COMPILED_BY_CMAKE "${compiled_by_cmake}" DEVICE_CODE "${proof_DEVICE_CODE}" NOTES ${proof_NOTES})
  _archgrid_mark_if_stale("${tree}" "${cell_id}")
  if("${status}" STREQUAL "built")
    _archgrid_cache_failures(failures)
    message(STATUS "${cell_id}: built in ${seconds} s${failures}")
  else()
    message(STATUS "${cell_id}: ${status} (${step}) after ${seconds} s: ${reason}")
  endif()
endfunction()

# Records how the cell ended, and ends the step. REASON must not contain characters that a macro
# would evaluate.
macro(_archgrid_end_cell status step reason)
  _archgrid_record_end("${status}" "${step}" "${reason}")
  return()
endmacro()

# Ends the step of a cell that fails to configure: reports WHAT, with the first error in the log.
macro(_archgrid_end_unconfigured what text_variable)
  _archgrid_first_configure_error("${${text_variable}}" "${cell_source};${build}" error)
  _archgrid_missing_libraries("${error}" "${cell_root}" advice)
  _archgrid_record_end(failed configure "${what}: ${error}${advice}")
  return()
endmacro()

# Sets OUT to a hash of the Ninja graph and of the Ninja log of the tree BUILD. The log covers every
# build in the tree, whoever ran it.
function(_archgrid_hash_ninja build out)
  set(hashes "")
  foreach(file IN ITEMS build.ninja .ninja_log)
    if(EXISTS "${build}/${file}")
      file(SHA256 "${build}/${file}" hash)
      string(APPEND hashes " ${hash}")
    endif()
  endforeach()
  string(SHA256 hash "${hashes}")
  set(${out} "${hash}" PARENT_SCOPE)
endfunction()

# Ends the step if the Ninja output in the variable SAID reports no work, and nobody has built in
# the tree since the cell was judged, by hand or in a test. The last recorded status then still
# holds, with its duration.
macro(_archgrid_end_if_idle said)
  set(is_idle FALSE)
  if(before_STATUS STREQUAL "built" AND before_RULES STREQUAL _archgrid_cell_rules AND configured STREQUAL cell_signature
      AND before_NINJA STREQUAL ninja_state AND ${said} MATCHES "ninja: no work to do" AND NOT ${said} MATCHES "Re-running CMake")
    set(is_idle TRUE)
  endif()
  foreach(path IN LISTS before_UNNAMED) # Ninja does not miss these
    if(NOT EXISTS "${build}/${path}")
      set(is_idle FALSE)
    endif()
  endforeach()
  if(is_idle)
    _archgrid_write_cell_status("${status_file}" ID "${cell_id}" STATUS built SECONDS ${before_SECONDS}
      LOG "cells/${cell_id}.log" SIGNATURE "${cell_signature}" NINJA "${ninja_state}" DUE "${before_DUE}"
      ARTIFACTS ${before_ARTIFACTS} HANDMADE ${before_HANDMADE} UNNAMED ${before_UNNAMED} EXCLUDED ${before_EXCLUDED} UNAUDITED ${before_UNAUDITED}
      COMPILED_BY_CMAKE "${before_COMPILED_BY_CMAKE}" DEVICE_CODE "${before_DEVICE_CODE}" NOTES ${before_NOTES})
    _archgrid_mark_if_stale("${tree}" "${cell_id}")
    return()
  endif()
endmacro()

# Builds the cell's goals, and appends Ninja's output to the log.
macro(_archgrid_make_or_end)
  execute_process(COMMAND "${cell_ninja}" -C "${build}" ${jobs} -k 0 ${goals}
    OUTPUT_FILE "${log}.ninja" ERROR_FILE "${log}.ninja" RESULT_VARIABLE result)
  file(READ "${log}.ninja" ninja_log)
  file(APPEND "${log}" "${ninja_log}")
  file(REMOVE "${log}.ninja")
  if(NOT result EQUAL 0)
    if(ninja_log MATCHES "ninja: error: rebuilding 'build.ninja'")
      _archgrid_end_unconfigured("its CMake project does not configure any more" ninja_log)
    endif()
    _archgrid_first_build_error("${ninja_log}" "${cell_source};${build}" error)
    _archgrid_missing_libraries("${error}" "${cell_root}" advice)
    _archgrid_record_end(failed build "${error}${advice}")
    return()
  endif()
endmacro()

# Ends the step if the cell compiles, or will compile, something other than what it is asked for.
macro(_archgrid_prove_or_end stage)
  _archgrid_prove_cell("${COMMAND}" ${stage} "${build}" "${goals}" found proof)
  if(proof_STEP)
    file(APPEND "${log}" "FAILED: ${proof_REASON}\n")
    _archgrid_record_end(failed "${proof_STEP}" "${proof_REASON}")
    return()
  endif()
endmacro()

# Configures the cell's tree without its cache, and sets OUT to the result. Options get the defaults
# of the current project, and entries set by hand disappear; objects stay.
macro(_archgrid_configure_cell out)
  file(REMOVE "${build}/CMakeCache.txt")
  file(WRITE "${cells}/${cell_id}.cache.cmake" "${cell_cache}")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -C "${cell_detection}/seed.cmake" -C "${cells}/${cell_id}.cache.cmake" -G Ninja
      "-DCMAKE_MAKE_PROGRAM=${cell_ninja}" -S "${cell_source}" -B "${build}"
    OUTPUT_FILE "${log}" ERROR_FILE "${log}" RESULT_VARIABLE ${out})
endmacro()

# Ends the step if a target writes outside the cell's tree.
macro(_archgrid_refuse_outside)
  _archgrid_find_outside("${build}" "${cell_ninja}" "${goals}" "${cell_source}" outside)
  if(outside)
    list(JOIN outside "\n  " lines)
    file(APPEND "${log}" "FAILED: outside the cell's tree:\n  ${lines}\n")
    list(GET outside 0 first)
    _archgrid_end_cell(failed artifacts "${first}")
  endif()
endmacro()

_archgrid_read_cell_status("${status_file}" before)
_archgrid_write_cell_status("${status_file}" ID "${cell_id}" STATUS building)
set(artifacts "")
set(handmade "")
set(unnamed "")
set(excluded "")
set(unaudited "")
set(compiled_by_cmake TRUE)
set(ninja_state "")
set(due "")
set(proof_DEVICE_CODE "")
set(proof_NOTES "")
set(goals all)
if(cell_targets)
  set(goals ${cell_targets})
endif()
file(REMOVE "${cells}/${cell_id}.jobs") # from the last build

if(NOT EXISTS "${cell_detection}/seed.cmake")
  file(COPY_FILE "${cell_detection}.log" "${log}")
  _archgrid_end_cell(failed detect "CMake could not use this toolkit's compilers")
endif()

# Configures a tree from scratch if any of its inputs has changed, or if an earlier configure did
# not finish: the signature is written last.
set(signature_file "${build}/archgrid.signature")
set(configured "")
if(EXISTS "${signature_file}")
  file(READ "${signature_file}" configured)
endif()
# The log of a built cell stays if nothing turns out to be due.
if(NOT before_STATUS STREQUAL "built" OR NOT configured STREQUAL cell_signature)
  file(REMOVE "${log}")
endif()
if(NOT configured STREQUAL cell_signature OR NOT EXISTS "${build}/build.ninja" OR NOT EXISTS "${build}/CMakeCache.txt")
  file(REMOVE_RECURSE "${build}")
  file(MAKE_DIRECTORY "${build}")
  file(COPY "${cell_detection}/CMakeFiles" DESTINATION "${build}")
  file(WRITE "${build}/.cmake/api/v1/query/client-archgrid/codemodel-v2" "")
  _archgrid_configure_cell(result)
  if(NOT result EQUAL 0)
    file(READ "${log}" configure_log)
    _archgrid_end_unconfigured("its CMake project does not configure" configure_log)
  endif()
  file(WRITE "${signature_file}" "${cell_signature}")
endif()

# A dry run first: sharing the processors takes a moment, which an up-to-date tree need not spend.
execute_process(COMMAND "${cell_ninja}" -C "${build}" -n ${goals} OUTPUT_VARIABLE dry_run ERROR_QUIET)
_archgrid_hash_ninja("${build}" ninja_state)
_archgrid_end_if_idle(dry_run)
set(is_configuring_due FALSE)
if(dry_run MATCHES "Re-running CMake") # globs of CONFIGURE_DEPENDS always cause this
  _archgrid_is_configuring_due("${cell_ninja}" "${build}" is_configuring_due)
endif()
if(before_STATUS STREQUAL "built" AND configured STREQUAL cell_signature)
  file(REMOVE "${log}")
endif()

# Checks before anything is compiled. A cell that was built has passed these checks, unless the
# project was edited since, or somebody else built in the tree.
if(NOT before_STATUS STREQUAL "built" OR NOT configured STREQUAL cell_signature OR NOT before_NINJA STREQUAL ninja_state
    OR is_configuring_due)
  set(result 0)
  if(configured STREQUAL cell_signature) # otherwise it has just been configured
    _archgrid_configure_cell(result)
  endif()
  if(NOT result EQUAL 0)
    file(READ "${log}" configure_log)
    _archgrid_end_unconfigured("its CMake project does not configure any more" configure_log)
  endif()
  _archgrid_find_unknown_goals("${build}" "${cell_targets}" unknown)
  if(unknown)
    _archgrid_end_cell(failed configure "${unknown}")
  endif()
  _archgrid_refuse_outside()
  _archgrid_prove_or_end(configured)
endif()

_archgrid_jobs_argument("${tree}" "${cell_id}" "${cell_jobs}" "${cell_flock}" "${cell_ninja}" jobs)
_archgrid_make_or_end()
set(first_log "${ninja_log}")
_archgrid_write_still_graph("${cell_ninja}" "${build}" "${goals}")
_archgrid_find_due_work("${cell_ninja}" "${build}" "${goals}" due edited)
if(edited) # during the build
  set(first_due "${due}")
  _archgrid_make_or_end()
  _archgrid_write_still_graph("${cell_ninja}" "${build}" "${goals}")
  _archgrid_find_due_work("${cell_ninja}" "${build}" "${goals}" due edited)
  # Edited once more. (If the same work is due again, a file is dated in the future, say.)
  if(edited AND NOT due STREQUAL first_due)
    set(due "")
  endif()
endif()

_archgrid_hash_ninja("${build}" ninja_state) # before judging: later changes are judged next time
if(NOT is_configuring_due) # else a target may have vanished without leaving work to do
  _archgrid_end_if_idle(first_log)
endif()
_archgrid_refuse_outside() # configuring again during the build may have changed this
_archgrid_find_artifacts("${build}" "${cell_ninja}" "${goals}" "${cell_source}" "${COMMAND}" found)
set(artifacts "${found_ARTIFACTS}")
set(handmade ${found_STRAYS} ${found_PACKAGES})
set(unnamed "${found_UNNAMED}")
set(excluded "${found_EXCLUDED}")
set(unaudited "${found_UNAUDITED}")
set(compiled_by_cmake "${found_COMPILED_BY_CMAKE}")
if(found_LOST)
  list(JOIN found_LOST "\n  " places)
  file(APPEND "${log}" "FAILED: targets that were built and whose files are not where CMake says:\n  ${places}\n")
  list(GET found_LOST 0 first)
  string(REGEX MATCH "^(.*): (.*)$" first "${first}")
  _archgrid_end_cell(failed artifacts "no audit can see ${CMAKE_MATCH_2}, which target ${CMAKE_MATCH_1} made and which is not there after the build. Leave it where CMake puts it, and copy instead of moving")
endif()
_archgrid_prove_or_end(built)
# A file that the build may have written is not known to be prebuilt.
foreach(path IN LISTS proof_OUTSIDE)
  list(REMOVE_ITEM unaudited "prebuilt:${path}")
  list(APPEND unaudited "outside:${path}")
endforeach()
_archgrid_end_cell(built "" "")
