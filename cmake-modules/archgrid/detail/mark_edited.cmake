# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# cmake -DTREE=<tree> -P mark_edited.cmake
#
# Marks built cells whose sources have changed since, so that no selection of tests (-R AUDIT,
# --preset gpu) judges or runs stale files. Marks all cells if the project that builds them has
# changed: until it is configured, it is unknown what it asks of them. ctest runs this before it
# reads the tests of the tree, and archgrid_bundle before it bundles cells.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/cell_status.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/due_work.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/plan.cmake")

# Sets OUT to whether CMake would have to configure the project built in TOP again, according to
# Ninja's graph there. Ignores edits of the matrix file MATRIX, whose content is compared elsewhere.
function(_archgrid_is_top_edited top matrix out)
  set(${out} FALSE PARENT_SCOPE)
  if(NOT EXISTS "${top}/build.ninja")
    return()
  endif()
  # Updates the time of a file if globs differ.
  if(EXISTS "${top}/CMakeFiles/VerifyGlobs.cmake")
    execute_process(COMMAND "${CMAKE_COMMAND}" -P "${top}/CMakeFiles/VerifyGlobs.cmake" OUTPUT_QUIET ERROR_QUIET)
  endif()
  file(READ "${top}/build.ninja" graph)
  _archgrid_mask_list_syntax("${graph}" graph)
  string(REGEX MATCH "\nbuild build[.]ninja[^\n]*: RERUN_CMAKE ([^\n]*)" found "${graph}")
  _archgrid_split_paths("${top}" "${CMAKE_MATCH_1}" paths)
  foreach(path IN LISTS paths)
    _archgrid_unmask_list_syntax("${path}" path)
    if(NOT path STREQUAL matrix AND "${path}" IS_NEWER_THAN "${top}/build.ninja")
      set(${out} TRUE PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

file(READ "${TREE}/plan.json" plan)
_archgrid_plan_get("${plan}" MATRIX matrix CELLS cells)
_archgrid_is_top_edited("${TREE}" "${matrix}" top_is_edited)
foreach(planned IN LISTS cells)
  _archgrid_plan_get("${planned}" ID id)
  _archgrid_read_cell_status("${TREE}/cells/${id}.json" cell)
  if(NOT cell_STATUS STREQUAL "built")
    continue()
  elseif(top_is_edited)
    _archgrid_mark_edited("${TREE}/cells/${id}.json")
  else()
    _archgrid_mark_if_edited("${TREE}" "${id}" "${cell_DUE}" edited)
  endif()
endforeach()
