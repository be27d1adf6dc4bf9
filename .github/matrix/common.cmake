# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Functions of the steps of matrix.yml, which are scripts for `cmake -P`: GPU runners have CMake, and
# its JSON reader. The steps start in the workspace, which has
#   project/  a checkout of the caller        archgrid/  a checkout of this repository
#   plan/     jobs.json and archgrid.tar.zst  bundles/   a folder for each artifact of a build job
#   results/  what this job uploads: outcome, which is `passed` or `failed` with a reason in the
#             next line, and files for people
include_guard(GLOBAL)
cmake_policy(VERSION 3.25...4.0)
cmake_path(SET ARCHGRID_ROOT NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../..")

# matrix_variable(<out> <name>): sets <out> to the environment variable <name>; fails if it is empty.
function(matrix_variable out name)
  if("$ENV{${name}}" STREQUAL "")
    message(FATAL_ERROR "${CMAKE_SCRIPT_MODE_FILE}: the variable ${name} is empty: set it in the step's env")
  endif()
  set(${out} "$ENV{${name}}" PARENT_SCOPE)
endfunction()

# matrix_list(<out> <json> <member>): sets <out> to an array of strings of <json>.
function(matrix_list out json member)
  set(items "")
  string(JSON count LENGTH "${json}" "${member}")
  set(index 0)
  while(index LESS count)
    string(JSON item GET "${json}" "${member}" ${index})
    list(APPEND items "${item}")
    math(EXPR index "${index} + 1")
  endwhile()
  set(${out} "${items}" PARENT_SCOPE)
endfunction()

# matrix_jobs(<out> <build|test>): sets <out> to the names of these jobs in plan/jobs.json, and
# <out>_<name> to the JSON of each.
function(matrix_jobs out kind)
  file(READ plan/jobs.json jobs)
  set(names "")
  string(JSON count LENGTH "${jobs}" ${kind})
  set(index 0)
  while(index LESS count)
    string(JSON job GET "${jobs}" ${kind} ${index})
    string(JSON name GET "${job}" name)
    list(APPEND names "${name}")
    set(${out}_${name} "${job}" PARENT_SCOPE)
    math(EXPR index "${index} + 1")
  endwhile()
  set(${out} "${names}" PARENT_SCOPE)
endfunction()

# matrix_job(<out> <build|test> <name>): sets <out> to the JSON of the job <name> of the plan.
function(matrix_job out kind name)
  matrix_jobs(jobs ${kind})
  if(NOT name IN_LIST jobs)
    message(FATAL_ERROR "plan/jobs.json: no ${kind} job ${name}: run jobs of the matrix that the plan printed")
  endif()
  set(${out} "${jobs_${name}}" PARENT_SCOPE)
endfunction()

# matrix_unpack(<label>): unpacks what lies in bundles/ into the new folder cells, and sets <label>
# to why that failed, or to nothing.
function(matrix_unpack out)
  file(REMOVE_RECURSE cells) # of an earlier job on this runner
  file(GLOB archives bundles/*/cells.tar.zst)
  if(NOT archives)
    set(${out} "no cells arrived: the jobs that build them failed" PARENT_SCOPE)
    return()
  endif()
  execute_process(COMMAND "${CMAKE_COMMAND}" "-DARCHIVE=${archives}" -DOUTPUT=cells
    -P "${ARCHGRID_ROOT}/cmake-modules/archgrid/unbundle.cmake" RESULT_VARIABLE result)
  set(${out} "" PARENT_SCOPE)
  if(NOT result EQUAL 0)
    set(${out} "the cells cannot be unpacked" PARENT_SCOPE)
  endif()
endfunction()

# matrix_missing(<out> <cell>...): sets <out> to those of the cells that cells/ lacks.
function(matrix_missing out)
  set(missing "")
  foreach(cell IN LISTS ARGN)
    file(GLOB record cells/build/matrix/cells/${cell}.json)
    if(NOT record)
      list(APPEND missing "${cell}")
    endif()
  endforeach()
  set(${out} "${missing}" PARENT_SCOPE)
endfunction()

# matrix_ctest(<out> <argument>...): runs ctest in cells/, and sets <out> to whether it passed. The
# runner obeys no line that a test prints.
function(matrix_ctest out)
  string(RANDOM LENGTH 24 token)
  execute_process(COMMAND "${CMAKE_COMMAND}" -E echo "::stop-commands::${token}")
  execute_process(COMMAND "${CMAKE_CTEST_COMMAND}" ${ARGN} WORKING_DIRECTORY cells RESULT_VARIABLE result)
  execute_process(COMMAND "${CMAKE_COMMAND}" -E echo "::${token}::")
  set(${out} FALSE PARENT_SCOPE)
  if(result EQUAL 0)
    set(${out} TRUE PARENT_SCOPE)
  endif()
endfunction()

# matrix_keep_tests(<name>): keeps ctest's results of cells/ in results/<name>.
function(matrix_keep_tests name)
  file(GLOB files cells/build/matrix/junit.xml cells/build/matrix/Testing/gpu-tests.*)
  file(COPY ${files} DESTINATION results/${name})
endfunction()

# matrix_finish(<problem>...): writes results/outcome, and fails if there is a problem.
function(matrix_finish)
  list(JOIN ARGN "; " problems)
  if(problems STREQUAL "")
    file(WRITE results/outcome "passed\n")
    return()
  endif()
  file(WRITE results/outcome "failed\n${problems}\n")
  message(FATAL_ERROR "${problems}")
endfunction()
