# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Builds the cells of the build job JOB, or the one CELL, from SOURCE, a folder of project/, and packs
# those that were built into cells.tar.zst. Keeps the records of all, and the logs of failed ones, in results/.
include("${CMAKE_CURRENT_LIST_DIR}/common.cmake")
matrix_variable(matrix MATRIX)
matrix_variable(source SOURCE)
set(cells "$ENV{CELL}")
if(cells STREQUAL "")
  matrix_variable(name JOB)
  matrix_job(job build "${name}")
  matrix_list(cells "${job}" cells)
endif()
set(here "${CMAKE_CURRENT_BINARY_DIR}")
file(ARCHIVE_EXTRACT INPUT plan/archgrid.tar.zst)

file(REMOVE_RECURSE work results)
file(COPY "${CMAKE_CURRENT_LIST_DIR}/project/" DESTINATION work)
file(COPY prefix/lib/cmake/ArchGrid/presets DESTINATION work)
set(tree work/build/matrix)
execute_process(COMMAND "${CMAKE_COMMAND}" --preset matrix "-DArchGrid_ROOT=${here}/prefix"
  "-DCELLS_MATRIX=${here}/project/${matrix}" "-DCELLS_SOURCE=${here}/project/${source}"
  WORKING_DIRECTORY work RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  matrix_finish("project/${source} with project/${matrix} cannot be configured: see above")
endif()
# A cell that fails stops no other.
execute_process(COMMAND "${CMAKE_COMMAND}" --build ${tree} --target ${cells} -- -k 0)

set(built "")
set(problems "")
foreach(cell IN LISTS cells)
  set(status "not built")
  if(EXISTS "${here}/${tree}/cells/${cell}.json")
    file(COPY ${tree}/cells/${cell}.json DESTINATION results/cells)
    file(READ ${tree}/cells/${cell}.json record)
    string(JSON status GET "${record}" status)
  endif()
  if(status STREQUAL "built")
    list(APPEND built ${cell})
  else()
    list(APPEND problems "the cell ${cell} is ${status}")
    file(GLOB log ${tree}/cells/${cell}.log)
    file(COPY ${log} DESTINATION results/cells)
  endif()
endforeach()
if(built)
  execute_process(COMMAND "${CMAKE_COMMAND}" "-DTREE=${tree}" -DOUTPUT=cells.tar.zst "-DCELLS=${built}"
    -P prefix/lib/cmake/ArchGrid/archgrid/bundle.cmake RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    list(APPEND problems "the cells cannot be packed")
  endif()
endif()
matrix_finish(${problems})
