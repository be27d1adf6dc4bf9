# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

include_guard(GLOBAL)
cmake_policy(VERSION 3.25...4.0)
include("${CMAKE_CURRENT_LIST_DIR}/detail/cell_status.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/detail/bundle_tests.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/detail/plan.cmake")

#[=======================================================================[.rst:
archgrid_bundle
---------------

Packs built cells for a machine that only has ctest: no toolkit, no compiler, no sources, any path::

  archgrid_bundle(TREE <tree> OUTPUT <archive.tar.zst> [LABEL <sm90>] [CELLS <cell>...])
  cmake -DTREE=build/matrix -DOUTPUT=cells.tar.zst [-DLABEL=sm90] \
    -P cmake-modules/archgrid/bundle.cmake

``TREE``
  A built tree of :command:`archgrid_add_matrix`.
``LABEL``
  Selects the cells with this label: ``sm90``, ``cu130``, ``fat``. Default: all cells.
``CELLS``
  Selects these cells of them: ``cu130-sm90``. :command:`archgrid_unbundle` joins archives of
  different cells.

:command:`archgrid_unbundle` unpacks the archive anywhere, and ``ctest --preset sm90`` runs there.
The archive contains the project's preset files, the cells' programs and libraries with the shared
libraries they need (except the C library and the driver's own), the archgrid command, and test
files with relative paths. A test that uses a file outside its cell's tree cannot be bundled: it is
listed here, and is skipped there with the reason.

The archive is written to a temporary file and renamed. Errors: an invalid TREE, a cell that is not
built, no cell selected, a cell that the plan lacks.
#]=======================================================================]
function(archgrid_bundle)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "TREE;OUTPUT;LABEL" "CELLS")
  _archgrid_check_bundle(arg)
  set(tree "${arg_TREE}")
  include("${tree}/command.cmake") # sets matrix_command
  execute_process(COMMAND "${CMAKE_COMMAND}" "-DTREE=${tree}"
    -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/detail/mark_edited.cmake"
    COMMAND_ERROR_IS_FATAL ANY)

  file(READ "${tree}/plan.json" plan)
  _archgrid_plan_get("${plan}" CELLS planned)
  _archgrid_ids_with_label("${planned}" "${arg_LABEL}" cells)
  _archgrid_choose_cells(cells "${tree}" "${arg_CELLS}")
  string(RANDOM LENGTH 8 name)
  set(stage "${arg_OUTPUT}.stage-${name}")
  _archgrid_stage_presets("${tree}" "${stage}" staged_tree)
  foreach(id IN LISTS cells)
    _archgrid_stage_cell("${tree}" ${id} "${stage}" "${staged_tree}")
  endforeach()
  if(NOT cells)
    file(REMOVE_RECURSE "${stage}")
    message(FATAL_ERROR "archgrid_bundle: no cell of ${tree} has the label ${arg_LABEL}.")
  endif()
  if(NOT EXISTS "${matrix_command}")
    message(FATAL_ERROR
      "archgrid_bundle: the archgrid command ${matrix_command} is not built. Build it: cmake --build ${tree}")
  endif()
  file(COPY "${matrix_command}" DESTINATION "${staged_tree}/bin")
  _archgrid_stage_libraries("${matrix_command}" "${staged_tree}/lib" "${staged_tree}/bin")
  list(LENGTH planned planned_count)
  list(LENGTH cells count)
  set(chosen "")
  if(count LESS planned_count)
    set(chosen "${cells}")
  endif()
  _archgrid_stage_top_tests("${staged_tree}" "${chosen}")
  file(COPY "${tree}/matrix.json" DESTINATION "${staged_tree}")
  _archgrid_stage_plan("${tree}/plan.json" "${staged_tree}/plan.json" "${cells}")

  _archgrid_pack("${stage}" "${stage}.tmp" error)
  file(REMOVE_RECURSE "${stage}")
  if(error)
    file(REMOVE "${stage}.tmp")
    message(FATAL_ERROR "archgrid_bundle: ${arg_OUTPUT} could not be written: ${error}")
  endif()
  file(RENAME "${stage}.tmp" "${arg_OUTPUT}")
  file(SIZE "${arg_OUTPUT}" bytes)
  math(EXPR kilobytes "${bytes} / 1000")
  message(STATUS "${arg_OUTPUT}: ${count} cells, ${kilobytes} kB")
endfunction()

# Sets OUT to the ids of the cells PLANNED that have LABEL; of all if it is empty.
function(_archgrid_ids_with_label planned label out)
  set(ids "")
  foreach(cell IN LISTS planned)
    _archgrid_plan_get("${cell}" ID id LABELS labels)
    if(NOT label OR label IN_LIST labels)
      list(APPEND ids "${id}")
    endif()
  endforeach()
  set(${out} "${ids}" PARENT_SCOPE)
endfunction()

# Removes from the list OUT all but CHOSEN, unless that is empty. Fails if CHOSEN has a cell that
# the list lacks.
function(_archgrid_choose_cells out tree chosen)
  if(chosen STREQUAL "")
    return()
  endif()
  foreach(id IN LISTS chosen)
    if(NOT id IN_LIST ${out})
      message(FATAL_ERROR
        "archgrid_bundle: CELLS: no cell ${id} among those of ${tree}. Take names from ${tree}/plan.json.")
    endif()
  endforeach()
  set(${out} "${chosen}" PARENT_SCOPE)
endfunction()

# Fails unless the parsed arguments in the record ARG name a tree and an archive; makes both paths
# absolute.
function(_archgrid_check_bundle arg)
  foreach(required IN ITEMS TREE OUTPUT)
    if(NOT ${arg}_${required})
      message(FATAL_ERROR
        "archgrid_bundle: ${required} is missing. For example: archgrid_bundle(TREE build/matrix OUTPUT cells.tar.zst)")
    endif()
    cmake_path(ABSOLUTE_PATH ${arg}_${required} NORMALIZE OUTPUT_VARIABLE ${required})
  endforeach()
  if(${arg}_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR
      "archgrid_bundle: unknown arguments: ${${arg}_UNPARSED_ARGUMENTS}. Known: TREE OUTPUT LABEL CELLS.")
  endif()
  string(REGEX REPLACE "/$" "" TREE "${TREE}")
  if(NOT EXISTS "${TREE}/command.cmake")
    message(FATAL_ERROR
      "archgrid_bundle: ${TREE} is no tree of archgrid_add_matrix. Configure and build one: cmake --workflow --preset default")
  endif()
  set(${arg}_TREE "${TREE}" PARENT_SCOPE)
  set(${arg}_OUTPUT "${OUTPUT}" PARENT_SCOPE)
endfunction()

# Copies what the tests of cell ID of TREE need to STAGED_TREE, which lies in STAGE. A cell that is
# not built is an error; STAGE is removed then.
function(_archgrid_stage_cell tree id stage staged_tree)
  _archgrid_read_cell_status("${tree}/cells/${id}.json" cell)
  if(NOT cell_STATUS STREQUAL "built")
    file(REMOVE_RECURSE "${stage}")
    message(FATAL_ERROR
      "archgrid_bundle: cell ${id} is not built (${cell_STATUS}). Build it: cmake --build ${tree} --target ${id}")
  endif()
  _archgrid_stage_cell_tests("${tree}/cells/${id}" "${staged_tree}/cells/${id}" "${id}" "${cell_ARTIFACTS}")
  set(programs "")
  foreach(artifact IN LISTS cell_ARTIFACTS)
    _archgrid_stage_file("${tree}/cells/${id}" "${staged_tree}/cells/${id}" "${artifact}")
    list(APPEND programs "${tree}/cells/${id}/${artifact}")
  endforeach()
  _archgrid_stage_libraries("${programs}" "${staged_tree}/lib" "${staged_tree}/cells/${id}/archgrid-lib")
  file(COPY "${tree}/cells/${id}.json" DESTINATION "${staged_tree}/cells")
endfunction()

# Packs FOLDER into the tar.zst FILE, and sets OUT to the error or to nothing. Programs of cells are
# much alike: the zstd program, if it is there, finds what they share over 128 MiB, the most that
# cmake unpacks, which makes the archive of 11 of archgrid's own cells four times smaller.
function(_archgrid_pack folder file out)
  unset(_archgrid_zstd) # find_program searches only for an unset variable
  find_program(_archgrid_zstd zstd NO_CACHE)
  if(_archgrid_zstd)
    set(command "cmake -E tar | zstd")
    execute_process(COMMAND "${CMAKE_COMMAND}" -E tar cf /dev/stdout .
      COMMAND "${_archgrid_zstd}" -q -f -T0 --long=27 -o "${file}"
      WORKING_DIRECTORY "${folder}" RESULTS_VARIABLE results ERROR_VARIABLE error)
  else()
    set(command "cmake -E tar --zstd")
    execute_process(COMMAND "${CMAKE_COMMAND}" -E tar cf "${file}" --zstd .
      WORKING_DIRECTORY "${folder}" RESULTS_VARIABLE results ERROR_VARIABLE error)
  endif()
  list(REMOVE_ITEM results 0)
  set(${out} "" PARENT_SCOPE)
  if(results)
    string(STRIP "${error}" error)
    if(error STREQUAL "")
      set(error "${results}")
    endif()
    set(${out} "${command}: ${error}" PARENT_SCOPE)
  endif()
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  archgrid_bundle(TREE "${TREE}" OUTPUT "${OUTPUT}" LABEL "${LABEL}" CELLS ${CELLS})
endif()
