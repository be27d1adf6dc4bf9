# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that the matrix files of archgrid expand, and that quick and test stay small.
cmake_minimum_required(VERSION 3.25)
include("${ARCHGRID_MODULES}/archgrid/expand.cmake")
include("${ARCHGRID_MODULES}/archgrid/detail/plan.cmake")

function(expect_cells name count toolkits)
  archgrid_expand(MATRIX "${ARCHGRID_SOURCE}/matrices/${name}.json" RESULT plan)
  _archgrid_plan_get("${plan}" NAME found_name CELLS cells)
  list(LENGTH cells found_count)
  set(found_toolkits "")
  foreach(cell IN LISTS cells)
    _archgrid_plan_get("${cell}" CUDA cuda)
    list(APPEND found_toolkits ${cuda})
  endforeach()
  list(REMOVE_DUPLICATES found_toolkits)
  if(NOT found_name STREQUAL name OR NOT found_count EQUAL count OR NOT found_toolkits STREQUAL "${toolkits}")
    message(SEND_ERROR "${name}: ${found_name}, ${found_count} cells of ${found_toolkits}")
  endif()
endfunction()

expect_cells(quick 14 "13.0;13.5")
expect_cells(test 2 "11.8;13.5")
expect_cells(default 50 "11.8;12.4;13.0;13.5")
