# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Adds scenarios of the outcomes of tests and of programs, and of the differences between outcomes.
# Takes the arguments of _archgrid_add_gtest_scenarios and runs its programs; reads `build` and
# `toolkit` of the caller.
function(_archgrid_add_outcome_scenarios)
  set(h100 ARCHGRID_FAKE_DRIVER=${toolkit} ARCHGRID_FAKE_DEVICES=9.0)
  set(driver ARCHGRID_FAKE_DRIVER=${toolkit})
  set(ctest COMMAND "${CMAKE_CTEST_COMMAND}" --test-dir "${build}" -V)
  set(h200 ${h100} ARCHGRID_REQUIRE_GPU=1)
  set(t4 ARCHGRID_FAKE_DRIVER=${toolkit} ARCHGRID_FAKE_DEVICES=7.5)

  # Tests that launch no kernel.
  _archgrid_add_scenario(fake-is-said PROGRAM served_test ARGUMENTS --gtest_filter=Outcomes.Passes EXIT 0
    ENVIRONMENT ${h100} SAYS "runtime  ${toolkit}, fake: no kernel executes here"
      "archgrid: tests    1 passed\narchgrid: passed: fake: on 9.0, which is no GPU\n$")
  _archgrid_add_scenario(empty PROGRAM served_test ARGUMENTS --gtest_filter=Outcomes.IsEmpty EXIT 77 ENVIRONMENT ${h200}
    SAYS "archgrid: tests    1 empty\narchgrid: skipped: empty: 1 of 1 tests launched no kernel\n$")
  _archgrid_add_scenario(empty-beside-a-pass PROGRAM served_test EXIT 0 ENVIRONMENT ${h100}
    ARGUMENTS --gtest_filter=Outcomes.IsEmpty:Outcomes.Passes SAYS "archgrid: tests    1 passed, 1 empty\n")
  _archgrid_add_scenario(empty-beside-a-skip PROGRAM served_test EXIT 77 ENVIRONMENT ${h100}
    ARGUMENTS --gtest_filter=Outcomes.IsEmpty:Outcomes.Skips
    SAYS "tests    1 skipped, 1 empty\narchgrid: skipped: empty")
  _archgrid_add_scenario(empty-is-a-failure PROGRAM served_test EXIT 1 ENVIRONMENT ${h100} ARCHGRID_EMPTY=fail
    ARGUMENTS --gtest_filter=Outcomes.IsEmpty:Outcomes.Passes
    SAYS "Outcomes.IsEmpty launched no kernel. If it needs none, say archgrid::launches_no_kernel"
    "tests    1 passed, 1 failed")
  _archgrid_add_scenario(empty-on-purpose PROGRAM served_test EXIT 0 ENVIRONMENT ${h100}
    ARGUMENTS --gtest_filter=Outcomes.NeedsNoKernel --archgrid_empty=fail SAYS "archgrid: tests    1 passed\n")
  _archgrid_add_scenario(launches-of-a-library-are-not-counted PROGRAM own_main_with_library_test
    EXIT 0 ENVIRONMENT ${h100}
    ARGUMENTS --gtest_filter=Suite.LaunchesNothing
    SAYS "launches of these are not counted: [^\n]*/libserved.so" "archgrid: tests    1 passed\n")

  # Options and conditions that must not disable the checks.
  _archgrid_add_scenario(own-option-h PROGRAM own_main_lacking_test ARGUMENTS -h EXIT 1 ENVIRONMENT ${h100}
    SAYS "FAILED  . ArchCoverage.second_kernel")
  _archgrid_add_scenario(own-main-bad-googletest-flag PROGRAM own_main_test ARGUMENTS --gtest_filtre=X EXIT 2
    ENVIRONMENT ${h100} SAYS "a --gtest_ flag is unknown")
  _archgrid_add_scenario(help PROGRAM missing_test ARGUMENTS --help EXIT 0
    SAYS "--gtest_list_tests" "--archgrid_require_gpu +having none" SAYS_NOT "archgrid: gpu")
  _archgrid_add_scenario(fail-fast-is-no-reason-to-skip PROGRAM served_test EXIT 1 ENVIRONMENT ${h100}
    ARGUMENTS --gtest_filter=Outcomes.SkipsWithoutAReason --gtest_fail_fast SAYS "was skipped without a reason")
  _archgrid_add_scenario(library-in-a-folder-named-linux EXIT 1 ENVIRONMENT ${h100}
    COMMAND sh -c
    "cd '${build}' && mkdir -p linux-lib && cp liblacking.so linux-lib/ && LD_LIBRARY_PATH=linux-lib:fake_cudart ./loaded_test --gtest_filter=Outcomes.Passes"
    SAYS "ArchCoverage.second_kernel" "linux-lib/liblacking.so")
  _archgrid_add_scenario(another-gpu-left-chosen PROGRAM served_test
    ARGUMENTS --gtest_filter=Outcomes.LeavesAnotherGpu EXIT 1
    ENVIRONMENT ${driver} ARCHGRID_FAKE_DEVICES=9.0,7.5
    SAYS "Outcomes.LeavesAnotherGpu left GPU 1 chosen instead of GPU 0")
  _archgrid_add_scenario(start-that-takes-too-long PROGRAM served_test ARGUMENTS --gtest_filter=Outcomes.Passes EXIT 1
    ENVIRONMENT ${h100} ARCHGRID_TIMEOUT=0.5 ARCHGRID_FAKE_LATENCY=cudaFuncGetAttributes=3s
    SAYS "archgrid: failed: timed-out: the start did not end within 0.5 s\n$")
  _archgrid_add_scenario(ctest-not-linked ${ctest} -R "^plain" EXIT failure ENVIRONMENT ${h100}
    SAYS "plain_test.LISTED" "it is not linked with archgrid::gtest" "1 tests failed out of 1")

  # Skips.
  _archgrid_add_scenario(skip-without-a-reason PROGRAM served_test EXIT 1 ENVIRONMENT ${h100}
    ARGUMENTS --gtest_filter=Outcomes.SkipsWithoutAReason
    SAYS "Outcomes.SkipsWithoutAReason was skipped without a reason" "archgrid: failed: tests: 1 failed")
  _archgrid_add_scenario(failed-suite PROGRAM served_test EXIT 1 ENVIRONMENT ${h100}
    ARGUMENTS --gtest_filter=FailedSuite.*
    SAYS "archgrid: tests    1 not-run\n" SAYS_NOT "it ran")

  # Persistent errors.
  _archgrid_add_scenario(sticky-error-stops PROGRAM served_test EXIT 1 ARGUMENTS --gtest_filter=Sticky.*:Outcomes.Passes
    ENVIRONMENT ${h100} ARCHGRID_FAKE_FAIL=launch:first_kernel=700
    SAYS "Outcomes.Passes left a CUDA error behind: [^\n]*cudaErrorIllegalAddress \\(700\\)"
      "archgrid: tests    1 failed, 2 not-run\n"
      "archgrid: failed: unusable-gpu: CUDA is unusable in this program since Outcomes.Passes: cudaErrorIllegalAddress"
    SAYS_NOT "it ran all the same")
  _archgrid_add_scenario(error-that-goes-does-not-stop PROGRAM served_test EXIT 1 ARGUMENTS --gtest_filter=Sticky.*
    ENVIRONMENT ${h100} ARCHGRID_FAKE_FAIL=launch:first_kernel=1
    SAYS "it ran all the same" "archgrid: tests    1 failed, 1 empty\n")

  # Programs that end early.
  _archgrid_add_scenario(crash PROGRAM served_test EXIT failure
    ARGUMENTS --gtest_filter=Ends.WithACrash ENVIRONMENT ${h100}
    SAYS "archgrid: failed: crashed: SIGSEGV during Ends.WithACrash\n")
  foreach(exit IN ITEMS WithAnExit WithAnExitThatSkips WithAQuickExit)
    _archgrid_add_scenario(exit-${exit} PROGRAM served_test EXIT 1
      ARGUMENTS --gtest_filter=Ends.${exit} ENVIRONMENT ${h100}
      SAYS "archgrid: failed: exited: exit.. was called during Ends.${exit}\n")
  endforeach()
  _archgrid_add_scenario(crash-by-an-exception PROGRAM served_test EXIT failure
    ARGUMENTS --gtest_filter=Ends.WithAnException
    ENVIRONMENT ${h100} SAYS "archgrid: failed: crashed: SIGABRT during Ends.WithAnException\n")
  _archgrid_add_scenario(time-out PROGRAM served_test EXIT 1 ARGUMENTS --gtest_filter=Ends.Never --archgrid_timeout=3
    ENVIRONMENT ${h100} SAYS "archgrid: failed: timed-out: Ends.Never did not end within 3 s\n$")
  _archgrid_add_scenario(death-tests-are-no-crashes PROGRAM served_test EXIT 0 ENVIRONMENT ${h100}
    ARGUMENTS --gtest_filter=Death.In* SAYS "archgrid: tests    2 passed\n"
    SAYS_NOT "crashed" "gpu [^\n]*\n.*archgrid: gpu ")
  # Only in the child does the GPU have another number.
  _archgrid_add_scenario(death-test-without-its-gpu PROGRAM served_test EXIT 1
    ARGUMENTS --gtest_filter=Death.OnAGpuThatIsGone ENVIRONMENT ${driver}
    ARCHGRID_FAKE_DEVICES=7.5,9.0 ARCHGRID_DEVICE=9.0
    SAYS "archgrid: failed: broken-gpu: cudaSetDevice" "failed to die|died but not with expected exit code")
  foreach(end IN ITEMS WithACrash WithAnExit)
    _archgrid_add_scenario(record-in-ctest-of-${end} EXIT 0
      COMMAND sh -c
      "'${CMAKE_CTEST_COMMAND}' --test-dir '${build}' -V -R '^served$' || cat '${build}/served_test.record.json'"
      ENVIRONMENT ${h100} GTEST_FILTER=Outcomes.Passes:Outcomes.Skips:Ends.${end}:Sticky.*
      "LD_LIBRARY_PATH=${build}/fake_cudart"
      SAYS "archgrid: record   [^\n]*/served_test.record.json, run [0-9]+-[0-9]+\n" "\"run\": \"[0-9]+-[0-9]+\""
        "\"Outcomes.Passes\",\"outcome\":\"passed\"" "\"Outcomes.Skips\",\"outcome\":\"skipped\""
        "\"Ends.${end}\",\"outcome\":\"failed\"[^\n]*\"reason\":\"[^\n\"]* during Ends.${end}\""
        "\"Sticky.Breaks\",\"outcome\":\"not-run\"" "\"Sticky.IsNotRun\",\"outcome\":\"not-run\""
      SAYS_NOT "\"Outcomes.Fails\"")
  endforeach()
  _archgrid_add_scenario(record-without-a-gpu EXIT 0 ENVIRONMENT ${driver} GTEST_FILTER=Outcomes.*Passes:Sticky.*
    COMMAND sh -c "ARCHGRID_RECORD='${build}/no-gpu.json' '${build}/served_test' || cat '${build}/no-gpu.json'"
    SAYS "archgrid: record   ${build}/no-gpu.json, run [0-9]+-[0-9]+\narchgrid: skipped: no-gpu: "
    "\"Outcomes.Passes\",\"outcome\":\"skipped\"[^\n]* shows no GPU"
      "\"Sticky.Breaks\",\"outcome\":\"skipped\"" "\"Sticky.IsNotRun\",\"outcome\":\"skipped\""
      SAYS_NOT "DISABLED_" "Jit")
  _archgrid_add_scenario(record-in-a-shard EXIT 0 ENVIRONMENT ${driver} GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=1
    COMMAND sh -c "ARCHGRID_RECORD='${build}/shard.json' '${build}/own_main_test' || cat '${build}/shard.json'"
    SAYS "\"Suite.LaunchesWhatIsLinkedOnTheDevice\"" "\"ArchCoverage.EveryKernelIsServed\""
    SAYS_NOT "Suite.LaunchesNothing" "OfAStaticLibrary")
  _archgrid_add_scenario(crash-in-the-set-up-of-a-suite PROGRAM served_test EXIT failure ENVIRONMENT ${h100}
    ARGUMENTS --gtest_filter=Outcomes.Passes:EndsInSetUp.*
    SAYS "archgrid: failed: crashed: SIGSEGV during the set-up of EndsInSetUp\n")
  _archgrid_add_scenario(time-out-in-the-tear-down-of-a-suite EXIT 0 ENVIRONMENT ${h100}
    COMMAND sh -c
    "'${build}/served_test' --gtest_filter=EndsInTearDown.* --archgrid_timeout=1 '--archgrid_json=${build}/tear-down.json' || cat '${build}/tear-down.json'"
    SAYS "failed: timed-out: the tear-down of EndsInTearDown did not end within 1 s\n"
    "\"EndsInTearDown.Passes\",\"outcome\":\"passed\"")
  _archgrid_add_scenario(each-test-has-the-whole-time PROGRAM served_test EXIT 0
    ARGUMENTS --gtest_filter=Outcomes.Passes:Sticky.Breaks:Threads.LaunchOnTheFirstGpu --archgrid_timeout=3
    ENVIRONMENT ${h100} ARCHGRID_FAKE_LATENCY=launch:first_kernel=2s SAYS "archgrid: tests    3 passed\n")
  _archgrid_add_scenario(ctest-main-that-runs-no-tests PROGRAM starts_cuda_served_test ARGUMENTS before EXIT 1
    ENVIRONMENT ${h100} "ARCHGRID_RECORD=${build}/never.json"
    SAYS "archgrid: failed: not-run: the program ended before RUN_ALL_TESTS")
  foreach(end IN ITEMS "WithACrash crashed" "Never timed-out")
    separate_arguments(end)
    list(GET end 0 test)
    list(GET end 1 outcome)
    _archgrid_add_scenario(record-of-${outcome} EXIT 0 ENVIRONMENT ${h100}
      COMMAND sh -c
      "'${build}/served_test' --gtest_filter=Ends.${test} --archgrid_timeout=3 '--archgrid_json=${build}/${outcome}.json' || cat '${build}/${outcome}.json'"
      SAYS "\"outcome\": \"${outcome}\"" "during Ends.${test}|Ends.${test} did not end")
  endforeach()

  _archgrid_add_scenario(record-of-crashed-has-the-tests-before EXIT 0 ENVIRONMENT ${h100}
    COMMAND sh -c
    "'${build}/served_test' --gtest_filter=Outcomes.Passes:Outcomes.Skips:Ends.WithACrash '--archgrid_json=${build}/before.json' || cat '${build}/before.json'"
    SAYS "\"Outcomes.Passes\",\"outcome\":\"passed\"" "\"Outcomes.Skips\",\"outcome\":\"skipped\"")
  _archgrid_add_scenario(records-fit-their-schema EXIT 0 ENVIRONMENT ${h100}
    COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/validate_records.py"
      "${PROJECT_SOURCE_DIR}/matrices/archgrid-gpu-tests.schema.json"
      "${build}/served_test" "${build}/missing_test" "${build}/ptx_test"
    SAYS "3 programs write what the schema says")

  # Kernels.
  _archgrid_add_scenario(every-kernel PROGRAM served_test
    ARGUMENTS --gtest_filter=ArchCoverage.EveryKernelIsServed EXIT 0
    ENVIRONMENT ${h100} SAYS "runtime  asked for 2 of 2 kernels, disagrees on 0\n"
    "OK . ArchCoverage.EveryKernelIsServed")
  _archgrid_add_scenario(kernel-is-a-test PROGRAM missing_test
    ARGUMENTS --gtest_filter=Outcomes.Passes EXIT 1 ENVIRONMENT ${h100}
    SAYS "FAILED  . ArchCoverage.second_kernel\\(int\\*\\)" "FAILED  . ArchCoverage.EveryKernelIsServed"
      "archgrid: tests    1 passed, 2 missing-arch\narchgrid: failed: kernels: "
    SAYS_NOT "ArchCoverage.first_kernel")
  _archgrid_add_scenario(kernel-is-a-test-in-spite-of-the-filter PROGRAM missing_test EXIT 1 ENVIRONMENT ${h100}
    ARGUMENTS "--gtest_filter=Outcomes.Passes-ArchCoverage.*:Jit.*"
    SAYS "archgrid: tests    1 passed\narchgrid: failed: kernels")
  _archgrid_add_scenario(jitted-kernel-is-a-test PROGRAM ptx_test ARGUMENTS --gtest_filter=Jit.IsForbidden EXIT 1
    ENVIRONMENT ${h100} SAYS "FAILED  . ArchCoverage.first_kernel" "archgrid: tests    1 passed, 2 jitted\n")
  _archgrid_add_scenario(kernel-is-a-test-in-xml EXIT 0 ENVIRONMENT ${h100}
    COMMAND sh -c
    "'${build}/missing_test' --gtest_filter=Outcomes.Passes '--gtest_output=xml:${build}/missing.xml' || cat '${build}/missing.xml'"
    SAYS "<testcase name=\"second_kernel\\(int\\*\\)\" [^\n]*classname=\"ArchCoverage\""
      "<property name=\"archgrid_outcome\" value=\"missing-arch\"")
  _archgrid_add_scenario(disagreement PROGRAM served_test ARGUMENTS --gtest_filter=Outcomes.Passes EXIT 1
    ENVIRONMENT ${h100} ARCHGRID_FAKE_FAIL=cudaFuncGetAttributes=209
    SAYS
    "archgrid predicted native for first_kernel\\(int\\*\\) on 9.0 [^\n]*answers cudaErrorNoKernelImageForDevice \\(209\\)"
      "archgrid: failed: disagreement")

  _archgrid_add_scenario(seed-by-flag PROGRAM fixtures_test
    ARGUMENTS --gtest_filter=PlantedSeed.IsPrinted --archgrid_seed=18
    EXIT 1 ENVIRONMENT ${h100} SAYS "archgrid: seed     18 of ")

  _archgrid_add_scenario(seed-of-a-test-that-left-an-error PROGRAM served_test EXIT 1 ENVIRONMENT ${h100}
    ARGUMENTS --gtest_filter=Seed.IsAskedForByATestThatLeavesAnError --archgrid_seed=18
    SAYS "left a CUDA error behind" "archgrid: seed     18 of Seed.IsAskedForByATestThatLeavesAnError")
  _archgrid_add_scenario(death-test-knows-its-parents-choices PROGRAM served_test EXIT 0 ENVIRONMENT ${driver}
    ARCHGRID_FAKE_DEVICES=7.5,9.0 ARCHGRID_DEVICE=9.0
    ARGUMENTS --gtest_filter=Death.KnowsTheGpuAndTheSeed --archgrid_seed=18)

  # Load modes.
  _archgrid_add_scenario(forced-jit PROGRAM ptx_test ARGUMENTS --gtest_filter=Jit.IsForced EXIT 0
    ENVIRONMENT ${h100} ARCHGRID_LOAD=jit SAYS "kernels  1, 0 not served" "asked for 1 of 1 kernels, disagrees on 0")
  _archgrid_add_scenario(forced-jit-without-ptx PROGRAM served_test ARGUMENTS --gtest_filter=Jit.IsForced EXIT 1
    ENVIRONMENT ${h100} ARCHGRID_LOAD=jit SAYS "missing on 9.0: first_kernel\\(int\\*\\) in [^\n]*: it has no PTX")
  _archgrid_add_scenario(forced-jit-of-the-caller PROGRAM ptx_test ARGUMENTS --gtest_filter=Jit.IsForbidden EXIT 1
    ENVIRONMENT ${h100} CUDA_FORCE_PTX_JIT=1 SAYS "jit on 9.0: first_kernel" "1 passed, 2 jitted")
  _archgrid_add_scenario(jit-forbidden-by-the-caller PROGRAM ptx_test ARGUMENTS --gtest_filter=Jit.IsAllowed EXIT 0
    ENVIRONMENT ${h100} ARCHGRID_ARCH=75-virtual CUDA_DISABLE_PTX_JIT=1 SAYS "disagrees on 0")
  _archgrid_add_scenario(eager PROGRAM served_test ARGUMENTS --gtest_filter=Loading.IsEager --archgrid_load=eager EXIT 0
    ENVIRONMENT ${h100} SAYS "tests    1 passed")

  # Third-party suites.
  _archgrid_add_scenario(own-main PROGRAM own_main_test EXIT 0 ENVIRONMENT ${h200} ARCHGRID_DEVICE=9.0
    SAYS "a main\\(\\) of its own" "kernels  2, 0 not served" "asked for 2 of 2 kernels, disagrees on 0"
      "archgrid: tests    3 passed, 1 empty\narchgrid: passed: fake")
  _archgrid_add_scenario(own-main-no-gpu PROGRAM own_main_test EXIT 77 ENVIRONMENT ARCHGRID_FAKE_DRIVER=${toolkit}
    SAYS "archgrid: skipped: no-gpu")
  _archgrid_add_scenario(own-main-wrong-gpu PROGRAM own_main_test EXIT 1 ENVIRONMENT ${t4} ARCHGRID_REQUIRE_GPU=1
    ARGUMENTS --archgrid_device=9.0 SAYS "archgrid: failed: wrong-gpu")
  _archgrid_add_scenario(own-main-lacking PROGRAM own_main_lacking_test EXIT 1 ENVIRONMENT ${h100}
    SAYS "FAILED  . ArchCoverage.second_kernel\\(int\\*\\)" "liblacking.so")
  _archgrid_add_scenario(own-main-bad-flag PROGRAM own_main_test ARGUMENTS --archgrid_devise=9.0
    EXIT 2 ENVIRONMENT ${h100}
    SAYS "unknown flag --archgrid_devise=9.0")
  _archgrid_add_scenario(own-main-lists-without-cuda PROGRAM own_main_test ARGUMENTS --gtest_list_tests EXIT 0
    ENVIRONMENT ARCHGRID_FAKE_DEVICES=malformed SAYS "LaunchesOfAStaticLibrary")

  # CUDA starts before main(): the runtime learns in time that it must compile no PTX, and answers
  # as a driver does.
  _archgrid_add_scenario(cuda-before-main PROGRAM starts_cuda_test EXIT 1 ENVIRONMENT ${h100}
    SAYS "jit on 9.0: first_kernel" "disagrees on 0\n" "FAILED  . Started.Launches" "tests    1 failed, 2 jitted")
  _archgrid_add_scenario(cuda-before-main-served PROGRAM starts_cuda_served_test EXIT 0 ENVIRONMENT ${h100})
  _archgrid_add_scenario(listener-that-fails-a-test PROGRAM starts_cuda_served_test
    ARGUMENTS listener EXIT 1 ENVIRONMENT ${h100}
    SAYS "a listener says no" "archgrid: tests    2 failed\n")
  _archgrid_add_scenario(error-left-by-an-environment PROGRAM starts_cuda_served_test
    ARGUMENTS environment EXIT 1 ENVIRONMENT ${h100}
    SAYS "archgrid: failed: environment: [^\n]*left a CUDA error behind: [^\n]*cudaErrorInvalidDevice")

  _archgrid_add_scenario(skipped-by-an-environment PROGRAM starts_cuda_served_test ARGUMENTS skip
    EXIT 77 ENVIRONMENT ${h100}
    SAYS "archgrid: skipped: all-skipped: no license is left\n$")
  _archgrid_add_scenario(skipped-by-an-environment-without-a-reason PROGRAM starts_cuda_served_test
    ARGUMENTS skip-silently EXIT 1
    ENVIRONMENT ${h100} SAYS "archgrid: failed: environment: a global environment skipped without a reason\n$")

  _archgrid_add_scenario(main-that-swallows-a-failure PROGRAM starts_cuda_test ARGUMENTS swallow
    EXIT 1 ENVIRONMENT ${h100}
    SAYS "archgrid: failed: kernels" "main.. returned 0 instead of what RUN_ALL_TESTS.. did, which stands")
  _archgrid_add_scenario(main-that-swallows-a-skip PROGRAM starts_cuda_served_test ARGUMENTS swallow
    EXIT 77 ENVIRONMENT ${driver}
    SAYS "skipped: no-gpu" "which stands")
  _archgrid_add_scenario(main-that-runs-no-tests PROGRAM starts_cuda_served_test
    ARGUMENTS before --gtest_filter=Started.Launches EXIT 1
    ENVIRONMENT ${h100} SAYS "archgrid: failed: not-run: the program ended before RUN_ALL_TESTS")
  _archgrid_add_scenario(main-that-skips-before-its-tests PROGRAM starts_cuda_served_test
    ARGUMENTS skip-before --gtest_filter=Started.Launches
    EXIT 1 ENVIRONMENT ${h100} SAYS
    "archgrid: failed: not-run: the program ended with 77 before RUN_ALL_TESTS.., which skips by itself")
  _archgrid_add_scenario(main-that-turns-a-failure-into-a-skip PROGRAM starts_cuda_test
    ARGUMENTS swallow-and-skip EXIT 1
    ENVIRONMENT ${h100} SAYS "archgrid: failed: kernels"
    "main.. returned 77 instead of what RUN_ALL_TESTS.. did, which stands")
  _archgrid_add_scenario(main-that-need-not-run-tests PROGRAM starts_cuda_served_test
    ARGUMENTS before EXIT 0 ENVIRONMENT ${h100}
    SAYS_NOT "archgrid")

  # Threads.
  set(two_gpus ${driver} ARCHGRID_FAKE_DEVICES=7.5,9.0 ARCHGRID_DEVICE=9.0)
  set(launches_elsewhere PROGRAM served_test ARGUMENTS --gtest_filter=Threads.LaunchOnTheFirstGpu)
  _archgrid_add_scenario(launch-on-another-gpu ${launches_elsewhere} EXIT 1 ENVIRONMENT ${two_gpus}
    SAYS "Threads.LaunchOnTheFirstGpu launched a kernel on GPU 0, for which the kernels were not judged")
  _archgrid_add_scenario(launch-on-a-like-gpu ${launches_elsewhere} EXIT 0
    ENVIRONMENT ${driver} ARCHGRID_FAKE_DEVICES=9.0,9.0 CTEST_RESOURCE_GROUP_COUNT=1 CTEST_RESOURCE_GROUP_0=gpus
      CTEST_RESOURCE_GROUP_0_GPUS=id:1,slots:1 SAYS "device 1 of 2" "tests    1 passed")
  _archgrid_add_scenario(error-left-in-a-thread PROGRAM served_test
    ARGUMENTS --gtest_filter=Threads.LeaveAnErrorBehind EXIT 1
    ENVIRONMENT ${h100} ARCHGRID_FAKE_FAIL=launch:first_kernel=1
    SAYS
    "Threads.LeaveAnErrorBehind left a CUDA error behind in another thread: a launch returned cudaErrorInvalidValue \\(1\\)")
  _archgrid_add_scenario(error-left-in-a-thread-before-another PROGRAM served_test EXIT 1 ENVIRONMENT ${h100}
    ARCHGRID_FAKE_FAIL=launch:first_kernel=1 ARGUMENTS --gtest_filter=Threads.FollowOneThatLeavesAnError
    SAYS "left a CUDA error behind in another thread")
  # The call that waits for that GPU returns the error of the faulting kernel.
  _archgrid_add_scenario(error-left-on-another-gpu PROGRAM served_test EXIT 1
    ARGUMENTS --gtest_filter=Threads.LaunchOnTheSecondGpu:Outcomes.IsEmpty ENVIRONMENT ${driver}
    ARCHGRID_FAKE_DEVICES=9.0,9.0
    ARCHGRID_FAKE_FAIL=launch:first_kernel=700
    SAYS
    "Threads.LaunchOnTheSecondGpu left a CUDA error behind: cudaDeviceSynchronize.. returned cudaErrorIllegalAddress")
  _archgrid_add_scenario(error-left-by-a-tear-down PROGRAM served_test EXIT 1 ENVIRONMENT ${h100}
    ARGUMENTS --gtest_filter=LeavesInTearDown.Passes:Outcomes.Passes
    SAYS "the tear-down of LeavesInTearDown left a CUDA error behind: [^\n]*cudaErrorInvalidDevice"
    "tests    2 passed" "failed: tests")
  _archgrid_add_scenario(error-forgotten-in-a-thread PROGRAM served_test
    ARGUMENTS --gtest_filter=Threads.ForgetTheirError EXIT 0
    ENVIRONMENT ${h100} ARCHGRID_FAKE_FAIL=launch:first_kernel=1 SAYS "tests    1 passed")

  # Skips of the matrix file.
  set(skips "ARCHGRID_MATRIX=${CMAKE_CURRENT_FUNCTION_LIST_DIR}/programs/skips.json")
  _archgrid_add_scenario(skipped-by-the-matrix PROGRAM served_test
    ARGUMENTS --gtest_filter=Outcomes.Passes:Outcomes.Fails EXIT 0
    ENVIRONMENT ${h100} ${skips} SAYS "skips.json: skips.0.: known, and mended in 2.0"
    "tests    1 passed, 1 skipped" SAYS_NOT "meant to")
  _archgrid_add_scenario(skipped-by-the-matrix-elsewhere PROGRAM served_test
    ARGUMENTS --gtest_filter=Outcomes.Fails EXIT 1
    ENVIRONMENT ${t4} ${skips} SAYS "as it is meant to" SAYS_NOT "mended in 2.0")
  _archgrid_add_scenario(skipped-by-the-matrix-in-ctest ${ctest} -R "^served$" EXIT 0
    ENVIRONMENT ${h100} ${skips} GTEST_FILTER=Outcomes.Fails SAYS "Skipped")

  # Records of timings.
  foreach(which IN ITEMS plain clocks)
    set(record "${build}/times-${which}.json")
    set(timed_${which} COMMAND sh -c
      "'${build}/timed_test' --gtest_filter=Timed.Hot:Timed.Cold --gtest_repeat=2 && cat '${record}'" EXIT 0
      ENVIRONMENT ${h100} "ARCHGRID_PERF_RECORD=${record}" ARCHGRID_FAKE_LATENCY=cudaMemsetAsync=200us)
  endforeach()
  _archgrid_add_scenario(times-are-recorded ${timed_plain} ARCHGRID_CLOCKS=locked
    SAYS "archgrid: perf: set: [^\n]*, median of 5 [^\n]* % of device memory, launch [0-9.]+ [mu]s"
    "\"schema\": \"archgrid.perf/1\"" "\"gpu\": *\"Fake 9.0\""
      "\"driver\": *\"CUDA ${toolkit}\"" "\"clocks\": *\"locked\"" "\"cache\": *\"hot\"" "\"cache\": *\"cold\""
      "\"build\": *\"cell-of-tests\"" "\"launch_overhead_seconds\": *[0-9]" "\"name\": *\"device memory\""
    SAYS_NOT "sm_clock" "throttled\": *(true|false)")
  _archgrid_add_scenario(times-are-recorded-with-clocks ${timed_clocks}
    "LD_LIBRARY_PATH=${build}/fake_cudart:${build}/nvml"
    SAYS "\"driver\": *\"610.43.02\"" "\"sm_clock_mhz\": *1[56][0-9][0-9]"
    "\"memory_clock_mhz\": *2600" "\"temperature_celsius\": *91"
      "\"throttled\": *true" "\"SwPowerCap\",[ \n]*\"HwThermalSlowdown\""
      "archgrid: perf: set: NO_DATA: the GPU was throttled .SwPowerCap, HwThermalSlowdown."
    SAYS_NOT "median of")
  _archgrid_add_scenario(times-against-a-ceiling EXIT 0
    COMMAND sh -c "'${build}/timed_test' --gtest_filter=Timed.AgainstACeiling || cat '${build}/times-ceiling.json'"
    ENVIRONMENT ${h100} "ARCHGRID_PERF_RECORD=${build}/times-ceiling.json"
    "ARCHGRID_FAKE_LATENCY=launch:archgrid::perf::multiply_adds<float>=1ms"
    SAYS "archgrid: perf: idle: [^\n]* % of fp32, launch" "\"name\": *\"fp32\"[^}]*\"FLOP/s\""
      "kernels  3, 0 not served" "skipped: empty: 1 of 1 tests launched no kernel")
  _archgrid_add_scenario(times-against-a-throttled-ceiling EXIT 0
    COMMAND sh -c "'${build}/timed_test' --gtest_filter=Timed.AgainstACeiling || cat '${build}/times-throttled.json'"
    ENVIRONMENT ${h100} "LD_LIBRARY_PATH=${build}/fake_cudart:${build}/nvml"
    "ARCHGRID_PERF_RECORD=${build}/times-throttled.json"
    SAYS "idle: NO_DATA: the GPU was throttled" "\"ceilings\": \\[\\]")
  _archgrid_add_scenario(times-beside-errors PROGRAM timed_test
    ARGUMENTS --gtest_filter=TimedBadly.* EXIT 0 ENVIRONMENT ${h100})
  _archgrid_add_scenario(times-of-another-stream PROGRAM timed_test
    ARGUMENTS --gtest_filter=Timed.InTheDefaultStream EXIT 0
    ENVIRONMENT ${h100})
  _archgrid_add_scenario(times-of-a-clock-that-stands-still EXIT 0
    COMMAND sh -c "'${build}/still_clock_test' --gtest_filter=Timed.Hot && cat '${build}/times-still.json'"
    ENVIRONMENT ${h100} "ARCHGRID_PERF_RECORD=${build}/times-still.json"
    SAYS "archgrid: perf: set: NO_DATA: the GPU's clock stood still\n" "\"seconds\": *\\[\\]" "[12] passed"
    SAYS_NOT "median of")
  set(folder "${build}/times")
  _archgrid_add_scenario(times-of-processes-go-into-a-folder EXIT 0
    ENVIRONMENT ${h100} "ARCHGRID_PERF_RECORD=${folder}/"
    COMMAND sh -c
    "rm -rf '${folder}' && '${build}/timed_test' --gtest_filter=Timed.Hot && '${build}/timed_test' --gtest_filter=Timed.Hot && ls '${folder}'"
    SAYS "timed_test[.]json[ \n]+timed_test_1[.]json")
  _archgrid_add_scenario(times-that-cannot-be-recorded PROGRAM timed_test ARGUMENTS --gtest_filter=Timed.Hot EXIT 1
    ENVIRONMENT ${h100} ARCHGRID_PERF_RECORD=/nonexistent/times.json SAYS "/nonexistent/times.json")

  # Results in ctest.
  _archgrid_add_scenario(ctest-empty-is-skipped ${ctest} -R "^served$" EXIT 0 ENVIRONMENT ${h100}
    GTEST_FILTER=Outcomes.IsEmpty
    SAYS "archgrid: skipped: empty" "Skipped")
  _archgrid_add_scenario(ctest-every-kernel ${ctest} -R "^own_main$" EXIT 0 ENVIRONMENT ${h100}
    GTEST_FILTER=ArchCoverage.*
    SAYS "OK . ArchCoverage.EveryKernelIsServed" "100% tests passed, 0 tests failed out of 1" SAYS_NOT "Skipped")
  _archgrid_add_scenario(ctest-legs ${ctest} --show-only -R "^own_main.LEG" EXIT 0
    SAYS "own_main.LEG.jit" "own_main.LEG.eager" "own_main.LEG.sanitizer" "Total Tests: 3"
      "ARCHGRID_LOAD=jit" "ARCHGRID_LOAD=eager" "Labels: gpu sanitizer")
  _archgrid_add_scenario(ctest-leg-eager ${ctest} --label-regex "^eager$" EXIT 0 ENVIRONMENT ${h100}
    SAYS "archgrid: passed: fake" "0 tests failed out of 1")
  _archgrid_add_scenario(ctest-leg-jit ${ctest} --label-regex "^jit$" EXIT failure ENVIRONMENT ${h100}
    SAYS "first_kernel\\(int\\*\\) in [^\n]*: it has no PTX" "1 tests failed out of 1")
  set(sanitizer ${ctest} --label-regex "^sanitizer$")
  _archgrid_add_scenario(leg-without-sanitizer EXIT 77 ENVIRONMENT ${h100} PATH=/usr/bin:/bin
    COMMAND "${PROJECT_SOURCE_DIR}/cmake-modules/archgrid/detail/run_sanitizer.sh" "${build}" "${build}/own_main_test"
    SAYS "archgrid: skipped: no-sanitizer")
  foreach(kind IN ITEMS clean dirty silent)
    set(path "PATH=${CMAKE_CURRENT_FUNCTION_LIST_DIR}/programs/sanitizer-${kind}:/usr/bin:/bin")
    set(expected EXIT 0 SAYS "sanitizer started.*archgrid: passed: fake" SAYS_NOT "Skipped")
    if(NOT kind STREQUAL "clean")
      set(expected EXIT failure SAYS "sanitizer started" "archgrid: failed: sanitizer: compute-sanitizer found errors")
    endif()
    _archgrid_add_scenario(ctest-leg-of-a-${kind}-sanitizer ${sanitizer} ENVIRONMENT ${h100} "${path}" ${expected})
  endforeach()
  _archgrid_add_scenario(ctest-time-out ${ctest} -R "^served$" EXIT failure ENVIRONMENT ${h100} GTEST_FILTER=Ends.Never
    SAYS "archgrid: failed: timed-out: Ends.Never" SAYS_NOT "[*]Timeout")
endfunction()
