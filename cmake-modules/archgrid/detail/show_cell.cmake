# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# cmake -DSTATUS=<file> -DCELL=<id> -DSIGNATURE=<hash> -P show_cell.cmake: the test <cell>/BUILT. Passes for a cell whose last
# build step built it; else fails and shows why, with what the log says.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/cell_status.cmake")

_archgrid_read_current_status("${STATUS}" "${SIGNATURE}" cell)
get_filename_component(tree "${STATUS}" DIRECTORY)
get_filename_component(tree "${tree}" DIRECTORY)
set(again "Build it: cmake --build ${tree} --target ${CELL}")
if(cell_STATUS STREQUAL "built")
  message(STATUS "${CELL}: built in ${cell_SECONDS} s")
  return()
elseif(cell_STATUS STREQUAL "failed")
  _archgrid_log_excerpt("${tree}/${cell_LOG}" excerpt)
  message("${excerpt}\n\n${CELL}: ${cell_REASON} (step: ${cell_STEP}). The whole log: ${tree}/${cell_LOG}")
elseif(cell_STATUS STREQUAL "impossible")
  message("${CELL}: cannot be built here: ${cell_REASON}")
elseif(cell_STATUS STREQUAL "building")
  message("${CELL}: its build was interrupted. ${again}")
elseif(cell_STATUS STREQUAL "stale")
  message("${CELL}: was built with other settings than it is configured with now. ${again}")
elseif(cell_STATUS STREQUAL "missing")
  message("${CELL}: was never built. ${again}")
else()
  message("${CELL}: ${STATUS} is no cell status; delete it. ${again}")
endif()
message(FATAL_ERROR "${CELL} is not built")
