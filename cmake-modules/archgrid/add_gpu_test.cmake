# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

include_guard(GLOBAL)

#[=======================================================================[.rst:
archgrid_add_gpu_test
---------------------

Registers a GoogleTest program that links archgrid::gtest with ctest::

  archgrid_add_gpu_test(<target>
    [LABELS <label>...]           # in addition to `gpu`, or `perf`
    [PERF]                        # measures time: label `perf`, and no other test runs at that time
    [SUITES | SHARDS <n>]         # several ctest tests instead of one; they may use several GPUs
    [LEGS <leg>...]               # runs the program again in each of these ways, as one test each
    [TIMEOUT <seconds>]           # for one case, and for the program's start; default 300
    [PROGRAM_TIMEOUT <seconds>])  # for one ctest test; default 3600

``gemm_test`` becomes the test ``gemm``: one process, which proves its kernels once. It takes one
slot of the resource ``gpus``, and counts as skipped if the program exits with 77. Its record lists
the cases with outcome and time. After a crash, the record names the case that was running and those
that did not run. ``GTEST_FILTER`` in ctest's environment selects cases; a program without a
selected case counts as skipped.

``SUITES`` adds a test for each GoogleTest suite, ``gemm.Suite``. ``SHARDS 4`` adds the tests
``gemm.SHARD.1`` to ``gemm.SHARD.4``, each with a quarter of the cases (``GTEST_TOTAL_SHARDS``).

Legs: ``jit`` compiles every kernel from its PTX, and fails if one has none. ``eager`` loads all
kernels when the program starts. ``sanitizer`` runs under compute-sanitizer, and counts as skipped
if that is not installed. The leg ``jit`` of ``gemm_test`` is the test ``gemm.LEG.jit``, with the
label ``jit``.

The build of the program lists its cases, without a GPU. A suite with only disabled cases is
registered as disabled. A program that cannot be listed (because a shared library is missing, say),
or that contains no test, does not break the build: it becomes one failing test ``gemm_test.LISTED``
that shows the program's output.

A case that takes longer than TIMEOUT ends the program, which reports it. ctest ends a program that
takes longer than PROGRAM_TIMEOUT.

Errors: a target that does not exist or is not an executable; an unknown argument or leg; an invalid
number; SUITES and SHARDS together.
#]=======================================================================]
function(archgrid_add_gpu_test target)
  list(APPEND CMAKE_MESSAGE_CONTEXT archgrid)
  cmake_parse_arguments(PARSE_ARGV 1 arg "PERF;SUITES" "TIMEOUT;PROGRAM_TIMEOUT;SHARDS" "LABELS;LEGS")
  _archgrid_check_gpu_test(${target} arg)
  set(kind gpu)
  if(arg_PERF)
    set(kind perf)
  endif()

  set(list "${CMAKE_CURRENT_BINARY_DIR}/${target}-tests.cmake")
  list(JOIN arg_LABELS "," labels)
  list(JOIN arg_LEGS "," legs)
  add_custom_command(TARGET ${target} POST_BUILD
    COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=$<TARGET_FILE:${target}>" "-DTARGET=${target}" "-DOUTPUT=${list}"
      "-DKIND=${kind}" "-DLABELS=${labels}" "-DTIMEOUT=${arg_TIMEOUT}" "-DPROGRAM_TIMEOUT=${arg_PROGRAM_TIMEOUT}"
      "-DSUITES=${arg_SUITES}" "-DSHARDS=${arg_SHARDS}"
      "-DLEGS=${legs}" "-DTOOLKIT=${CUDAToolkit_BIN_DIR}/.."
      -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/detail/list_gpu_tests.cmake"
    BYPRODUCTS "${list}"
    VERBATIM)
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${list}")
  _archgrid_write_unbuilt_tests(${target} "${list}")
endfunction()

# Fails unless archgrid_add_gpu_test can register TARGET with the parsed arguments of the record
# ARG. Sets the default of each number there that is missing.
function(_archgrid_check_gpu_test target arg)
  if(${arg}_UNPARSED_ARGUMENTS OR ${arg}_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR
      "archgrid_add_gpu_test(${target}): unknown or empty arguments: ${${arg}_UNPARSED_ARGUMENTS} ${${arg}_KEYWORDS_MISSING_VALUES}. Known: LABELS <label>..., LEGS <leg>..., PERF, PROGRAM_TIMEOUT <seconds>, SHARDS <n>, SUITES, TIMEOUT <seconds>.")
  endif()
  foreach(leg IN LISTS ${arg}_LEGS)
    if(NOT leg MATCHES "^(jit|eager|sanitizer)$")
      message(FATAL_ERROR "archgrid_add_gpu_test(${target}): there is no leg ${leg}. Known: jit, eager, sanitizer.")
    endif()
  endforeach()
  if(NOT TARGET ${target})
    message(FATAL_ERROR
      "archgrid_add_gpu_test(${target}): there is no such target. Call add_executable(${target} ...) first.")
  endif()
  get_target_property(type ${target} TYPE)
  if(NOT type STREQUAL "EXECUTABLE")
    message(FATAL_ERROR "archgrid_add_gpu_test(${target}): this target is a ${type}. Name an executable.")
  endif()
  get_target_property(libraries ${target} LINK_LIBRARIES)
  if("archgrid::gtest" IN_LIST libraries AND NOT TARGET archgrid::gtest)
    message(FATAL_ERROR
      "archgrid_add_gpu_test(${target}): it links archgrid::gtest, which does not exist here. Write find_package(ArchGrid REQUIRED COMPONENTS gtest) before.")
  endif()
  if(${arg}_SUITES AND DEFINED ${arg}_SHARDS)
    message(FATAL_ERROR
      "archgrid_add_gpu_test(${target}): SUITES and SHARDS are two ways to divide the program. Name one.")
  endif()
  foreach(number IN ITEMS "TIMEOUT 300 seconds" "PROGRAM_TIMEOUT 3600 seconds" "SHARDS 1 tests")
    string(REPLACE " " ";" number "${number}")
    list(POP_FRONT number name default unit)
    if("${${arg}_${name}}" STREQUAL "")
      set(${arg}_${name} ${default} PARENT_SCOPE)
    elseif(NOT "${${arg}_${name}}" MATCHES "^[1-9][0-9]*$")
      message(FATAL_ERROR
        "archgrid_add_gpu_test(${target}): ${name} ${${arg}_${name}} is no number of ${unit}. Write a whole number above 0.")
    endif()
  endforeach()
endfunction()

# Writes a list with one failing test, which says that the program has not been built yet.
function(_archgrid_write_unbuilt_tests target list)
  if(EXISTS "${list}")
    return()
  endif()
  include("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/detail/gpu_test_list.cmake")
  _archgrid_write_failing_list("${list}" ${target} "${target} has not been built.")
endfunction()
