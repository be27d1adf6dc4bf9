# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks `targets`: the matrix's apply to every cell, except for a toolkit with its own; by default
# there are none.
cmake_minimum_required(VERSION 3.25)
include("${ARCHGRID_MODULES}/archgrid/expand.cmake")
include("${ARCHGRID_MODULES}/archgrid/detail/plan.cmake")

function(expect_targets top toolkit first second)
  file(WRITE "${CASE_BINARY}/m.json" "{\"name\": \"m\", \"cells\": [\"single\"]${top}, \"toolkits\": [
    {\"cuda\": \"12.4\", \"archs\": [\"80\"]${toolkit}}, {\"cuda\": \"13.0\", \"archs\": [\"90\"]}]}")
  archgrid_expand(MATRIX "${CASE_BINARY}/m.json" RESULT plan)
  string(JSON of_second ERROR_VARIABLE none GET "${plan}" cells 1 targets 0)
  _archgrid_plan_get("${plan}" CELLS cells)
  foreach(place IN ITEMS 0 1)
    list(GET cells ${place} cell)
    _archgrid_plan_get("${cell}" TARGETS targets_${place})
  endforeach()
  if(NOT targets_0 STREQUAL "${first}" OR NOT targets_1 STREQUAL "${second}")
    message(SEND_ERROR "${top}${toolkit}: targets ${targets_0} and ${targets_1}")
  elseif(second AND NOT of_second STREQUAL second OR NOT second AND NOT none)
    message(SEND_ERROR "${top}${toolkit}: targets in the plan: ${plan}")
  endif()
endfunction()

set(matrix ", \"targets\": [\"app\"]")
set(own ", \"targets\": [\"lib\", \"bench\"]")
expect_targets("" "" "" "")
expect_targets("${matrix}" "" "app" "app")
expect_targets("${matrix}" "${own}" "lib;bench" "app")
expect_targets("" "${own}" "lib;bench" "")
