# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Adds the test gtest-<toolkit>/<name>: PROGRAM, run with ENVIRONMENT and ARGUMENTS under the
# fake runtime, exits with EXIT and its output matches SAYS (regular expressions). Reads
# `toolkit` and `build` of the caller.
function(_archgrid_add_scenario name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PROGRAM;EXIT" "ENVIRONMENT;ARGUMENTS;SAYS;SAYS_NOT;COMMAND")
  if(arg_PROGRAM)
    set(arg_COMMAND "${build}/${arg_PROGRAM}" ${arg_ARGUMENTS})
  endif()
  add_test(NAME gtest-${toolkit}/${name}
    COMMAND "${CMAKE_COMMAND}" -DEXIT=${arg_EXIT} "-DSAYS=${arg_SAYS}" "-DSAYS_NOT=${arg_SAYS_NOT}"
      -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/expect.cmake" --
      "${CMAKE_COMMAND}" -E env --unset=ARCHGRID_DEVICE --unset=ARCHGRID_REQUIRE_GPU --unset=ARCHGRID_MATRIX
      --unset=GTEST_TOTAL_SHARDS --unset=GTEST_FILTER --unset=ARCHGRID_RECORD --unset=CUDA_DISABLE_PTX_JIT
      --unset=CUDA_CACHE_DISABLE --unset=CTEST_RESOURCE_GROUP_0_GPUS
      "LD_LIBRARY_PATH=${build}/fake_cudart" "ARCHGRID_TOOLKIT=${toolkit}" "ARCHGRID_CELL=cell-of-tests"
      ${arg_ENVIRONMENT} ${arg_COMMAND})
  set_tests_properties(gtest-${toolkit}/${name} PROPERTIES
    LABELS harness TIMEOUT 90 FIXTURES_REQUIRED gtest-${toolkit})
  if("${arg_COMMAND}" MATCHES "\\^served\\$") # in ctest every run writes the same record
    set_tests_properties(gtest-${toolkit}/${name} PROPERTIES RESOURCE_LOCK gtest-${toolkit}-served)
  endif()
endfunction()

# Adds the test gtest-<toolkit>/<name>: TEST, which contains a planted error, fails, and its output
# matches the remaining arguments. Also reads `h100`.
function(_archgrid_add_planted name test)
  _archgrid_add_scenario(${name} PROGRAM fixtures_test ARGUMENTS --gtest_filter=${test} EXIT 1
    ENVIRONMENT ${h100} SAYS "1 FAILED TEST" ${ARGN})
endfunction()

# _archgrid_add_gtest_scenarios(<toolkit> <googletest> <root> [ALL_KERNELS])
# Adds the scenarios of one toolkit. GOOGLETEST is "newest" or "own", the machine's. The sources of
# the tests, which are the same for every toolkit, decide whether they notice an idle kernel. With
# ALL_KERNELS programs have all kernels, and benchmarks; otherwise a unit of each library
# (ARCHGRID_KERNEL_UNITS).
function(_archgrid_add_gtest_scenarios toolkit googletest root)
  cmake_parse_arguments(PARSE_ARGV 3 arg ALL_KERNELS "" "")
  set(units simt matrices spmv)
  if(arg_ALL_KERNELS)
    set(units "")
  endif()
  # As deep as cells, so that a compiler cache with CCACHE_BASEDIR recognises their objects.
  set(build "${PROJECT_BINARY_DIR}/programs/gtest-${toolkit}")
  _archgrid_launcher_of_cells(${toolkit} launcher)
  set(here "${CMAKE_CURRENT_FUNCTION_LIST_DIR}")
  add_test(NAME gtest-${toolkit}/BUILD
    COMMAND "${CMAKE_COMMAND}" -DTOOLKIT=${toolkit} "-DSOURCE=${here}/programs" "-DBUILD=${build}" "-DROOT=${root}"
      "-DPACKAGE=${PROJECT_BINARY_DIR}" -DGOOGLETEST=${googletest} "-DKERNEL_UNITS=${units}"
      "-DCUDA_LAUNCHER=${launcher}" -P "${here}/build_programs.cmake")
  set_tests_properties(gtest-${toolkit}/BUILD PROPERTIES
    LABELS harness TIMEOUT 600 FIXTURES_SETUP gtest-${toolkit} PROCESSORS 2)

  set(driver ARCHGRID_FAKE_DRIVER=${toolkit})
  set(h100 ${driver} ARCHGRID_FAKE_DEVICES=9.0)
  set(t4 ${driver} ARCHGRID_FAKE_DEVICES=7.5)
  set(passes ARGUMENTS --gtest_filter=Outcomes.Passes)

  # Selection of the GPU.
  _archgrid_add_scenario(right-gpu PROGRAM served_test ${passes} EXIT 0
    ENVIRONMENT ${h100} ARCHGRID_DEVICE=9.0 ARCHGRID_REQUIRE_GPU=1
    SAYS "gpu      Fake 9.0, 9.0, device 0 of 1" "cell     cell-of-tests"
    "kernels  2, 0 not served, 0 ignored, 1 of NVIDIA's libraries left out")
  _archgrid_add_scenario(second-gpu PROGRAM served_test ${passes} EXIT 0
    ENVIRONMENT ${driver} ARCHGRID_FAKE_DEVICES=7.5,9.0 ARCHGRID_DEVICE=9.0 SAYS "9.0, device 1 of 2")
  _archgrid_add_scenario(wrong-gpu PROGRAM served_test ${passes} EXIT 77
    ENVIRONMENT ${t4} ARCHGRID_DEVICE=9.0 SAYS "archgrid: skipped: wrong-gpu: .*9.0.*7.5")
  _archgrid_add_scenario(wrong-gpu-required PROGRAM served_test ${passes} EXIT 1
    ENVIRONMENT ${t4} ARCHGRID_DEVICE=9.0 ARCHGRID_REQUIRE_GPU=1 SAYS "archgrid: failed: wrong-gpu")
  _archgrid_add_scenario(no-gpu PROGRAM served_test ${passes} EXIT 77
    ENVIRONMENT ${driver} SAYS "archgrid: skipped: no-gpu: the NVIDIA driver shows no GPU")
  _archgrid_add_scenario(no-gpu-required PROGRAM served_test ${passes} EXIT 1
    ENVIRONMENT ${driver} ARCHGRID_REQUIRE_GPU=1 SAYS "archgrid: failed: no-gpu")
  _archgrid_add_scenario(no-driver PROGRAM served_test ${passes} EXIT 77
    SAYS "skipped: no-gpu: no NVIDIA driver is installed")
  _archgrid_add_scenario(old-driver PROGRAM served_test ${passes} EXIT 77
    ENVIRONMENT ARCHGRID_FAKE_DRIVER=10.2 ARCHGRID_FAKE_DEVICES=9.0
    SAYS "skipped: no-gpu: the NVIDIA driver knows CUDA 10.2")
  _archgrid_add_scenario(broken-gpu PROGRAM served_test ${passes} EXIT 1
    ENVIRONMENT ${h100} ARCHGRID_FAKE_FAIL=cudaGetDeviceCount=700 SAYS "failed: broken-gpu: .*cudaErrorIllegalAddress")
  _archgrid_add_scenario(arch-of-another-gpu PROGRAM served_test ${passes} EXIT 77
    ENVIRONMENT ${t4} ARCHGRID_ARCH=90a SAYS "skipped: wrong-gpu: .*90a, which does not serve 7.5")
  _archgrid_add_scenario(arch-of-the-second-gpu PROGRAM served_test ${passes} EXIT 0
    ENVIRONMENT ${driver} ARCHGRID_FAKE_DEVICES=7.5,9.0 ARCHGRID_ARCH=90a SAYS "9.0, device 1 of 2")
  _archgrid_add_scenario(unpromised-gpu PROGRAM served_test ${passes} EXIT 77
    ENVIRONMENT ${t4} "ARCHGRID_MATRIX=${here}/programs/ignores_second.json" SAYS "promises nothing for 7.5")
  _archgrid_add_scenario(unpromised-gpu-of-a-single-cell PROGRAM served_test ${passes} EXIT 0
    ENVIRONMENT ${t4} ARCHGRID_ARCH=75 "ARCHGRID_MATRIX=${here}/programs/ignores_second.json"
    SAYS "kernels  2, 0 not served")

  # Checks that every kernel has code for the GPU.
  _archgrid_add_scenario(missing-kernel PROGRAM missing_test ${passes} EXIT 1 ENVIRONMENT ${h100}
    SAYS "missing on 9.0: second_kernel\\(int\\*\\) in [^\n]*missing_test of cell cell-of-tests: [^\n]*Fix: [^\n]*90"
      "archgrid: failed: kernels"
    SAYS_NOT "first_kernel")
  _archgrid_add_scenario(missing-kernel-elsewhere PROGRAM missing_test ${passes} EXIT 0 ENVIRONMENT ${t4}
    SAYS "kernels  2, 0 not served")
  _archgrid_add_scenario(missing-kernel-ignored PROGRAM missing_test ${passes} EXIT 0
    ENVIRONMENT ${h100} "ARCHGRID_MATRIX=${here}/programs/ignores_second.json" SAYS "0 not served, 1 ignored")
  _archgrid_add_scenario(missing-kernel-in-library PROGRAM loaded_test ${passes} EXIT 1 ENVIRONMENT ${h100}
    SAYS "missing on 9.0: second_kernel\\(int\\*\\) in [^\n]*liblacking.so")
  _archgrid_add_scenario(missing-kernel-loaded-late PROGRAM served_test EXIT 1
    ARGUMENTS --gtest_filter=Library.IsLoadedByATest
    ENVIRONMENT ${h100} "PROGRAMS_LIBRARY=${build}/liblacking.so"
    SAYS "kernels  2, 0 not served" "missing on 9.0: second_kernel\\(int\\*\\) in [^\n]*liblacking.so"
      "loaded   by Library.IsLoadedByATest: 1 kernels, 1 not served" "FAILED  . Library.IsLoadedByATest")
  _archgrid_add_scenario(library-loaded-late PROGRAM served_test EXIT 0
    ARGUMENTS --gtest_filter=Library.IsLoadedByATest
    ENVIRONMENT ${h100} "PROGRAMS_LIBRARY=${build}/libserved.so"
    SAYS "loaded   by Library.IsLoadedByATest: 1 kernels, 0 not served" "tests    1 passed")
  _archgrid_add_scenario(missing-kernel-gone-again PROGRAM served_test EXIT 1
    ARGUMENTS --gtest_filter=Library.IsLoadedAndGoneAgain
    ENVIRONMENT ${h100} "PROGRAMS_LIBRARY=${build}/liblacking.so"
    SAYS "missing on 9.0: second_kernel" "loaded   by Library.IsLoadedAndGoneAgain: 1 kernels, 1 not served")
  _archgrid_add_scenario(no-kernels PROGRAM empty_test ${passes} EXIT 1 ENVIRONMENT ${h100} SAYS "no-device-code")
  _archgrid_add_scenario(stripped PROGRAM stripped_test ${passes} EXIT 1 ENVIRONMENT ${h100}
    SAYS "stripped: [^\n]*stripped_test")
  _archgrid_add_scenario(ptx-only PROGRAM ptx_test ${passes} EXIT 1 ENVIRONMENT ${h100} SAYS "jit on 9.0: first_kernel")
  _archgrid_add_scenario(ptx-only-accepted PROGRAM ptx_test ARGUMENTS --gtest_filter=Jit.IsAllowed EXIT 0
    ENVIRONMENT ${h100} "ARCHGRID_MATRIX=${here}/programs/accepts_jit.json")
  _archgrid_add_scenario(ptx-only-cell PROGRAM ptx_test ARGUMENTS --gtest_filter=Jit.IsAllowed EXIT 0
    ENVIRONMENT ${h100} ARCHGRID_ARCH=75-virtual "ARCHGRID_MATRIX=${here}/programs/ignores_second.json")
  _archgrid_add_scenario(ptx-only-cell-without-promises PROGRAM ptx_test ARGUMENTS --gtest_filter=Jit.IsAllowed EXIT 0
    ENVIRONMENT ${t4} ARCHGRID_ARCH=75-virtual SAYS "kernels  1, 0 not served")
  _archgrid_add_scenario(jit-forbidden PROGRAM served_test ARGUMENTS --gtest_filter=Jit.IsForbidden
    EXIT 0 ENVIRONMENT ${h100})

  # Runtimes of other toolkits.
  _archgrid_add_scenario(foreign-runtime PROGRAM served_test ${passes} EXIT 1
    ENVIRONMENT ${h100} ARCHGRID_FAKE_RUNTIME=12.1 SAYS "failed: foreign-runtime: .*another toolkit's runtime, 12.1")
  # In CUDA 11 a runtime without a GPU does not say its version.
  if(toolkit VERSION_GREATER_EQUAL 12.0)
    _archgrid_add_scenario(foreign-runtime-without-gpu PROGRAM served_test ${passes} EXIT 1
      ENVIRONMENT ${driver} ARCHGRID_FAKE_RUNTIME=12.1 SAYS "failed: foreign-runtime")
  endif()
  _archgrid_add_scenario(foreign-headers PROGRAM served_test ${passes} EXIT 1
    ENVIRONMENT ${h100} ARCHGRID_TOOLKIT=12.1 SAYS "failed: foreign-runtime: .*the headers of ${toolkit}")

  # Outcomes of tests.
  _archgrid_add_scenario(fails PROGRAM served_test ARGUMENTS --gtest_filter=Outcomes.Fails EXIT 1 ENVIRONMENT ${h100})
  _archgrid_add_scenario(fails-beside-a-skip PROGRAM served_test EXIT 1 ENVIRONMENT ${h100}
    ARGUMENTS --gtest_filter=Outcomes.Fails:Outcomes.Skips SAYS "SKIPPED" "FAILED")
  _archgrid_add_scenario(fails-and-skips PROGRAM served_test
    ARGUMENTS --gtest_filter=Outcomes.FailsAndSkips EXIT 1 ENVIRONMENT ${h100})
  _archgrid_add_scenario(passes-beside-a-skip PROGRAM served_test EXIT 0 ENVIRONMENT ${h100}
    ARGUMENTS --gtest_filter=Outcomes.Passes:Outcomes.Skips)
  _archgrid_add_scenario(all-skipped PROGRAM served_test ARGUMENTS --gtest_filter=Outcomes.Skips
    EXIT 77 ENVIRONMENT ${h100}
    SAYS "archgrid: skipped: all-skipped: 1 of 1 tests. Outcomes.Skips: this GPU has no frobnicator\n$")
  _archgrid_add_scenario(all-skipped-required PROGRAM served_test ARGUMENTS --gtest_filter=Outcomes.Skips EXIT 77
    ENVIRONMENT ${h100} ARCHGRID_REQUIRE_GPU=1 SAYS "archgrid: skipped: all-skipped")
  _archgrid_add_scenario(nothing-selected PROGRAM served_test ARGUMENTS --gtest_filter=Outcomes.None
    EXIT 1 ENVIRONMENT ${h100}
    SAYS "failed: no-tests: no enabled test matches --gtest_filter=Outcomes.None")
  _archgrid_add_scenario(empty-shard PROGRAM served_test ${passes} EXIT 77
    ENVIRONMENT ${h100} GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=1
    SAYS "Outcomes.\n  Passes\narchgrid: skipped: empty-shard" SAYS_NOT "Fails")
  _archgrid_add_scenario(empty-shard-required PROGRAM served_test ${passes} EXIT 77
    ENVIRONMENT ${h100} ARCHGRID_REQUIRE_GPU=1 GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=1 SAYS "skipped: empty-shard")
  foreach(index IN ITEMS 0 1)
    _archgrid_add_scenario(nothing-selected-in-shard-${index} PROGRAM served_test
      ARGUMENTS --gtest_filter=Outcomes.None EXIT 1
      ENVIRONMENT ${h100} GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=${index} SAYS "failed: no-tests: [^\n]*Outcomes.None")
  endforeach()
  _archgrid_add_scenario(nothing-selected-in-the-only-shard PROGRAM served_test
    ARGUMENTS --gtest_filter=Outcomes.None EXIT 1
    ENVIRONMENT ${h100} GTEST_TOTAL_SHARDS=1 GTEST_SHARD_INDEX=0 SAYS "failed: no-tests" SAYS_NOT "skipped")
  _archgrid_add_scenario(empty-shard-keeps-its-results EXIT 0
    ENVIRONMENT ${h100} GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=1
    COMMAND sh -c
      "'${build}/served_test' --gtest_filter=Outcomes.Passes '--gtest_output=xml:${build}/empty-shard.xml' || cat '${build}/empty-shard.xml'"
    SAYS "<testsuites [^\n]*failures=\"0\"")
  _archgrid_add_scenario(error-left-behind PROGRAM served_test
    ARGUMENTS --gtest_filter=Outcomes.LeavesAnErrorBehind EXIT 1
    ENVIRONMENT ${h100} SAYS
    "Outcomes.LeavesAnErrorBehind left a CUDA error behind: .*cudaErrorInvalidDevice \\(101\\)")
  _archgrid_add_scenario(failing-call PROGRAM served_test ARGUMENTS --gtest_filter=Outcomes.ExpectsAFailingCall EXIT 1
    ENVIRONMENT ${h100} SAYS "cudaSetDevice\\(99\\)"
    "returned cudaErrorInvalidDevice \\(101\\), fake: invalid device" "the message"
    SAYS_NOT "left a CUDA error behind")

  _archgrid_add_kernel_scenarios()

  # Fixtures: each planted error is reported by name.
  _archgrid_add_scenario(fixtures PROGRAM fixtures_test EXIT 0 ENVIRONMENT ${h100}
    ARGUMENTS --gtest_filter=Fixtures.*:Launches.*:ToolkitNumbers/*
    SAYS "PASSED  . 25 tests" SAYS_NOT "archgrid: seed")
  set(thousand "C, a buffer of 1000 elements of 4 bytes in device memory,")
  set(ten_doubles "a buffer of 10 elements of 8 bytes in device memory,")
  set(ten "C, a buffer of 10 elements of 4 bytes in device memory,")
  _archgrid_add_planted(written-before Planted.WritesOneByteBefore
    "${thousand} was written before its start: 1 byte changed, of element -1 .byte -1.\n")
  _archgrid_add_planted(written-past Planted.WritesOneBytePast
    "${thousand} was written beyond its end: 1 byte changed, of element 1000 .byte 4000.\n")
  _archgrid_add_scenario(written-past-where-failures-throw PROGRAM fixtures_test EXIT 1 ENVIRONMENT ${h100}
    ARGUMENTS --gtest_filter=Planted.WritesOneBytePast --gtest_throw_on_failure SAYS
    "${thousand} was written beyond its end")
  _archgrid_add_planted(written-far-past Planted.WritesFarPast
    "C, ${ten_doubles} was written beyond its end: 2 bytes changed, from element 22 .byte 180. to element 521 .byte 4175.\n")
  _archgrid_add_planted(written-far-before Planted.WritesFarBefore
    "\n${ten_doubles} was written before its start: 1 byte changed, of element -512 .byte -4096.\n")
  _archgrid_add_planted(written-before-an-offset-buffer Planted.WritesBeforeAnOffsetBuffer
    "${ten} was written before its start: 1 byte changed, of element -1 .byte -2.\n")
  _archgrid_add_planted(written-past-pinned Planted.WritesPastAPinnedBuffer
    "C, a buffer of 10 elements of 4 bytes in pinned memory, was written beyond its end: 4 bytes changed, from element 10 .byte 40. to element 10 .byte 43.\n")
  _archgrid_add_planted(written-past-empty Planted.WritesPastAnEmptyBuffer
    "C, a buffer of 0 elements of 4 bytes in device memory, was written beyond its end: 4 bytes changed, from element 0 .byte 0.")
  _archgrid_add_planted(written-past-view Planted.WritesPastTheEndOfAView
    "${ten} was written beyond its end: 1 byte changed, of element 10 ")
  _archgrid_add_planted(written-and-checked Planted.IsSeenByACheck
    "${ten} was written beyond its end: .*Failed\nchecked")
  _archgrid_add_planted(guard-copied Planted.CopiesOneGuardIntoAnother
    "${ten} was written beyond its end: [0-9]+ bytes changed, from element 10 .byte 40. to element 31 ")
  _archgrid_add_planted(poison-copied Planted.CopiesPoisonIntoAGuard
    "${ten} was written beyond its end: [1-4] bytes? changed, [^\n]*element 10 ")
  _archgrid_add_planted(written-and-told-once PlantedInAProgram.*
    "of the program, a buffer of 10 elements [^\n]* was written beyond its end: 1 byte changed, of element 10 "
    "FAILED  . PlantedInAProgram.WritesPastABufferThatLivesOn" "PASSED  . 1 test")
  _archgrid_add_planted(never-written Planted.ReadsWhatWasNeverWritten
    "1 of 3 elements are beyond the error bound, 1 of them NaN. the worst, element 1, is nan, never written, instead of 1,")
  _archgrid_add_planted(integer-never-written Planted.ReadsAnIntegerThatWasNeverWritten
    "1 of 1 elements are wrong. the first, element 0, is 2147450879, never written, instead of 1")
  _archgrid_add_planted(nan Planted.ComputesNan
    "1 of 2 elements are beyond the error bound, 1 of them NaN. the worst, element 0, is -?nan instead of 1")
  _archgrid_add_planted(infinity Planted.ComputesInfinity
    "1 of 2 elements are beyond the error bound, 1 of them infinite. the worst, element 1, is -inf instead of 1")
  _archgrid_add_planted(another-size Planted.ComparesAnotherSize "has 2 elements instead of 3")
  _archgrid_add_planted(nothing-compared Planted.ComparesNothing "has no elements, which proves nothing")
  _archgrid_add_planted(another-error Planted.ExpectsAnotherError
    "cudaSetDevice.99.\n +returned cudaErrorInvalidDevice [^\n]*\n +instead of cudaErrorInvalidValue [^\n]*\nthe message")
  _archgrid_add_planted(no-error Planted.ExpectsAnErrorOfACallThatPasses
    "cudaSetDevice.0.\n +returned cudaSuccess [^\n]*\n +instead of cudaErrorInvalidDevice")
  _archgrid_add_planted(seed-printed PlantedSeed.IsPrinted
    "archgrid: seed     1 of PlantedSeed.IsPrinted. --archgrid_seed=1 repeats it")
  _archgrid_add_scenario(seed-not-asked PROGRAM fixtures_test EXIT 1 ENVIRONMENT ${h100}
    ARGUMENTS --gtest_filter=PlantedSeed.IsNotPrintedWhereNoneWasAsked SAYS "1 FAILED TEST" SAYS_NOT "archgrid: seed")
  _archgrid_add_scenario(seed-recorded EXIT 0 ENVIRONMENT ${h100}
    COMMAND sh -c
      "'${build}/fixtures_test' --gtest_filter=Fixtures.SeedsAreOfTheTest '--gtest_output=xml:${build}/seed.xml' || cat '${build}/seed.xml'"
    SAYS "<property name=\"archgrid_seed\" value=\"1\"")
  set(illegal ENVIRONMENT ${h100} ARCHGRID_FAKE_FAIL=cudaDeviceSynchronize=700)
  _archgrid_add_scenario(destroyed-after-an-error PROGRAM fixtures_test EXIT 1 ${illegal}
    ARGUMENTS --gtest_filter=Planted.DestroysABufferAfterAnIllegalAddress
    SAYS "left a CUDA error behind: [^\n]*cudaErrorIllegalAddress" SAYS_NOT "was written" "is unknown")
  _archgrid_add_scenario(read-after-an-error PROGRAM fixtures_test EXIT 1 ${illegal}
    ARGUMENTS --gtest_filter=Planted.ReadsABufferAfterAnIllegalAddress
    SAYS
    "cudaDeviceSynchronize before C, a buffer of 1000 elements of 4 bytes in device memory is read: cudaErrorIllegalAddress" SAYS_NOT "was written")
  # The three copies that create a buffer, of the guards and of the first piece of poison, succeed.
  _archgrid_add_scenario(guards-unreadable PROGRAM fixtures_test EXIT 1
    ENVIRONMENT ${h100} "ARCHGRID_FAKE_FAIL=cudaMemcpy#6=1"
    ARGUMENTS --gtest_filter=Planted.WritesOneBytePast
    SAYS
    "whether something was written before its start is unknown: cudaMemcpy from C, a buffer of 1000 elements of 4 bytes in device memory: cudaErrorInvalidValue")
  _archgrid_add_scenario(no-memory PROGRAM fixtures_test EXIT 1 ARGUMENTS --gtest_filter=Planted.HasNoMemory
    ENVIRONMENT ${h100} ARCHGRID_FAKE_FAIL=cudaMalloc=2
    SAYS "cudaMalloc of C, a buffer of 1000 elements of 4 bytes in device memory: cudaErrorMemoryAllocation")
  _archgrid_add_scenario(refused-launches PROGRAM fixtures_test EXIT 1 ARGUMENTS --gtest_filter=Launches.*
    ENVIRONMENT ${h100} ARCHGRID_FAKE_FAIL=cudaLaunchKernel=209
    SAYS "fill<<<1, 1>>>.out.data.., 1.\n +returned cudaErrorNoKernelImageForDevice [^\n]*\nthe message"
      "launch_fill.out.data...\n +returned cudaErrorNoKernelImageForDevice" "2 FAILED TESTS"
    SAYS_NOT "left a CUDA error behind")
  _archgrid_add_scenario(failed-launches PROGRAM fixtures_test EXIT 1 ${illegal} ARGUMENTS --gtest_filter=Launches.*
    SAYS
    "fill<<<1, 1>>>.out.data.., 1.\n +was launched, but cudaDeviceSynchronize..\n +returned cudaErrorIllegalAddress")
  _archgrid_add_scenario(documented-example PROGRAM example_test EXIT 1 ENVIRONMENT ${h100}
    SAYS "kernels  1, 0 not served" "never written" "archgrid: seed     1 of " "2 FAILED TESTS")

  # Usage.
  _archgrid_add_scenario(bad-device PROGRAM served_test ${passes} EXIT 2 ENVIRONMENT ${h100} ARCHGRID_DEVICE=sm90
    SAYS "ARCHGRID_DEVICE=sm90: expected the compute capability")
  _archgrid_add_scenario(bad-flag PROGRAM served_test ARGUMENTS --archgrid_devise=9.0 EXIT 2 ENVIRONMENT ${h100}
    SAYS "unknown flag --archgrid_devise=9.0")
  _archgrid_add_scenario(unknown-variable PROGRAM served_test ${passes} EXIT 2 ENVIRONMENT ${h100}
    ARCHGRID_REQUIRE_GPUS=1
    SAYS "unknown environment variable ARCHGRID_REQUIRE_GPUS: unset it")
  # Every option by flag and by variable, with a valid and an invalid value.
  foreach(option IN ITEMS "device|9.0|nine" "require_gpu|1|yes" "matrix|${here}/programs/skips.json|nowhere.json"
      "toolkit|${toolkit}|thirteen" "arch|90|ninety" "empty|fail|sometimes" "load|eager|late"
      "seed|18|many" "timeout|60|soon"
      "cell|my-cell|" "json|${build}/option.json|")
    string(REPLACE "|" ";" option "${option}")
    list(GET option 0 name)
    list(GET option 1 good)
    list(GET option 2 bad)
    string(TOUPPER "ARCHGRID_${name}" variable)
    _archgrid_add_scenario(option-${name} PROGRAM served_test ${passes} --archgrid_${name}=${good}
      EXIT 0 ENVIRONMENT ${h100})
    _archgrid_add_scenario(option-${name}-by-variable PROGRAM served_test ${passes} EXIT 0
      ENVIRONMENT ${h100} "${variable}=${good}")
    if(NOT bad STREQUAL "")
      _archgrid_add_scenario(option-${name}-refused PROGRAM served_test ${passes} --archgrid_${name}=${bad} EXIT 2
        ENVIRONMENT ${h100} SAYS "--archgrid_${name}=${bad}: expected")
      _archgrid_add_scenario(option-${name}-by-variable-refused PROGRAM served_test ${passes} EXIT 2
        ENVIRONMENT ${h100} "${variable}=${bad}" SAYS "${variable}=${bad}: expected")
    endif()
  endforeach()
  _archgrid_add_scenario(bad-googletest-flag PROGRAM served_test ARGUMENTS --gtest_filtre=X EXIT 2 ENVIRONMENT ${h100}
    SAYS "unknown argument --gtest_filtre=X")
  _archgrid_add_scenario(bad-matrix PROGRAM served_test ${passes} EXIT 2
    ENVIRONMENT ${h100} "ARCHGRID_MATRIX=${here}/CMakeLists.txt" SAYS "CMakeLists.txt")
  _archgrid_add_scenario(lists-without-cuda PROGRAM served_test ARGUMENTS --gtest_list_tests EXIT 0
    ENVIRONMENT ARCHGRID_FAKE_FAIL=malformed ARCHGRID_DEVICE=sm90 SAYS "Outcomes\\." "FailsAndSkips")

  # Results in ctest.
  set(ctest COMMAND "${CMAKE_CTEST_COMMAND}" --test-dir "${build}" -V)
  set(served ${ctest} -R "^served$" ENVIRONMENT ${h100})
  _archgrid_add_scenario(ctest-pass ${served} GTEST_FILTER=Outcomes.Passes EXIT 0
    SAYS "100% tests passed, 0 tests failed out of 1" "ARCHGRID_TIMEOUT=5\n"
    "Test timeout computed to be: 40\n" SAYS_NOT "Skipped")
  _archgrid_add_scenario(ctest-skip ${served} GTEST_FILTER=Outcomes.Skips EXIT 0 SAYS "Skipped")
  _archgrid_add_scenario(ctest-fails-and-skips ${served} GTEST_FILTER=Outcomes.FailsAndSkips EXIT failure
    SAYS "1 tests failed out of 1" SAYS_NOT "Skipped [0-9]")
  _archgrid_add_scenario(ctest-odd-parameters ${served} GTEST_FILTER=Values/Odd.IsListed/* EXIT 0
    SAYS "archgrid: tests    8 passed\n" "100% tests passed, 0 tests failed out of 1")
  _archgrid_add_scenario(ctest-no-match ${served} GTEST_FILTER=Outcomes.None EXIT 0
    SAYS "archgrid: skipped: no-match: no enabled test matches GTEST_FILTER=Outcomes.None\n"
    "Skipped" SAYS_NOT "archgrid: kernels")
  _archgrid_add_scenario(no-match-by-the-command-line PROGRAM served_test ARGUMENTS --gtest_filter=Outcomes.None EXIT 1
    ENVIRONMENT ${h100} GTEST_FILTER=Outcomes.None
    SAYS "failed: no-tests: no enabled test matches --gtest_filter=Outcomes.None")
  _archgrid_add_scenario(ctest-labels ${ctest} --show-only --label-regex "^extra$" EXIT 0
    SAYS "Test +#[0-9]+: served\n" "Total Tests: 1\n")
  _archgrid_add_scenario(ctest-perf-labels ${ctest} --show-only --label-regex "^perf$" EXIT 0
    SAYS "Test +#[0-9]+: empty\n" "Total Tests: [1-9]\n" SAYS_NOT "served")
  set(suites ${ctest} -R "^own_main_lacking[.]")
  _archgrid_add_scenario(ctest-suites ${suites} EXIT 0 ENVIRONMENT ${t4}
    SAYS "own_main_lacking[.]ArchCoverage [.]+ +Passed" "own_main_lacking[.]Suite [.]+ +Passed"
    "tests failed out of 2\n"
      "archgrid: tests    3 passed\n" "archgrid: tests    1 passed\n")
  _archgrid_add_scenario(ctest-suites-and-a-filter ${suites} EXIT 0 ENVIRONMENT ${t4} GTEST_FILTER=*OnTheDevice
    SAYS "GTEST_FILTER=[*]OnTheDevice\n" "own_main_lacking[.]ArchCoverage [.]+[*]+Skipped"
    "archgrid: tests    1 passed\n"
      "own_main_lacking[.]Suite [.]+ +Passed")
  _archgrid_add_scenario(ctest-suites-of-a-lacking-program ${suites} EXIT failure ENVIRONMENT ${h100}
    SAYS "2 tests failed out of 2" "archgrid: tests    2 missing-arch\n" "archgrid: failed: kernels")
  _archgrid_add_scenario(ctest-shards ${ctest} -R "^own_main_with_library[.]" EXIT 0 ENVIRONMENT ${h100}
    SAYS "own_main_with_library[.]SHARD[.]1 [.]+ +Passed" "own_main_with_library[.]SHARD[.]2 [.]+ +Passed"
      "archgrid: tests    2 passed\n.*archgrid: tests    2 passed\n")
  _archgrid_add_scenario(ctest-unlistable ${ctest} -R "^unlistable" EXIT failure ENVIRONMENT ${h100}
    SAYS "unlistable_test.LISTED" "libgone.so" "1 tests failed out of 1")
  _archgrid_add_outcome_scenarios()
endfunction()
