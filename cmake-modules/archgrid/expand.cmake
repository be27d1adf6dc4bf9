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
#   cmake -DMATRIX=m.json [-DFORMAT=plan|github] [-DOUTPUT=out.json] \
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

  _archgrid_forget_variables()
  set(matrix_file "${arg_MATRIX}")
  _archgrid_matrix_read_sections()
  _archgrid_matrix_read_exclude()
  _archgrid_matrix_read_definitions(matrix_definition "${matrix_definitions}" "definitions")
  foreach(i RANGE ${matrix_LAST})
    _archgrid_matrix_read_toolkit(${i})
  endforeach()
  _archgrid_matrix_check_exclude()
  _archgrid_matrix_read_promises()
  _archgrid_matrix_check_reasoned(ignore kernel)
  _archgrid_matrix_check_reasoned(skips tests)
  _archgrid_matrix_check_budgets()
  _archgrid_matrix_read_runners()

  foreach(i RANGE ${matrix_LAST})
    _archgrid_plan_start_toolkit(${i})
    if("fat" IN_LIST matrix_KINDS)
      _archgrid_plan_add_fat()
    endif()
    if("single" IN_LIST matrix_KINDS)
      _archgrid_plan_add_singles()
    endif()
  endforeach()
  _archgrid_plan_add_jobs()
  if(arg_WARN)
    _archgrid_matrix_warn_of_unkept()
  endif()

  if(arg_OUTPUT OR arg_RESULT)
    _archgrid_plan_write(plan)
  endif()
  if(arg_OUTPUT)
    _archgrid_write_if_changed("${arg_OUTPUT}" "${plan}")
  endif()
  if(arg_GITHUB)
    _archgrid_plan_write_github(jobs 256)
    _archgrid_write_if_changed("${arg_GITHUB}" "${jobs}")
  endif()
  if(arg_RESULT)
    set(${arg_RESULT} "${plan}" PARENT_SCOPE)
  endif()
endfunction()

# Unsets the caller's variables whose names collide with those that the functions below share.
function(_archgrid_forget_variables)
  get_cmake_property(names VARIABLES)
  list(FILTER names INCLUDE REGEX "^(matrix|plan|promised)_")
  foreach(name IN LISTS names)
    unset(${name} PARENT_SCOPE)
  endforeach()
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
  archgrid_expand(MATRIX "${MATRIX}" ${keyword} "${file}")
  execute_process(COMMAND "${CMAKE_COMMAND}" -E cat "${file}" COMMAND_ERROR_IS_FATAL ANY)
  file(REMOVE "${file}")
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  _archgrid_expand_script()
endif()
