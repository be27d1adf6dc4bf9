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
# Sets the record of the cell: cell_id, cell_source, cell_detection, cell_cache, cell_signature,
# cell_ninja, cell_jobs, cell_flock, cell_targets, cell_root, cell_cuda, cell_archs,
# cell_from_scratch.
include("${CONFIG}")

get_filename_component(cell_folder "${CONFIG}" DIRECTORY)
get_filename_component(cell_tree "${cell_folder}" DIRECTORY)
set(cell_build "${cell_folder}/${cell_id}")
set(cell_log "${cell_folder}/${cell_id}.log")
set(cell_status_file "${cell_folder}/${cell_id}.json")
set(cell_goals all)
if(cell_targets)
  set(cell_goals ${cell_targets})
endif()
string(TIMESTAMP cell_begin "%s%f" UTC)

# A child process does the work: an error that ends it early (a full disk, say) then fails this
# cell.
if(NOT WORK)
  execute_process(COMMAND "${CMAKE_COMMAND}" "-DCONFIG=${CONFIG}" "-DCOMMAND=${COMMAND}" -DWORK=ON
    -P "${CMAKE_CURRENT_LIST_FILE}"
    RESULT_VARIABLE result ERROR_VARIABLE error)
  if(NOT result EQUAL 0)
    string(REGEX REPLACE "[ \n]+" " " error "${error}")
    message(STATUS "${cell_id}: failed: ${error}")
    _archgrid_write_cell_status("${cell_status_file}" ID "${cell_id}" STATUS failed STEP build
      LOG "cells/${cell_id}.log" REASON "its build step ended with ${result}: ${error}")
  endif()
  return()
endif()

_archgrid_enter_toolkit("${cell_root}")
# The sources of this cell and of those around it, a path a line: a matrix in a cell must not build
# them again.
file(REAL_PATH "${cell_source}" cell_real_source)
set(ENV{ARCHGRID_CELL_SOURCES} "$ENV{ARCHGRID_CELL_SOURCES}\n${cell_real_source}")
set(ENV{NINJA_STATUS} "[%f/%t] ") # the progress display parses this

# Sets OUT to "; the compiler cache failed on 3 units: <the first reason>" if LOG reports so, else
# to nothing. Such units are compiled by nvcc alone: correct, but slower.
function(_archgrid_cache_failures log out)
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

# Writes the status of the record CELL. The record FACTS has the rest, in the fields that
# _archgrid_read_cell_status() sets.
function(_archgrid_record_status cell facts status step seconds reason)
  _archgrid_write_cell_status("${${cell}_status_file}" ID "${${cell}_id}" STATUS ${status} STEP "${step}"
    SECONDS ${seconds} LOG "cells/${${cell}_id}.log" REASON "${reason}" SIGNATURE "${${cell}_signature}"
    NINJA "${${facts}_NINJA}" DUE "${${facts}_DUE}" ARTIFACTS ${${facts}_ARTIFACTS} HANDMADE ${${facts}_HANDMADE}
    UNNAMED ${${facts}_UNNAMED} EXCLUDED ${${facts}_EXCLUDED} UNAUDITED ${${facts}_UNAUDITED}
    COMPILED_BY_CMAKE "${${facts}_COMPILED_BY_CMAKE}" DEVICE_CODE "${${facts}_DEVICE_CODE}" NOTES ${${facts}_NOTES})
  _archgrid_mark_if_stale("${${cell}_tree}" "${${cell}_id}")
endfunction()

# Records how the record CELL ended, with FACTS, and prints it in one line.
function(_archgrid_record_end cell facts status step reason)
  string(TIMESTAMP end "%s%f" UTC)
  _archgrid_seconds_between(${${cell}_begin} ${end} seconds)
  _archgrid_record_status(${cell} ${facts} ${status} "${step}" ${seconds} "${reason}")
  file(TOUCH "${${cell}_tree}/cells/${${cell}_id}.end") # for report_cells.cmake
  if("${status}" STREQUAL "built")
    _archgrid_cache_failures("${${cell}_log}" failures)
    message(STATUS "${${cell}_id}: built in ${seconds} s${failures}")
  else()
    message(STATUS "${${cell}_id}: ${status} (${step}) after ${seconds} s: ${reason}")
  endif()
endfunction()

# Sets OUT to the reason of a record CELL that fails to configure: WHAT, with the first error in
# TEXT.
function(_archgrid_describe_unconfigured cell what text out)
  _archgrid_first_configure_error("${text}" "${${cell}_source};${${cell}_build}" error)
  _archgrid_missing_libraries("${error}" "${${cell}_root}" advice)
  set(${out} "${what}: ${error}${advice}" PARENT_SCOPE)
endfunction()

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

# Reports whether Ninja, which printed SAID, found no work in the tree of the record CELL,
# CONFIGURED with that signature, and nobody has built in it since the cell was judged, by hand or
# in a test: NINJA_STATE is that of the record BEFORE. The recorded status then still holds, with
# its duration.
function(_archgrid_is_idle cell before configured ninja_state said out)
  set(is_idle FALSE)
  get_property(rules GLOBAL PROPERTY ARCHGRID_CELL_RULES)
  if(${before}_STATUS STREQUAL "built" AND ${before}_RULES STREQUAL rules
      AND configured STREQUAL "${${cell}_signature}" AND ${before}_NINJA STREQUAL ninja_state
      AND said MATCHES "ninja: no work to do" AND NOT said MATCHES "Re-running CMake")
    set(is_idle TRUE)
  endif()
  foreach(path IN LISTS ${before}_UNNAMED) # Ninja does not miss these
    if(NOT EXISTS "${${cell}_build}/${path}")
      set(is_idle FALSE)
    endif()
  endforeach()
  set(${out} ${is_idle} PARENT_SCOPE)
endfunction()

# Builds the goals of the record CELL, and appends Ninja's output to the log. Sets LOG_OUT to that
# output, and FAILURE_OUT to the error or to nothing.
function(_archgrid_make cell jobs log_out failure_out)
  set(log "${${cell}_log}")
  list(JOIN jobs "" jobs_option) # empty with a jobserver
  set(ENV{ARCHGRID_CELL_JOBS} "${jobs_option}") # for command_cell/run.cmake
  execute_process(COMMAND "${${cell}_ninja}" -C "${${cell}_build}" ${jobs} -k 0 ${${cell}_goals}
    OUTPUT_FILE "${log}.ninja" ERROR_FILE "${log}.ninja" RESULT_VARIABLE result)
  file(READ "${log}.ninja" ninja_log)
  file(APPEND "${log}" "${ninja_log}")
  file(REMOVE "${log}.ninja")
  set(${log_out} "${ninja_log}" PARENT_SCOPE)
  set(${failure_out}_STEP "" PARENT_SCOPE)
  if(result EQUAL 0)
    return()
  endif()
  set(step build)
  if(ninja_log MATCHES "ninja: error: rebuilding 'build.ninja'")
    set(step configure)
    _archgrid_describe_unconfigured(${cell} "its CMake project does not configure any more" "${ninja_log}" reason)
  else()
    _archgrid_first_build_error("${ninja_log}" "${${cell}_source};${${cell}_build}" error)
    _archgrid_missing_libraries("${error}" "${${cell}_root}" advice)
    set(reason "${error}${advice}")
  endif()
  set(${failure_out}_STEP ${step} PARENT_SCOPE)
  set(${failure_out}_REASON "${reason}" PARENT_SCOPE)
endfunction()

# Judges the record CELL at STAGE, for which FOUND is as in _archgrid_prove_cell(). Sets
# <facts>_NOTES, _DEVICE_CODE and _OUTSIDE. Sets <failure>_STEP and <failure>_REASON if the cell
# compiles, or will compile, something other than what it is asked for; else <failure>_STEP is
# empty.
function(_archgrid_prove cell stage found facts failure)
  foreach(field IN ITEMS NOTES DEVICE_CODE OUTSIDE)
    set(proof_${field} "")
  endforeach()
  _archgrid_prove_cell(${cell} "${COMMAND}" ${stage} ${found} proof)
  foreach(field IN ITEMS NOTES DEVICE_CODE OUTSIDE)
    set(${facts}_${field} "${proof_${field}}" PARENT_SCOPE)
  endforeach()
  if(proof_STEP)
    file(APPEND "${${cell}_log}" "FAILED: ${proof_REASON}\n")
  endif()
  set(${failure}_STEP "${proof_STEP}" PARENT_SCOPE)
  set(${failure}_REASON "${proof_REASON}" PARENT_SCOPE)
endfunction()

# Configures the tree of the record CELL without its cache; objects stay. Options get the defaults
# of the current project, and entries set by hand disappear. Sets OUT to the reason, which begins
# with WHAT, if that fails, else to nothing.
function(_archgrid_configure_cell cell what out)
  set(build "${${cell}_build}")
  set(log "${${cell}_log}")
  set(cache "${${cell}_folder}/${${cell}_id}.cache.cmake")
  file(REMOVE "${build}/CMakeCache.txt")
  file(WRITE "${cache}" "${${cell}_cache}")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -C "${${cell}_detection}/seed.cmake" -C "${cache}" -G Ninja
      "-DCMAKE_MAKE_PROGRAM=${${cell}_ninja}" -S "${${cell}_source}" -B "${build}"
    OUTPUT_FILE "${log}" ERROR_FILE "${log}" RESULT_VARIABLE result)
  set(reason "")
  if(NOT result EQUAL 0)
    file(READ "${log}" text)
    _archgrid_describe_unconfigured(${cell} "${what}" "${text}" reason)
  endif()
  set(${out} "${reason}" PARENT_SCOPE)
endfunction()

# Sets OUT to the error if a target of the record CELL writes outside the cell's tree, else to
# nothing.
function(_archgrid_refuse_outside cell out)
  set(first "")
  _archgrid_find_outside("${${cell}_build}" "${${cell}_ninja}" "${${cell}_goals}" "${${cell}_source}" outside)
  if(NOT outside STREQUAL "")
    list(JOIN outside "\n  " lines)
    file(APPEND "${${cell}_log}" "FAILED: outside the cell's tree:\n  ${lines}\n")
    list(GET outside 0 first)
  endif()
  set(${out} "${first}" PARENT_SCOPE)
endfunction()

# Sets OUT to the error if the record CELL lost the file of a target during the build: LOST are the
# lines of _archgrid_find_artifacts(). Sets it to nothing if there are none.
function(_archgrid_refuse_lost cell lost out)
  set(${out} "" PARENT_SCOPE)
  if(NOT lost STREQUAL "")
    list(JOIN lost "\n  " places)
    file(APPEND "${${cell}_log}"
      "FAILED: targets that were built and whose files are not where CMake says:\n  ${places}\n")
    list(GET lost 0 first)
    string(REGEX MATCH "^(.*): (.*)$" first "${first}")
    set(${out}
      "no audit can see ${CMAKE_MATCH_2}, which target ${CMAKE_MATCH_1} made and which is not there after the build. Leave it where CMake puts it, and copy instead of moving" PARENT_SCOPE)
  endif()
endfunction()

_archgrid_read_cell_status("${cell_status_file}" before)
_archgrid_write_cell_status("${cell_status_file}" ID "${cell_id}" STATUS building)
foreach(field IN ITEMS ARTIFACTS HANDMADE UNNAMED EXCLUDED UNAUDITED NINJA DUE DEVICE_CODE NOTES)
  set(facts_${field} "")
endforeach()
set(facts_COMPILED_BY_CMAKE TRUE)
file(REMOVE "${cell_folder}/${cell_id}.jobs") # from the last build

if(NOT EXISTS "${cell_detection}/seed.cmake")
  file(COPY_FILE "${cell_detection}.log" "${cell_log}")
  _archgrid_record_end(cell facts failed detect "CMake could not use this toolkit's compilers")
  return()
endif()

# Configures a tree from scratch if any of its inputs has changed, or if an earlier configure did
# not finish: the signature is written last.
set(signature_file "${cell_build}/archgrid.signature")
set(configured "")
if(EXISTS "${signature_file}")
  file(READ "${signature_file}" configured)
endif()
# The log of a built cell stays if nothing turns out to be due.
if(NOT before_STATUS STREQUAL "built" OR NOT configured STREQUAL cell_signature)
  file(REMOVE "${cell_log}")
endif()
if(NOT configured STREQUAL cell_signature OR NOT EXISTS "${cell_build}/build.ninja"
    OR NOT EXISTS "${cell_build}/CMakeCache.txt")
  file(REMOVE_RECURSE "${cell_build}")
  file(MAKE_DIRECTORY "${cell_build}")
  file(COPY "${cell_detection}/CMakeFiles" DESTINATION "${cell_build}")
  file(WRITE "${cell_build}/.cmake/api/v1/query/client-archgrid/codemodel-v2" "")
  _archgrid_configure_cell(cell "its CMake project does not configure" reason)
  if(NOT reason STREQUAL "")
    _archgrid_record_end(cell facts failed configure "${reason}")
    return()
  endif()
  file(WRITE "${signature_file}" "${cell_signature}")
endif()

# A dry run first: sharing the processors takes a moment, which an up-to-date tree need not spend.
execute_process(COMMAND "${cell_ninja}" -C "${cell_build}" -n ${cell_goals} OUTPUT_VARIABLE dry_run ERROR_QUIET)
_archgrid_hash_ninja("${cell_build}" facts_NINJA)
_archgrid_is_idle(cell before "${configured}" "${facts_NINJA}" "${dry_run}" is_idle)
if(is_idle)
  _archgrid_record_status(cell before built "" "${before_SECONDS}" "")
  return()
endif()
set(is_configuring_due FALSE)
if(dry_run MATCHES "Re-running CMake") # globs of CONFIGURE_DEPENDS always cause this
  _archgrid_is_configuring_due("${cell_ninja}" "${cell_build}" is_configuring_due)
endif()
if(before_STATUS STREQUAL "built" AND configured STREQUAL cell_signature)
  file(REMOVE "${cell_log}")
endif()

# Checks before anything is compiled. A cell that was built has passed these checks, unless the
# project was edited since, or somebody else built in the tree.
if(NOT before_STATUS STREQUAL "built" OR NOT configured STREQUAL cell_signature OR NOT before_NINJA STREQUAL facts_NINJA
    OR is_configuring_due)
  set(reason "")
  if(configured STREQUAL cell_signature) # otherwise it has just been configured
    _archgrid_configure_cell(cell "its CMake project does not configure any more" reason)
  endif()
  if(reason STREQUAL "")
    _archgrid_find_unknown_goals("${cell_build}" "${cell_targets}" reason)
  endif()
  if(NOT reason STREQUAL "")
    _archgrid_record_end(cell facts failed configure "${reason}")
    return()
  endif()
  _archgrid_refuse_outside(cell reason)
  if(NOT reason STREQUAL "")
    _archgrid_record_end(cell facts failed artifacts "${reason}")
    return()
  endif()
  _archgrid_prove(cell configured none facts failure)
  if(failure_STEP)
    _archgrid_record_end(cell facts failed "${failure_STEP}" "${failure_REASON}")
    return()
  endif()
endif()

_archgrid_jobs_argument("${cell_tree}" "${cell_id}" "${cell_jobs}" "${cell_flock}" "${cell_ninja}" jobs)
_archgrid_make(cell "${jobs}" first_log failure)
set(edited FALSE)
if(NOT failure_STEP)
  _archgrid_write_still_graph("${cell_ninja}" "${cell_build}" "${cell_goals}")
  _archgrid_find_due_work("${cell_ninja}" "${cell_build}" "${cell_goals}" facts_DUE edited)
endif()
if(edited) # during the build
  set(first_due "${facts_DUE}")
  _archgrid_make(cell "${jobs}" second_log failure)
  if(NOT failure_STEP)
    _archgrid_write_still_graph("${cell_ninja}" "${cell_build}" "${cell_goals}")
    _archgrid_find_due_work("${cell_ninja}" "${cell_build}" "${cell_goals}" facts_DUE edited)
    # Edited once more. (If the same work is due again, a file is dated in the future, say.)
    if(edited AND NOT facts_DUE STREQUAL first_due)
      set(facts_DUE "")
    endif()
  endif()
endif()
if(failure_STEP)
  _archgrid_record_end(cell facts failed "${failure_STEP}" "${failure_REASON}")
  return()
endif()

# Before judging: later changes are judged next time.
_archgrid_hash_ninja("${cell_build}" facts_NINJA)
if(NOT is_configuring_due) # else a target may have vanished without leaving work to do
  _archgrid_is_idle(cell before "${configured}" "${facts_NINJA}" "${first_log}" is_idle)
  if(is_idle)
    _archgrid_record_status(cell before built "" "${before_SECONDS}" "")
    return()
  endif()
endif()
_archgrid_refuse_outside(cell reason) # configuring again during the build may have changed this
if(NOT reason STREQUAL "")
  _archgrid_record_end(cell facts failed artifacts "${reason}")
  return()
endif()
_archgrid_find_artifacts("${cell_build}" "${cell_ninja}" "${cell_goals}" "${cell_source}" "${COMMAND}" found)
foreach(field IN ITEMS ARTIFACTS UNNAMED EXCLUDED UNAUDITED COMPILED_BY_CMAKE)
  set(facts_${field} "${found_${field}}")
endforeach()
set(facts_HANDMADE ${found_STRAYS} ${found_PACKAGES})
if(cell_from_scratch)
  set(facts_UNNAMED "") # nothing is left over
endif()
_archgrid_refuse_lost(cell "${found_LOST}" reason)
if(NOT reason STREQUAL "")
  _archgrid_record_end(cell facts failed artifacts "${reason}")
  return()
endif()
_archgrid_prove(cell built found facts failure)
if(failure_STEP)
  _archgrid_record_end(cell facts failed "${failure_STEP}" "${failure_REASON}")
  return()
endif()
# A file that the build may have written is not known to be prebuilt.
foreach(path IN LISTS facts_OUTSIDE)
  list(REMOVE_ITEM facts_UNAUDITED "prebuilt:${path}")
  list(APPEND facts_UNAUDITED "outside:${path}")
endforeach()
_archgrid_record_end(cell facts built "" "")
