# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that the matrix files of archgrid expand, and that quick and test stay small.
cmake_minimum_required(VERSION 3.25)
include("${ARCHGRID_MODULES}/archgrid/expand.cmake")

function(expect_cells name count toolkits)
  archgrid_expand(MATRIX "${ARCHGRID_SOURCE}/matrices/${name}.json" RESULT m)
  list(LENGTH m_CELLS cells)
  if(NOT m_NAME STREQUAL name OR NOT cells EQUAL count OR NOT m_TOOLKITS STREQUAL "${toolkits}")
    message(SEND_ERROR "${name}: ${m_NAME}, ${cells} cells of ${m_TOOLKITS}")
  endif()
endfunction()

expect_cells(quick 14 "13.0;13.5")
expect_cells(test 2 "11.8;13.5")
expect_cells(default 50 "11.8;12.4;13.0;13.5")
