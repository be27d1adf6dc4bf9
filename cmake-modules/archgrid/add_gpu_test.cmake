# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

include_guard(GLOBAL)

#[=======================================================================[.rst:
archgrid_add_gpu_test
---------------------

Registers every test of a GoogleTest program that links archgrid::gtest with ctest::

  archgrid_add_gpu_test(<target>
    [LABELS <label>...]   # beside `gpu`, or `perf`
    [PERF]                # measures time: labelled `perf`, and nothing runs beside it
    [LEGS <leg>...]       # runs the whole program once more in these ways, each a test of that label
    [TIMEOUT <seconds>])  # for one test; default 300

Legs: ``jit`` compiles every kernel from its PTX, and fails for one that has none; ``eager`` loads all
kernels when the program starts; ``sanitizer`` runs under compute-sanitizer, and counts as skipped where
there is none. The leg ``jit`` of ``gemm_test`` is the test ``gemm.LEG.jit``.

The tests are listed when the program is built, which needs no GPU. A test ``Suite.Case`` of the target
``gemm_test`` becomes ``gemm.Suite.Case``, takes one slot of the resource ``gpus``, and counts as skipped
when the program exits with 77. A disabled test is registered as disabled.

A program that cannot be listed (a shared library is missing, say) does not break the build: it becomes one
failing test ``gemm_test.LISTED`` that shows what the program said. So does one that holds no test.

Each test ends itself a little before its TIMEOUT, and says during which test of the program that was.

Errors: a target that does not exist or is no executable; an unknown argument or leg; a TIMEOUT that is none.
#]=======================================================================]
function(archgrid_add_gpu_test target)
  list(APPEND CMAKE_MESSAGE_CONTEXT archgrid)
  cmake_parse_arguments(PARSE_ARGV 1 arg "PERF" "TIMEOUT" "LABELS;LEGS")
  if(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "archgrid_add_gpu_test(${target}): unknown or empty arguments: ${arg_UNPARSED_ARGUMENTS} ${arg_KEYWORDS_MISSING_VALUES}. Known: LABELS <label>..., LEGS <leg>..., PERF, TIMEOUT <seconds>.")
  endif()
  foreach(leg IN LISTS arg_LEGS)
    if(NOT leg MATCHES "^(jit|eager|sanitizer)$")
      message(FATAL_ERROR "archgrid_add_gpu_test(${target}): there is no leg ${leg}. Known: jit, eager, sanitizer.")
    endif()
  endforeach()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "archgrid_add_gpu_test(${target}): there is no such target. Call add_executable(${target} ...) first.")
  endif()
  get_target_property(type ${target} TYPE)
  if(NOT type STREQUAL "EXECUTABLE")
    message(FATAL_ERROR "archgrid_add_gpu_test(${target}): this target is a ${type}. Name an executable.")
  endif()
  if("${arg_TIMEOUT}" STREQUAL "")
    set(arg_TIMEOUT 300)
  elseif(NOT "${arg_TIMEOUT}" MATCHES "^[1-9][0-9]*$")
    message(FATAL_ERROR "archgrid_add_gpu_test(${target}): TIMEOUT ${arg_TIMEOUT} is no number of seconds. Write a whole number above 0.")
  endif()
  set(kind gpu)
  if(arg_PERF)
    set(kind perf)
  endif()

  set(list "${CMAKE_CURRENT_BINARY_DIR}/${target}-tests.cmake")
  list(JOIN arg_LABELS "," labels)
  list(JOIN arg_LEGS "," legs)
  add_custom_command(TARGET ${target} POST_BUILD
    COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=$<TARGET_FILE:${target}>" "-DTARGET=${target}" "-DOUTPUT=${list}"
      "-DKIND=${kind}" "-DLABELS=${labels}" "-DTIMEOUT=${arg_TIMEOUT}"
      "-DLEGS=${legs}" "-DTOOLKIT=${CUDAToolkit_BIN_DIR}/.."
      -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/detail/list_gpu_tests.cmake"
    BYPRODUCTS "${list}"
    VERBATIM)
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${list}")
  _archgrid_write_unbuilt_tests(${target} "${list}")
endfunction()

# Until the program is built for the first time, its list holds one failing test that says so.
function(_archgrid_write_unbuilt_tests target list)
  if(EXISTS "${list}")
    return()
  endif()
  include("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/detail/gpu_test_list.cmake")
  _archgrid_write_failing_list("${list}" ${target} "${target} has not been built.")
endfunction()
