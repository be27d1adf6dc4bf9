# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# cmake -DTREE=<tree> -P mark_edited.cmake: run by ctest before it reads the tests of the tree. Marks the built cells whose
# sources have changed since, so that no selection of tests (-R AUDIT, --preset gpu) judges or runs what is stale.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/cell_status.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/due_work.cmake")

include("${TREE}/cells.cmake") # matrix_cells, matrix_<id>
foreach(id IN LISTS matrix_cells)
  _archgrid_parse_cell(arg ${matrix_${id}})
  _archgrid_read_current_status("${TREE}/cells/${id}.json" "${arg_SIGNATURE}" cell)
  if(cell_STATUS STREQUAL "built")
    _archgrid_mark_if_edited("${TREE}" "${id}" "${cell_DUE}" edited)
  endif()
endforeach()
