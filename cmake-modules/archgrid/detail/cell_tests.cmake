# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Read by ctest (TEST_INCLUDE_FILES), not while CMake configures: brings the tests of cells into the top
# tree as <cell>/<test>, with the cell's labels. The commands that a cell's own test files consist of are
# ours while ctest reads them: so names and fixtures of two cells cannot collide, for unmodified projects too.
include_guard(GLOBAL)
cmake_policy(VERSION 3.25) # ctest reads files with every policy unset
include("${CMAKE_CURRENT_LIST_DIR}/cell_status.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/quote.cmake")

# Appends to CODE the calling function's arguments FIRST..COUNT-1 as bracket arguments, whatever they
# hold (semicolons, quotes, nothing). A macro, since it reads the caller's ARGV0, ARGV1, ...
macro(_archgrid_append_arguments code first count)
  math(EXPR _archgrid_last "${count} - 1")
  if(NOT _archgrid_last LESS ${first})
    foreach(_archgrid_index RANGE ${first} ${_archgrid_last})
      _archgrid_bracket("${ARGV${_archgrid_index}}" _archgrid_argument)
      string(APPEND ${code} " ${_archgrid_argument}")
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

# Reports whether PROGRAM, the first word of TEST in the current cell, is one that the matrix file's `targets` leave out: it
# would lie in the cell's tree, or TEST stands for the tests of a program that CMake could not ask for them.
function(_archgrid_is_left_out test program out)
  set(${out} FALSE PARENT_SCOPE)
  get_property(tree GLOBAL PROPERTY ARCHGRID_PARTIAL_CELL)
  if(tree AND program STREQUAL test AND test MATCHES "_NOT_BUILT(-[0-9a-f]+)?$") # Catch2 appends a hash
    set(${out} TRUE PARENT_SCOPE)
  elseif(tree AND NOT EXISTS "${program}")
    cmake_path(IS_PREFIX tree "${program}" NORMALIZE inside)
    set(${out} ${inside} PARENT_SCOPE)
  endif()
endfunction()

function(add_test)
  get_property(cell GLOBAL PROPERTY ARCHGRID_CELL)
  if(cell STREQUAL "")
    set(code "_add_test(")
    _archgrid_append_arguments(code 0 ${ARGC})
    cmake_language(EVAL CODE "${code})")
    return()
  endif()
  _archgrid_bracket("${cell}/${ARGV0}" name)
  set(code "_add_test(${name}")
  _archgrid_append_arguments(code 1 ${ARGC})
  cmake_language(EVAL CODE "${code})")
  get_property(labels GLOBAL PROPERTY ARCHGRID_CELL_LABELS)
  get_property(environment GLOBAL PROPERTY ARCHGRID_CELL_ENVIRONMENT)
  _set_tests_properties("${cell}/${ARGV0}" PROPERTIES LABELS "${labels}" ENVIRONMENT "${environment}")
  _archgrid_is_left_out("${ARGV0}" "${ARGV1}" left_out)
  if(left_out)
    _set_tests_properties("${cell}/${ARGV0}" PROPERTIES DISABLED TRUE)
  endif()
endfunction()

# Notes the cases, Suite.Case, of a program that archgrid_add_gpu_test() registered.
function(_archgrid_add_gpu_cases)
  foreach(case IN LISTS ARGN)
    set_property(GLOBAL APPEND_STRING PROPERTY ARCHGRID_GPU_CASES "${case}\n")
  endforeach()
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
    _archgrid_bracket("${cell}/${ARGV${index}}" name)
    string(APPEND code " ${name}")
    math(EXPR index "${index} + 1")
  endwhile()
  string(APPEND code " PROPERTIES")
  math(EXPR index "${index} + 1")
  while(index LESS ARGC)
    math(EXPR value_index "${index} + 1")
    set(name "${ARGV${index}}")
    _archgrid_cell_property("${cell}" "${name}" "${ARGV${value_index}}" value)
    _archgrid_bracket("${value}" value)
    string(APPEND code " ${name} ${value}")
    math(EXPR index "${index} + 2")
  endwhile()
  cmake_language(EVAL CODE "${code})")
endfunction()

# Adds the tests of every cell that LIST, a tree's cells.cmake, names.
function(_archgrid_add_cells list)
  set(matrix_file "") # which a bundle does not set
  include("${list}") # matrix_tree, matrix_file, matrix_command, matrix_cmake, matrix_cells, matrix_skips, matrix_<id>
  _archgrid_is_matrix_changed("${matrix_tree}" "${matrix_file}" matrix_is_changed)
  set(audits "")
  foreach(id IN LISTS matrix_cells)
    _archgrid_add_cell(${id} ${matrix_${id}})
    if("AUDITED" IN_LIST matrix_${id})
      list(APPEND audits ${matrix_${id}})
    endif()
  endforeach()
  if(audits AND NOT matrix_partial)
    # What only all cells together tell: an ignore or a pattern that matches no kernel, and, where all cells
    # are single, each judged for what it serves, a promised device that none of them serves.
    add_test(PROMISES "${matrix_command}" audit --tree "${matrix_tree}")
    set_tests_properties(PROMISES PROPERTIES LABELS fatbin)
  endif()
  _archgrid_add_skips()
endfunction()

# Sets OUT to the first case of a GPU test that PATTERN, with * and ? as in the matrix file, matches by GoogleTest's name
# of it, Suite.Case; to nothing where there is none.
function(_archgrid_find_skipped pattern out)
  string(REGEX REPLACE "([][+.\\^$(){}|])" "\\\\\\1" regex "${pattern}")
  string(REPLACE "*" "[^\n]*" regex "${regex}")
  string(REPLACE "?" "[^\n]" regex "${regex}")
  get_property(cases GLOBAL PROPERTY ARCHGRID_GPU_CASES)
  string(REGEX MATCH "\n${regex}\n" found "\n${cases}")
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

# Adds the test SKIPS, red where the matrix file skips a test that no cell has. Of cells that are not built no tests are
# known, and they are red themselves.
function(_archgrid_add_skips)
  get_property(unbuilt GLOBAL PROPERTY ARCHGRID_UNBUILT)
  if(unbuilt OR "${matrix_skips}" STREQUAL "")
    return()
  endif()
  set(stale "")
  set(index 0)
  foreach(pattern IN LISTS matrix_skips)
    _archgrid_find_skipped("${pattern}" found)
    if(found STREQUAL "")
      string(APPEND stale "matrix.json: skips[${index}]: \"${pattern}\" matches no GPU test of any cell; fix: remove it, or name a test as Suite.Case\n")
    endif()
    math(EXPR index "${index} + 1")
  endforeach()
  add_test(SKIPS sh -c "printf %s \"$0\"; [ -z \"$0\" ]" "${stale}")
  set_tests_properties(SKIPS PROPERTIES LABELS fatbin)
endfunction()

# _archgrid_add_cell(<id> CUDA <X.Y> KIND <single|fat> ARCHS <a>... LABELS <l>... [PARTIAL] [AUDITED DEVICES <d>...])
#
# The tests of one cell: <id>/BUILT; if it was built its audits (<id>/AUDIT/smNN per device, or <id>/AUDIT)
# and its own tests. Of a cell that is not built as its last build step left it, nothing else runs: its
# programs would be stale. Without matrix_cmake there is no BUILT test (a bundle holds built cells only).
function(_archgrid_add_cell id)
  _archgrid_parse_cell(arg ${ARGN})
  _archgrid_read_current_status("${matrix_tree}/cells/${id}.json" "${arg_SIGNATURE}" cell)
  set(changed "")
  if(matrix_is_changed)
    set(cell_STATUS stale)
    set(changed "-DCHANGED_MATRIX=${matrix_file}")
  endif()
  _archgrid_enter_cell("" "" "")
  if(matrix_cmake)
    add_test("${id}/BUILT" "${matrix_cmake}" "-DSTATUS=${matrix_tree}/cells/${id}.json" "-DCELL=${id}"
      "-DSIGNATURE=${arg_SIGNATURE}" ${changed}
      -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/show_cell.cmake")
    set_tests_properties("${id}/BUILT" PROPERTIES LABELS "${arg_LABELS};fatbin")
  endif()
  if(NOT cell_STATUS STREQUAL "built")
    set_property(GLOBAL APPEND PROPERTY ARCHGRID_UNBUILT "${id}")
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
      # The command's words where its arch serves no promised device: nothing was judged, so nothing passed.
      set_tests_properties("${id}/AUDIT" PROPERTIES LABELS "${arg_LABELS};fatbin"
        SKIP_REGULAR_EXPRESSION "nothing is promised for the devices that")
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
    if(arg_PARTIAL)
      set_property(GLOBAL PROPERTY ARCHGRID_PARTIAL_CELL "${matrix_tree}/cells/${id}")
    endif()
    subdirs("${matrix_tree}/cells/${id}")
    set_property(GLOBAL PROPERTY ARCHGRID_PARTIAL_CELL "")
    _archgrid_enter_cell("" "" "")
  endif()
endfunction()
