# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# archgrid_expand(MATRIX <file> [OUTPUT <plan.json>] [GITHUB <jobs.json>] [RESULT <plan>] [WARN])
#
# Checks the matrix file and turns it into the plan: the cells to build, the audits to make of them,
# and a job for each device that has a runner. Any error is fatal and names the file, the JSON path,
# the value and the fix.
#
#   MATRIX  the matrix file; a relative path starts at the current source folder
#   OUTPUT  where to write the plan (archgrid.plan/1); left untouched if it would not change
#   GITHUB  where to write the jobs, on one line, for GitHub's
#           `strategy: matrix: ${{ fromJSON(...) }}`; an error if there are no jobs, or more than
#           the 256 that GitHub allows
#   WARN    warn of a promise for a device that no arch of a toolkit can keep
#   RESULT  variable that is set to the plan, as in OUTPUT
#
# Without a project, on any machine with CMake:
#
#   cmake -DMATRIX=m.json [-DFORMAT=plan|github] [-DOUTPUT=out.json] [-DWARN=ON] \
#     -P cmake-modules/archgrid/expand.cmake
#
# prints the plan (FORMAT=plan, the default) or the jobs (FORMAT=github) to stdout, or writes it to
# OUTPUT.

include_guard(GLOBAL)
cmake_policy(VERSION 3.25...4.0)
include("${CMAKE_CURRENT_LIST_DIR}/detail/matrix_read.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/detail/matrix_promises.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/detail/matrix_budgets.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/detail/matrix_unkept.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/detail/matrix_plan.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/detail/write_file.cmake")

function(archgrid_expand)
  cmake_parse_arguments(PARSE_ARGV 0 arg "WARN" "MATRIX;OUTPUT;GITHUB;RESULT" "")
  if(DEFINED arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "archgrid_expand: unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  elseif("${arg_MATRIX}" STREQUAL "" OR DEFINED arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "archgrid_expand: a value is missing for: MATRIX ${arg_KEYWORDS_MISSING_VALUES}")
  endif()

  _archgrid_matrix_read_sections(matrix "${arg_MATRIX}")
  _archgrid_matrix_read_exclude(matrix)
  _archgrid_matrix_read_definitions(matrix_definition "${matrix_definitions}" "${arg_MATRIX}: definitions")
  foreach(i RANGE ${matrix_LAST})
    _archgrid_matrix_read_toolkit(matrix ${i})
  endforeach()
  _archgrid_matrix_check_exclude(matrix)
  _archgrid_matrix_read_promises(matrix)
  _archgrid_matrix_check_reasoned(matrix ignore kernel)
  _archgrid_matrix_check_reasoned(matrix skips tests)
  _archgrid_matrix_check_budgets(matrix)
  _archgrid_matrix_read_runners(matrix)

  _archgrid_plan_start(plan)
  foreach(i RANGE ${matrix_LAST})
    _archgrid_plan_describe_toolkit(toolkit matrix ${i})
    if("fat" IN_LIST matrix_KINDS)
      _archgrid_plan_add_fat(plan toolkit)
    endif()
    if("single" IN_LIST matrix_KINDS)
      _archgrid_plan_add_singles(plan toolkit)
    endif()
  endforeach()
  _archgrid_plan_add_jobs(plan matrix)
  if(arg_WARN)
    _archgrid_matrix_warn_of_unkept(matrix)
  endif()

  if(arg_OUTPUT OR arg_RESULT)
    _archgrid_plan_write(json plan matrix)
  endif()
  if(arg_OUTPUT)
    _archgrid_write_if_changed("${arg_OUTPUT}" "${json}")
  endif()
  if(arg_GITHUB)
    _archgrid_plan_write_github(jobs plan matrix 256)
    _archgrid_write_if_changed("${arg_GITHUB}" "${jobs}")
  endif()
  if(arg_RESULT)
    set(${arg_RESULT} "${json}" PARENT_SCOPE)
  endif()
endfunction()

# Entry point for `cmake -P`.
function(_archgrid_expand_script)
  if("${MATRIX}" STREQUAL "")
    message(FATAL_ERROR "\n  no matrix file is named\n  fix: cmake -DMATRIX=m.json -P expand.cmake\n")
  elseif("${FORMAT}" STREQUAL "")
    set(FORMAT plan)
  endif()
  if(FORMAT STREQUAL "plan")
    set(keyword OUTPUT)
  elseif(FORMAT STREQUAL "github")
    set(keyword GITHUB)
  else()
    message(FATAL_ERROR "\n  unknown FORMAT \"${FORMAT}\"\n  fix: -DFORMAT=plan or -DFORMAT=github\n")
  endif()
  if(NOT "${OUTPUT}" STREQUAL "")
    archgrid_expand(MATRIX "${MATRIX}" ${keyword} "${OUTPUT}")
    return()
  endif()
  # message() cannot write plain lines to stdout, and an argument of a command is limited to 128 kB.
  string(RANDOM LENGTH 12 tag)
  set(folder "$ENV{TMPDIR}")
  if("${folder}" STREQUAL "")
    set(folder /tmp)
  endif()
  set(file "${folder}/archgrid-expand-${tag}.json")
  set(warn "")
  if(WARN)
    set(warn WARN)
  endif()
  archgrid_expand(MATRIX "${MATRIX}" ${keyword} "${file}" ${warn})
  execute_process(COMMAND "${CMAKE_COMMAND}" -E cat "${file}" COMMAND_ERROR_IS_FATAL ANY)
  file(REMOVE "${file}")
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  _archgrid_expand_script()
endif()
