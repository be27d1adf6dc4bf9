# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# cmake -DSTATUS=<file> -DCELL=<id> -DSIGNATURE=<hash> [-DCHANGED_MATRIX=<file>] -P show_cell.cmake
#
# The test <cell>/BUILT: passes if the cell's last build step built it and nothing has changed
# since; else fails and shows why, with an excerpt of the log. Marks an edited cell, which then
# counts as not built until it is built again. Always lists cells that contain the same device code
# although they ask for other archs. CHANGED_MATRIX is the matrix file, if the tree was configured
# with an earlier state of it.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/cell_status.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/due_work.cmake")

_archgrid_read_current_status("${STATUS}" "${SIGNATURE}" cell)
get_filename_component(tree "${STATUS}" DIRECTORY)
get_filename_component(tree "${tree}" DIRECTORY)
# Prints the other cells of the tree whose device code is the same, byte for byte, although their
# archs differ.
function(_archgrid_show_siblings)
  include("${tree}/cells.cmake") # matrix_cells, matrix_<id>
  _archgrid_parse_cell(own ${matrix_${CELL}})
  set(siblings "")
  foreach(id IN LISTS matrix_cells)
    _archgrid_parse_cell(other ${matrix_${id}})
    _archgrid_read_current_status("${tree}/cells/${id}.json" "${other_SIGNATURE}" other)
    if(NOT id STREQUAL CELL AND other_DEVICE_CODE STREQUAL cell_DEVICE_CODE AND NOT other_ARCHS STREQUAL own_ARCHS)
      list(APPEND siblings "${id}")
    endif()
  endforeach()
  if(siblings)
    list(JOIN siblings ", " siblings)
    message("${CELL}: the same device code, byte for byte, as ${siblings}, for other archs: the project ignores what it is asked for")
  endif()
endfunction()

# Sets OUT to the first cell of the tree that failed for the same reason as this one: an error in a
# source fails all cells, and the log of one is enough.
function(_archgrid_find_first_failure out)
  set(${out} "${CELL}" PARENT_SCOPE)
  if(NOT EXISTS "${tree}/cells.cmake")
    return()
  endif()
  include("${tree}/cells.cmake") # matrix_cells, matrix_<id>
  foreach(id IN LISTS matrix_cells)
    _archgrid_parse_cell(other ${matrix_${id}})
    _archgrid_read_current_status("${tree}/cells/${id}.json" "${other_SIGNATURE}" other)
    if(other_STATUS STREQUAL "failed" AND other_REASON STREQUAL cell_REASON)
      set(${out} "${id}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

if(cell_STATUS STREQUAL "built" AND NOT CHANGED_MATRIX)
  _archgrid_mark_if_edited("${tree}" "${CELL}" "${cell_DUE}" edited)
  if(edited STREQUAL "NO_NINJA")
    message(FATAL_ERROR "${CELL}: the Ninja that built it is gone: nothing tells whether its sources have changed since. Configure this tree again")
  elseif(edited)
    set(cell_STATUS edited)
  endif()
endif()
if(cell_DEVICE_CODE AND EXISTS "${tree}/cells.cmake")
  _archgrid_show_siblings()
endif()
set(again "Build it: cmake --build ${tree} --target ${CELL}")
if(CHANGED_MATRIX)
  message("${CELL}: ${CHANGED_MATRIX} has changed since this tree was configured. ${again}")
elseif(cell_STATUS STREQUAL "built")
  message(STATUS "${CELL}: built in ${cell_SECONDS} s")
  foreach(note IN LISTS cell_NOTES)
    message(STATUS "${CELL}: ${note}")
  endforeach()
  return()
elseif(cell_STATUS STREQUAL "failed")
  _archgrid_find_first_failure(first)
  if(first STREQUAL CELL)
    _archgrid_log_excerpt("${tree}/${cell_LOG}" excerpt)
    message("${excerpt}\n")
  else()
    set(cell_REASON "as ${first}: ${cell_REASON}")
  endif()
  message("${CELL}: ${cell_REASON} (step: ${cell_STEP}). The whole log: ${tree}/${cell_LOG}")
elseif(cell_STATUS STREQUAL "impossible")
  message("${CELL}: cannot be built here: ${cell_REASON}")
elseif(cell_STATUS STREQUAL "building")
  message("${CELL}: its build was interrupted. ${again}")
elseif(cell_STATUS STREQUAL "edited")
  message("${CELL}: its sources have changed since it was built. ${again}")
elseif(cell_STATUS STREQUAL "stale")
  message("${CELL}: was built with other settings than it is configured with now. ${again}")
elseif(cell_STATUS STREQUAL "missing")
  message("${CELL}: was never built. ${again}")
else()
  message("${CELL}: ${STATUS} is no cell status; delete it. ${again}")
endif()
message(FATAL_ERROR "${CELL} is not built")
