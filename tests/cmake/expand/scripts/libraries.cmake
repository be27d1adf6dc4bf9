# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that a toolkit has its own libraries, or else those of the whole matrix, and that the
# libraries fetched for a release are those of all its cells.
cmake_minimum_required(VERSION 3.25)
include("${ARCHGRID_MODULES}/archgrid/detail/matrix_toolkits.cmake")
file(WRITE "${CASE_BINARY}/m.json" [==[{
  "name": "m", "cells": ["fat"], "libraries": ["cusparse", "cublas"],
  "toolkits": [
    {"cuda": "11.8", "archs": ["80"]},
    {"cuda": "13.0", "archs": ["80"], "libraries": ["nvjitlink"]},
    {"cuda": "13.0", "variant": "all", "archs": ["80"]}
  ]
}]==])
archgrid_expand(MATRIX "${CASE_BINARY}/m.json" OUTPUT "${CASE_BINARY}/plan.json")
_archgrid_matrix_toolkits("${CASE_BINARY}/m.json" needs)
file(READ "${CASE_BINARY}/plan.json" json)
_archgrid_plan_get("${json}" CELLS cells)
foreach(i IN ITEMS 0 1 2)
  list(GET cells ${i} cell)
  _archgrid_plan_get("${cell}" LIBRARIES read_${i})
  string(JSON written_${i} GET "${json}" cells ${i} libraries)
  string(REGEX REPLACE "[ \n]" "" written_${i} "${written_${i}}")
endforeach()

function(expect variable value)
  if(NOT "${${variable}}" STREQUAL "${value}")
    message(SEND_ERROR "${variable} is \"${${variable}}\" and should be \"${value}\"")
  endif()
endfunction()

expect(read_0 "cusparse;cublas")
expect(read_1 "nvjitlink")
expect(read_2 "cusparse;cublas")
expect(written_0 "[\"cusparse\",\"cublas\"]")
expect(written_1 "[\"nvjitlink\"]")
expect(written_2 "[\"cusparse\",\"cublas\"]")
expect(needs_LIBRARIES_11.8 "cublas;cusparse")
expect(needs_LIBRARIES_13.0 "cublas;cusparse;nvjitlink")
expect(needs_PLAIN_13.0 FALSE)

_archgrid_matrix_toolkits("${CASE_SOURCE}/../whole.json" none)
expect(none_LIBRARIES_13.0 "")
expect(none_PLAIN_13.0 TRUE)
