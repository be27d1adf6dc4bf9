# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Expands 5,000 cells, without measuring time; tests/bench/expand.cmake does.
cmake_minimum_required(VERSION 3.25)
include("${ARCHGRID_MODULES}/archgrid/expand.cmake")
include("${ARCHGRID_MODULES}/archgrid/detail/plan.cmake")
include("${ARCHGRID_SOURCE}/tests/bench/large_matrix.cmake")
archgrid_write_large_matrix("${CASE_BINARY}/large.json" 5000 cells)
archgrid_expand(MATRIX "${CASE_BINARY}/large.json" OUTPUT "${CASE_BINARY}/plan.json" RESULT plan)
_archgrid_plan_get("${plan}" CELLS planned)
set(ids "")
foreach(cell IN LISTS planned)
  _archgrid_plan_get("${cell}" ID id)
  list(APPEND ids ${id})
endforeach()
list(LENGTH ids count)
file(STRINGS "${CASE_BINARY}/plan.json" lines REGEX "{\"id\":")
list(LENGTH lines written)
list(REMOVE_DUPLICATES ids)
list(LENGTH ids distinct)
if(count LESS 5000 OR NOT count EQUAL cells OR NOT distinct EQUAL count OR NOT written EQUAL count)
  message(FATAL_ERROR "${cells} cells in the file, ${count} in the list (${distinct} distinct), ${written} in the plan")
endif()
