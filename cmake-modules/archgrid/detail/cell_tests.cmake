# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Adds the tests of cells to the top tree as <cell>/<test>, with the cell's labels. ctest reads this
# file (TEST_INCLUDE_FILES), CMake does not. While ctest reads a cell's own test files, the
# functions below replace the commands in them, so that names and fixtures of two cells never
# collide, even in unmodified projects.
include_guard(GLOBAL)
cmake_policy(VERSION 3.25...4.0) # ctest reads files with every policy unset
include("${CMAKE_CURRENT_LIST_DIR}/cell_status.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/plan.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/quote.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/write_file.cmake")

# Appends to CODE the calling function's arguments FIRST..COUNT-1 as bracket arguments, whatever
# they contain (semicolons, quotes, nothing). A macro, since it reads the caller's ARGV0, ARGV1, ...
macro(_archgrid_append_arguments code first count)
  math(EXPR _archgrid_last "${count} - 1")
  if(NOT _archgrid_last LESS ${first})
    foreach(_archgrid_index RANGE ${first} ${_archgrid_last})
      _archgrid_bracket("${ARGV${_archgrid_index}}" _archgrid_argument)
      string(APPEND ${code} " ${_archgrid_argument}")
    endforeach()
  endif()
endmacro()

# Assigns the following tests to cell ID: prefix ID, labels LABELS, environment ENVIRONMENT. With an
# empty ID they belong to no cell.
function(_archgrid_enter_cell id labels environment)
  set_property(GLOBAL PROPERTY ARCHGRID_CELL "${id}")
  set_property(GLOBAL PROPERTY ARCHGRID_CELL_LABELS "${labels}")
  set_property(GLOBAL PROPERTY ARCHGRID_CELL_ENVIRONMENT "${environment}")
endfunction()

# Reports whether PROGRAM, the first word of TEST in the current cell, is excluded by `targets` of
# the matrix file: it would lie in the cell's tree, or TEST stands for the tests of a program that
# CMake could not query.
function(_archgrid_is_left_out test program out)
  set(${out} FALSE PARENT_SCOPE)
  get_property(tree GLOBAL PROPERTY ARCHGRID_PARTIAL_CELL)
  # Catch2 appends a hash.
  if(tree AND program STREQUAL test AND test MATCHES "_NOT_BUILT(-[0-9a-f]+)?$")
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
    _archgrid_note_gpu_test("${cell}/${ARGV0}" DISABLED TRUE)
  endif()
endfunction()

# Records the cases (Suite.Case) of a program that archgrid_add_gpu_test() registered.
function(_archgrid_add_gpu_cases)
  foreach(case IN LISTS ARGN)
    set_property(GLOBAL APPEND_STRING PROPERTY ARCHGRID_GPU_CASES "${case}\n")
  endforeach()
endfunction()

# Records what set_tests_properties() says of TEST in its cell: NAME = VALUE. Tests that
# archgrid_add_gpu_test() registered have a record, or represent a program that could not be listed.
function(_archgrid_note_gpu_test test name value)
  if((name STREQUAL "ENVIRONMENT" AND "${value}" MATCHES "(^|;)ARCHGRID_RECORD=")
      OR (name STREQUAL "LABELS" AND "gpu" IN_LIST value AND test MATCHES "[.]LISTED$"))
    set_property(GLOBAL APPEND_STRING PROPERTY ARCHGRID_GPU_TESTS "${test}\n")
  elseif(name STREQUAL "DISABLED" AND value)
    set_property(GLOBAL APPEND_STRING PROPERTY ARCHGRID_DISABLED_TESTS "\n${test}\n")
  endif()
endfunction()

# Writes the names of the GPU tests of TREE, except disabled ones, to
# Testing/Temporary/archgrid-gpu-tests.txt. From this file `archgrid after-tests` notices tests that
# printed nothing. ctest also reads tests in read-only trees, to list them; the file is then not
# written.
function(_archgrid_write_gpu_tests tree)
  get_property(tests GLOBAL PROPERTY ARCHGRID_GPU_TESTS)
  get_property(disabled GLOBAL PROPERTY ARCHGRID_DISABLED_TESTS)
  set(names "")
  string(REPLACE ";" "\\;" tests "${tests}")
  string(REPLACE "\n" ";" tests "${tests}")
  foreach(test IN LISTS tests)
    string(FIND "${disabled}" "\n${test}\n" place)
    if(NOT test STREQUAL "" AND place EQUAL -1)
      string(APPEND names "${test}\n")
    endif()
  endforeach()
  set(file "${tree}/Testing/Temporary/archgrid-gpu-tests.txt")
  set(old "")
  if(EXISTS "${file}")
    file(READ "${file}" old)
  endif()
  if(NOT names STREQUAL old)
    cmake_path(GET file PARENT_PATH folder)
    execute_process(COMMAND mkdir -p "${folder}" ERROR_QUIET)
    execute_process(COMMAND test -w "${folder}" RESULT_VARIABLE unwritable)
    if(NOT unwritable)
      _archgrid_write_if_changed("${file}" "${names}") # another ctest may write it at the same time
    endif()
  endif()
endfunction()

# Sets OUT to the value that property NAME = VALUE of a test has in CELL.
function(_archgrid_cell_property cell name value out)
  if(name MATCHES "^(FIXTURES_(SETUP|CLEANUP|REQUIRED)|DEPENDS)$")
    list(TRANSFORM value PREPEND "${cell}/")
  elseif(name STREQUAL "LABELS")
    get_property(labels GLOBAL PROPERTY ARCHGRID_CELL_LABELS)
    list(APPEND value ${labels})
    if("fat" IN_LIST value AND "gpu" IN_LIST value AND NOT "perf" IN_LIST value)
      # For `ctest --preset gpu`: one filter cannot ask for two labels.
      list(APPEND value fat-gpu)
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
  set(test_count ${index})
  string(APPEND code " PROPERTIES")
  math(EXPR index "${index} + 1")
  while(index LESS ARGC)
    math(EXPR value_index "${index} + 1")
    set(name "${ARGV${index}}")
    set(test_index 0)
    while(test_index LESS test_count)
      _archgrid_note_gpu_test("${cell}/${ARGV${test_index}}" "${name}" "${ARGV${value_index}}")
      math(EXPR test_index "${test_index} + 1")
    endwhile()
    _archgrid_cell_property("${cell}" "${name}" "${ARGV${value_index}}" value)
    _archgrid_bracket("${value}" value)
    string(APPEND code " ${name} ${value}")
    math(EXPR index "${index} + 2")
  endwhile()
  cmake_language(EVAL CODE "${code})")
endfunction()

# _archgrid_add_cells(TREE <tree> COMMAND <archgrid> [CMAKE <cmake>] [CELLS <id>...])
#
# Adds the tests of the cells that the plan in TREE has, or of CELLS alone, if the tree is a bundle
# of these. Without CMAKE the tree is a bundle, whose cells are built and cannot change.
function(_archgrid_add_cells)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "TREE;COMMAND;CMAKE" "CELLS")
  file(READ "${arg_TREE}/plan.json" plan)
  _archgrid_plan_get("${plan}" MATRIX matrix CELLS cells AUDITS audits SKIPS skips)
  set(changed_matrix "")
  if(arg_CMAKE)
    _archgrid_ask_changed_matrix("${arg_COMMAND}" "${arg_TREE}" changed_matrix)
  else()
    set(matrix "this bundle")
    set(skips "")
  endif()
  set(audited "")
  foreach(audit IN LISTS audits)
    _archgrid_plan_get("${audit}" CELL id DEVICES devices)
    list(APPEND audited ${id})
    set(devices_of_${id} "${devices}")
  endforeach()
  set(all_labels "")
  foreach(cell IN LISTS cells)
    _archgrid_plan_get("${cell}" ID id LABELS labels)
    if(arg_CELLS AND NOT id IN_LIST arg_CELLS)
      continue()
    endif()
    list(APPEND all_labels ${labels})
    set(audit "")
    if(id IN_LIST audited)
      set(audit AUDITED DEVICES ${devices_of_${id}})
    endif()
    _archgrid_add_cell("${cell}" TREE "${arg_TREE}" COMMAND "${arg_COMMAND}" CMAKE "${arg_CMAKE}"
      CHANGED_MATRIX "${changed_matrix}" ${audit})
  endforeach()
  if(audited AND NOT arg_CELLS)
    # Findings that need all cells: an ignore or a pattern that matches no kernel and, if all cells
    # are single and each is judged for what it serves, a promised device that none of them serves.
    add_test(PROMISES "${arg_COMMAND}" audit --brief --tree "${arg_TREE}")
    set_tests_properties(PROMISES PROPERTIES LABELS fatbin)
  endif()
  _archgrid_add_skips("${skips}")
  _archgrid_add_unserved("$ENV{ARCHGRID_PRESET}" "${all_labels}" "${matrix}")
  _archgrid_write_gpu_tests("${arg_TREE}")
endfunction()

# Sets OUT to the matrix file if it has changed since TREE was configured with a copy of it,
# according to COMMAND, else to nothing. Nothing either before the first build, which makes COMMAND:
# then no cell is built.
function(_archgrid_ask_changed_matrix command tree out)
  set(changed "")
  if(EXISTS "${command}")
    execute_process(COMMAND "${command}" changed-matrix "${tree}"
      OUTPUT_VARIABLE changed ERROR_VARIABLE error RESULT_VARIABLE result OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT result EQUAL 0)
      message(FATAL_ERROR "archgrid: ${command} cannot tell whether the matrix file has changed (${result}): ${error}")
    endif()
  endif()
  set(${out} "${changed}" PARENT_SCOPE)
endfunction()

# Adds a failing test with an explanation if LABEL (sm121), which the preset of that device selects,
# is none of LABELS, those of all cells of PLACE: without a test, ctest only says that it found
# none. Presets pass their name, as ARCHGRID_DEVICE may also be set for tests of other labels.
function(_archgrid_add_unserved label labels place)
  if(NOT label MATCHES "^sm[0-9]+$" OR label IN_LIST labels)
    return()
  endif()
  _archgrid_describe_unserved("${label}" "${place}" text)
  add_test("${label}" /bin/sh -c "printf '%s\\n' \"$0\"; exit 1" "${text}")
  set_tests_properties("${label}" PROPERTIES LABELS "${label}")
endfunction()

# Sets OUT to the first case of a GPU test whose GoogleTest name, Suite.Case, matches PATTERN (with
# * and ? as in the matrix file), or to nothing.
function(_archgrid_find_skipped pattern out)
  string(REGEX REPLACE "([][+.\\^$(){}|])" "\\\\\\1" regex "${pattern}")
  string(REPLACE "*" "[^\n]*" regex "${regex}")
  string(REPLACE "?" "[^\n]" regex "${regex}")
  get_property(cases GLOBAL PROPERTY ARCHGRID_GPU_CASES)
  string(REGEX MATCH "\n${regex}\n" found "\n${cases}")
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

# Adds the test SKIPS, which fails if PATTERNS, the masked patterns of tests that the matrix file
# skips, have one that no test of a cell matches. Not added while a cell is not built: its tests are
# unknown, and it fails anyway.
function(_archgrid_add_skips patterns)
  get_property(unbuilt GLOBAL PROPERTY ARCHGRID_UNBUILT)
  if(unbuilt OR "${patterns}" STREQUAL "")
    return()
  endif()
  set(stale "")
  set(index 0)
  foreach(pattern IN LISTS patterns)
    _archgrid_unmask_list_syntax("${pattern}" pattern)
    _archgrid_find_skipped("${pattern}" found)
    if(found STREQUAL "")
      string(APPEND stale
        "matrix.json: skips[${index}]: \"${pattern}\" matches no GPU test of any cell; fix: remove it, or name a test as Suite.Case\n")
    endif()
    math(EXPR index "${index} + 1")
  endforeach()
  add_test(SKIPS sh -c "printf %s \"$0\"; [ -z \"$0\" ]" "${stale}")
  set_tests_properties(SKIPS PROPERTIES LABELS fatbin)
endfunction()

# Adds the audits of a built cell: <id>/AUDIT/smNN per device, or <id>/AUDIT. CELL names the record
# of its status, ARG that of the arguments of _archgrid_add_cell().
function(_archgrid_add_audits planned cell arg)
  _archgrid_plan_get("${planned}" ID id CUDA cuda KIND kind ARCHS archs LABELS labels)
  set(audit "${${arg}_COMMAND}" audit --brief)
  foreach(artifact IN LISTS ${cell}_ARTIFACTS)
    list(APPEND audit "${${arg}_TREE}/cells/${id}/${artifact}")
  endforeach()
  list(APPEND audit --matrix "${${arg}_TREE}/matrix.json" --toolkit "${cuda}" --cell "${id}")
  if(kind STREQUAL "single")
    add_test("${id}/AUDIT" ${audit} --arch "${archs}")
    # The command prints this if its arch serves no promised device: nothing was judged, so
    # nothing passed.
    set_tests_properties("${id}/AUDIT" PROPERTIES LABELS "${labels};fatbin"
      SKIP_REGULAR_EXPRESSION "nothing is promised for the devices that")
  endif()
  set(shared_labels ${labels})
  list(FILTER shared_labels EXCLUDE REGEX "^sm[0-9]+$")
  foreach(device IN LISTS ${arg}_DEVICES)
    string(REPLACE "." "" sm "sm${device}")
    add_test("${id}/AUDIT/${sm}" ${audit} --device "${device}")
    set_tests_properties("${id}/AUDIT/${sm}" PROPERTIES LABELS "${shared_labels};fatbin;${sm}")
  endforeach()
endfunction()

# _archgrid_add_cell(<cell of the plan> TREE <tree> COMMAND <archgrid> CMAKE <cmake or nothing>
#   CHANGED_MATRIX <matrix file if it has changed> [AUDITED [DEVICES <device>...]])
#
# Adds the tests of one cell: <id>/BUILT and, if it was built, its audits (<id>/AUDIT/smNN per
# device, or <id>/AUDIT) and its own tests. If the cell is not in the state of its last build step,
# its programs would be stale, so only BUILT runs. Without CMAKE there is no BUILT test (a bundle
# contains built cells only).
function(_archgrid_add_cell planned)
  cmake_parse_arguments(PARSE_ARGV 1 arg "AUDITED" "TREE;COMMAND;CMAKE;CHANGED_MATRIX" "DEVICES")
  _archgrid_plan_get("${planned}" ID id CUDA cuda KIND kind ARCHS archs LABELS labels TARGETS targets)
  _archgrid_read_cell_status("${arg_TREE}/cells/${id}.json" cell)
  set(changed "")
  if(arg_CHANGED_MATRIX)
    set(cell_STATUS stale)
    set(changed "-DCHANGED_MATRIX=${arg_CHANGED_MATRIX}")
  endif()
  _archgrid_enter_cell("" "" "")
  if(arg_CMAKE)
    add_test("${id}/BUILT" "${arg_CMAKE}" "-DSTATUS=${arg_TREE}/cells/${id}.json" "-DCELL=${id}" ${changed}
      -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/show_cell.cmake")
    set_tests_properties("${id}/BUILT" PROPERTIES LABELS "${labels};fatbin")
  endif()
  if(NOT cell_STATUS STREQUAL "built")
    set_property(GLOBAL APPEND PROPERTY ARCHGRID_UNBUILT "${id}")
    return()
  endif()
  if(arg_AUDITED)
    _archgrid_add_audits("${planned}" cell arg)
  endif()
  if(EXISTS "${arg_TREE}/cells/${id}/CTestTestfile.cmake")
    set(environment "ARCHGRID_CELL=${id}" "ARCHGRID_TOOLKIT=${cuda}" "ARCHGRID_MATRIX=${arg_TREE}/matrix.json")
    if(kind STREQUAL "single")
      # A GPU that this arch does not serve is the wrong one for the cell.
      list(APPEND environment "ARCHGRID_ARCH=${archs}")
    endif()
    _archgrid_enter_cell("${id}" "${labels}" "${environment}")
    if(targets)
      set_property(GLOBAL PROPERTY ARCHGRID_PARTIAL_CELL "${arg_TREE}/cells/${id}")
    endif()
    subdirs("${arg_TREE}/cells/${id}")
    set_property(GLOBAL PROPERTY ARCHGRID_PARTIAL_CELL "")
    _archgrid_enter_cell("" "" "")
  endif()
endfunction()
