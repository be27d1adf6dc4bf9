# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks `targets`: the matrix's apply to every cell, except for a toolkit with its own; by default
# there are none.
cmake_minimum_required(VERSION 3.25)
include("${ARCHGRID_MODULES}/archgrid/expand.cmake")

function(expect_targets top toolkit first second)
  file(WRITE "${CASE_BINARY}/m.json" "{\"name\": \"m\", \"cells\": [\"single\"]${top}, \"toolkits\": [
    {\"cuda\": \"12.4\", \"archs\": [\"80\"]${toolkit}}, {\"cuda\": \"13.0\", \"archs\": [\"90\"]}]}")
  archgrid_expand(MATRIX "${CASE_BINARY}/m.json" OUTPUT "${CASE_BINARY}/plan.json" RESULT plan)
  file(READ "${CASE_BINARY}/plan.json" json)
  string(JSON of_second ERROR_VARIABLE none GET "${json}" cells 1 targets 0)
  if(NOT plan_cu124-sm80_TARGETS STREQUAL "${first}" OR NOT plan_cu130-sm90_TARGETS STREQUAL "${second}")
    message(SEND_ERROR "${top}${toolkit}: targets ${plan_cu124-sm80_TARGETS} and ${plan_cu130-sm90_TARGETS}")
  elseif(second AND NOT of_second STREQUAL second OR NOT second AND NOT none)
    message(SEND_ERROR "${top}${toolkit}: targets in the plan: ${json}")
  endif()
endfunction()

set(matrix ", \"targets\": [\"app\"]")
set(own ", \"targets\": [\"lib\", \"bench\"]")
expect_targets("" "" "" "")
expect_targets("${matrix}" "" "app" "app")
expect_targets("${matrix}" "${own}" "lib;bench" "app")
expect_targets("" "${own}" "lib;bench" "")
