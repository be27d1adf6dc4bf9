# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Checks that a plain build of archgrid ends with the table of cells: it makes nothing in addition
# to the target `matrix`, which Ninja could make after the table. Only asks Ninja, and builds
# nothing.
e2e_matrix(matrix CUDA 13.5 ARCHS 90 DEVICES 9.0 CELLS single ACCEPT native)
file(WRITE "${WORK}/matrix.json" "${matrix}")
e2e_run("${CMAKE_COMMAND}" -G Ninja "-DCMAKE_MAKE_PROGRAM=${NINJA}" -S "${ROOT}" -B "${WORK}/tree"
  "-DARCHGRID_MATRIX=${WORK}/matrix.json")
e2e_expect(pass)

# Sets OUT to the number of commands that Ninja would run for TARGET.
function(count_commands target out)
  e2e_run("${NINJA}" -n -C "${WORK}/tree" "${target}")
  e2e_expect(pass MATCH "\\[[0-9]+/[0-9]+\\] Cells of matrix")
  string(REGEX REPLACE ".*\\[[0-9]+/([0-9]+)\\] Cells of matrix.*" "\\1" count "${output}")
  set(${out} "${count}" PARENT_SCOPE)
endfunction()

count_commands(all plain)
count_commands(matrix needed)
if(NOT plain EQUAL needed)
  message(FATAL_ERROR "a plain build runs ${plain} commands, and the matrix needs ${needed}")
endif()
