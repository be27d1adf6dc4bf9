# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Read by ctest (TEST_INCLUDE_FILES), not while CMake configures: brings the tests of cells into the top
# tree as <cell>/<test>, with the cell's labels. The commands that a cell's own test files consist of are
# ours while ctest reads them: so names and fixtures of two cells cannot collide, for unmodified projects too.
include_guard(GLOBAL)
cmake_policy(VERSION 3.25) # ctest reads files with every policy unset
include("${CMAKE_CURRENT_LIST_DIR}/cell_status.cmake")

# Appends to CODE the calling function's arguments FIRST..COUNT-1 as bracket arguments, whatever they
# hold (semicolons, quotes, nothing). A macro, since it reads the caller's ARGV0, ARGV1, ...
macro(_archgrid_append_arguments code first count)
  math(EXPR _archgrid_last "${count} - 1")
  if(NOT _archgrid_last LESS ${first})
    foreach(_archgrid_index RANGE ${first} ${_archgrid_last})
      string(APPEND ${code} " [==========[\n${ARGV${_archgrid_index}}]==========]")
    endforeach()
  endif()
endmacro()

# The tests that follow belong to cell ID: prefixed with it, labelled LABELS, run with ENVIRONMENT.
# An empty ID: they belong to no cell.
function(_archgrid_enter_cell id labels environment)
  set_property(GLOBAL PROPERTY ARCHGRID_CELL "${id}")
  set_property(GLOBAL PROPERTY ARCHGRID_CELL_LABELS "${labels}")
  set_property(GLOBAL PROPERTY ARCHGRID_CELL_ENVIRONMENT "${environment}")
endfunction()

function(add_test)
  get_property(cell GLOBAL PROPERTY ARCHGRID_CELL)
  if(cell STREQUAL "")
    set(code "_add_test(")
    _archgrid_append_arguments(code 0 ${ARGC})
    cmake_language(EVAL CODE "${code})")
    return()
  endif()
  set(code "_add_test([==========[\n${cell}/${ARGV0}]==========]")
  _archgrid_append_arguments(code 1 ${ARGC})
  cmake_language(EVAL CODE "${code})")
  get_property(labels GLOBAL PROPERTY ARCHGRID_CELL_LABELS)
  get_property(environment GLOBAL PROPERTY ARCHGRID_CELL_ENVIRONMENT)
  _set_tests_properties("${cell}/${ARGV0}" PROPERTIES LABELS "${labels}" ENVIRONMENT "${environment}")
endfunction()

# Sets OUT to what property NAME = VALUE of a test becomes in CELL.
function(_archgrid_cell_property cell name value out)
  if(name MATCHES "^(FIXTURES_(SETUP|CLEANUP|REQUIRED)|DEPENDS)$")
    list(TRANSFORM value PREPEND "${cell}/")
  elseif(name STREQUAL "LABELS")
    get_property(labels GLOBAL PROPERTY ARCHGRID_CELL_LABELS)
    list(APPEND value ${labels})
    if("fat" IN_LIST value AND "gpu" IN_LIST value AND NOT "perf" IN_LIST value)
      list(APPEND value fat-gpu) # what `ctest --preset gpu` runs: one filter cannot ask for two labels
    endif()
  elseif(name STREQUAL "ENVIRONMENT")
    get_property(environment GLOBAL PROPERTY ARCHGRID_CELL_ENVIRONMENT)
    list(APPEND value "${environment}")
  endif()
  set(${out} "${value}" PARENT_SCOPE)
endfunction()

function(set_tests_properties)
  get_property(cell GLOBAL PROPERTY ARCHGRID_CELL)
  set(code "_set_tests_properties(")
  if(cell STREQUAL "")
    _archgrid_append_arguments(code 0 ${ARGC})
    cmake_language(EVAL CODE "${code})")
    return()
  endif()
  set(index 0)
  while(index LESS ARGC AND NOT "${ARGV${index}}" STREQUAL "PROPERTIES")
    string(APPEND code " [==========[\n${cell}/${ARGV${index}}]==========]")
    math(EXPR index "${index} + 1")
  endwhile()
  string(APPEND code " PROPERTIES")
  math(EXPR index "${index} + 1")
  while(index LESS ARGC)
    math(EXPR value_index "${index} + 1")
    set(name "${ARGV${index}}")
    _archgrid_cell_property("${cell}" "${name}" "${ARGV${value_index}}" value)
    string(APPEND code " ${name} [==========[\n${value}]==========]")
    math(EXPR index "${index} + 2")
  endwhile()
  cmake_language(EVAL CODE "${code})")
endfunction()

# Adds the tests of every cell that LIST, a tree's cells.cmake, names.
function(_archgrid_add_cells list)
  include("${list}") # matrix_tree, matrix_command, matrix_cmake, matrix_cells, matrix_<id>
  set(audits "")
  foreach(id IN LISTS matrix_cells)
    _archgrid_add_cell(${id} ${matrix_${id}})
    if("AUDITED" IN_LIST matrix_${id})
      list(APPEND audits ${matrix_${id}})
    endif()
  endforeach()
  if(audits)
    # What only all cells together tell: an ignore or a pattern that matches no kernel, and, where all cells
    # are single, each judged for what it serves, a promised device that none of them serves.
    add_test(PROMISES "${matrix_command}" audit --tree "${matrix_tree}")
    set_tests_properties(PROMISES PROPERTIES LABELS fatbin)
  endif()
endfunction()

# _archgrid_add_cell(<id> CUDA <X.Y> KIND <single|fat> ARCHS <a>... LABELS <l>... [AUDITED DEVICES <d>...])
#
# The tests of one cell: <id>/BUILT; if it was built its audits (<id>/AUDIT/smNN per device, or <id>/AUDIT)
# and its own tests. Of a cell that is not built as its last build step left it, nothing else runs: its
# programs would be stale. Without matrix_cmake there is no BUILT test (a bundle holds built cells only).
function(_archgrid_add_cell id)
  cmake_parse_arguments(PARSE_ARGV 1 arg "AUDITED" "CUDA;KIND;SIGNATURE" "ARCHS;LABELS;DEVICES")
  _archgrid_read_current_status("${matrix_tree}/cells/${id}.json" "${arg_SIGNATURE}" cell)
  _archgrid_enter_cell("" "" "")
  if(matrix_cmake)
    add_test("${id}/BUILT" "${matrix_cmake}" "-DSTATUS=${matrix_tree}/cells/${id}.json" "-DCELL=${id}"
      "-DSIGNATURE=${arg_SIGNATURE}"
      -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/show_cell.cmake")
    set_tests_properties("${id}/BUILT" PROPERTIES LABELS "${arg_LABELS};fatbin")
  endif()
  if(NOT cell_STATUS STREQUAL "built")
    return()
  endif()
  if(arg_AUDITED)
    set(audit "${matrix_command}" audit)
    foreach(artifact IN LISTS cell_ARTIFACTS)
      list(APPEND audit "${matrix_tree}/cells/${id}/${artifact}")
    endforeach()
    list(APPEND audit --matrix "${matrix_tree}/matrix.json" --toolkit "${arg_CUDA}" --cell "${id}")
    if(arg_KIND STREQUAL "single")
      add_test("${id}/AUDIT" ${audit} --arch "${arg_ARCHS}")
      set_tests_properties("${id}/AUDIT" PROPERTIES LABELS "${arg_LABELS};fatbin")
    endif()
    set(shared_labels ${arg_LABELS})
    list(FILTER shared_labels EXCLUDE REGEX "^sm[0-9]+$")
    foreach(device IN LISTS arg_DEVICES)
      string(REPLACE "." "" sm "sm${device}")
      add_test("${id}/AUDIT/${sm}" ${audit} --device "${device}")
      set_tests_properties("${id}/AUDIT/${sm}" PROPERTIES LABELS "${shared_labels};fatbin;${sm}")
    endforeach()
  endif()
  if(EXISTS "${matrix_tree}/cells/${id}/CTestTestfile.cmake")
    set(environment "ARCHGRID_CELL=${id}" "ARCHGRID_TOOLKIT=${arg_CUDA}" "ARCHGRID_MATRIX=${matrix_tree}/matrix.json")
    if(arg_KIND STREQUAL "single")
      # A GPU that this arch does not serve is the wrong one for the cell.
      list(APPEND environment "ARCHGRID_ARCH=${arg_ARCHS}")
    endif()
    _archgrid_enter_cell("${id}" "${arg_LABELS}" "${environment}")
    subdirs("${matrix_tree}/cells/${id}")
    _archgrid_enter_cell("" "" "")
  endif()
endfunction()
