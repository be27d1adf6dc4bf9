# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Real failures of CUDA programs at start or at launch, and the reports of archgrid::gtest. Failures
# of the driver itself are injected with its error code.
function(_archgrid_add_failure_scenarios toolkit)
  set(build "${PROJECT_BINARY_DIR}/programs/gtest-${toolkit}")
  set(here "${CMAKE_CURRENT_FUNCTION_LIST_DIR}")
  set(driver ARCHGRID_FAKE_DRIVER=${toolkit})
  set(h100 ${driver} ARCHGRID_FAKE_DEVICES=9.0)
  set(passes EXIT 1 ARGUMENTS --gtest_filter=Outcomes.Passes)
  set(with_jit "ARCHGRID_MATRIX=${here}/programs/accepts_jit.json")

  # There is no code for the GPU.
  _archgrid_add_scenario(failure-gpu-newer-than-the-build PROGRAM served_test ${passes}
    ENVIRONMENT ARCHGRID_FAKE_DRIVER=13.5 ARCHGRID_FAKE_DEVICES=12.0
    SAYS "missing on 12.0: first_kernel.int[*]." "missing on 12.0: second_kernel.int[*]." "archgrid: failed: kernels"
    SAYS_NOT "[1-9] passed")
  _archgrid_add_scenario(failure-gpu-that-the-build-dropped PROGRAM served_test ${passes}
    ENVIRONMENT ${driver} ARCHGRID_FAKE_DEVICES=8.0 SAYS "missing on 8.0: first_kernel" "archgrid: failed: kernels")
  _archgrid_add_scenario(failure-one-kernel-lacks-the-arch PROGRAM missing_test ${passes}
    ENVIRONMENT ${h100} SAYS "missing on 9.0: second_kernel" SAYS_NOT "missing on 9.0: first_kernel")
  _archgrid_add_scenario(failure-one-library-lacks-the-arch PROGRAM loaded_test ${passes}
    ENVIRONMENT ${h100} SAYS "missing on 9.0: second_kernel[^\n]*liblacking.so")
  _archgrid_add_scenario(failure-body-that-a-guard-leaves-empty PROGRAM hollow_test ${passes}
    ENVIRONMENT ${driver} ARCHGRID_FAKE_DEVICES=7.5 SAYS "empty on 7.5: hollow_kernel[^\n]*sm_75 body is empty")
  if(toolkit VERSION_GREATER_EQUAL 12.9)
    _archgrid_add_scenario(failure-suffix-of-another-gpu PROGRAM suffixed_test ${passes}
      ENVIRONMENT ${driver} ARCHGRID_FAKE_DEVICES=10.3 SAYS "wrong-suffix on 10.3: first_kernel[^\n]*100a")
  endif()

  # The driver is older than the code, or newer than the GPU.
  set(older_11.8 11.2)
  set(older_12.4 12.2)
  set(older_13.5 13.0)
  if(older_${toolkit}) # the runtime of CUDA 13.5 needs the driver of CUDA 13.0 at least
    set(older ARCHGRID_FAKE_DRIVER=${older_${toolkit}} ARCHGRID_FAKE_DEVICES=9.0)
    if(toolkit VERSION_LESS 12)
      set(older ARCHGRID_FAKE_DRIVER=${older_${toolkit}} ARCHGRID_FAKE_DEVICES=8.0)
    endif()
    _archgrid_add_scenario(failure-ptx-newer-than-the-driver PROGRAM ptx_test ${passes}
      ENVIRONMENT ${older} SAYS "ptx-too-new on [89].0: first_kernel[^\n]*a driver for CUDA ${older_${toolkit}} reads")
  endif()
  _archgrid_add_scenario(failure-ptx-refused-at-launch PROGRAM ptx_test ${passes} ENVIRONMENT ${h100} ${with_jit}
    ARCHGRID_FAKE_FAIL=cudaLaunchKernel=222 SAYS "returned cudaErrorUnsupportedPtxVersion \\(222\\)"
    "archgrid: failed: tests")
  _archgrid_add_scenario(failure-code-refused-at-launch PROGRAM served_test ${passes} ENVIRONMENT ${h100}
    ARCHGRID_FAKE_FAIL=cudaLaunchKernel=200 SAYS "returned cudaErrorInvalidKernelImage \\(200\\)"
    "archgrid: failed: tests")
  _archgrid_add_scenario(failure-driver-older-than-the-runtime PROGRAM served_test ${passes}
    ENVIRONMENT ARCHGRID_FAKE_DRIVER=10.2 ARCHGRID_FAKE_DEVICES=9.0 ARCHGRID_REQUIRE_GPU=1
    SAYS "archgrid: failed: no-gpu: the NVIDIA driver knows CUDA 10.2, and this program's runtime needs a newer one")
  _archgrid_add_scenario(failure-forward-compatibility-refused PROGRAM served_test ${passes} ENVIRONMENT ${h100}
    ARCHGRID_FAKE_FAIL=cudaGetDeviceCount=804 SAYS
    "failed: broken-gpu: [^\n]*cudaErrorCompatNotSupportedOnDevice \\(804\\)")
  _archgrid_add_scenario(failure-driver-in-two-parts PROGRAM served_test ${passes} ENVIRONMENT ${h100}
    ARCHGRID_FAKE_FAIL=cudaGetDeviceCount=803 SAYS "failed: broken-gpu: [^\n]*cudaErrorSystemDriverMismatch \\(803\\)")

  if(toolkit VERSION_GREATER 13.0) # 580, the driver of CUDA 13.0, is the last one for 7.0
    _archgrid_add_scenario(failure-gpu-that-the-driver-dropped PROGRAM served_test ${passes}
      ENVIRONMENT ${driver} ARCHGRID_FAKE_DEVICES=7.0 ARCHGRID_REQUIRE_GPU=1
      SAYS "archgrid: failed: no-gpu: the NVIDIA driver shows no GPU")
  endif()

  # PTX is compiled silently, or cannot be compiled.
  _archgrid_add_scenario(failure-silent-jit PROGRAM ptx_test ${passes} ENVIRONMENT ${h100}
    SAYS "jit on 9.0: first_kernel" "jitted")
  foreach(error IN ITEMS "221 JitCompilerNotFound" "223 JitCompilationDisabled")
    separate_arguments(error)
    list(POP_FRONT error number name)
    _archgrid_add_scenario(failure-no-jit-${number} PROGRAM ptx_test ${passes} ENVIRONMENT ${h100} ${with_jit}
      ARCHGRID_FAKE_FAIL=cudaLaunchKernel=${number}
      SAYS "returned cudaError${name} \\(${number}\\)" "archgrid: failed: tests")
  endforeach()

  # A launch fails, immediately or later.
  foreach(error IN ITEMS "209 NoKernelImageForDevice" "98 InvalidDeviceFunction" "500 SymbolNotFound")
    separate_arguments(error)
    list(POP_FRONT error number name)
    _archgrid_add_scenario(failure-launch-${number} PROGRAM served_test ${passes} ENVIRONMENT ${h100}
      ARCHGRID_FAKE_FAIL=cudaLaunchKernel=${number}
      SAYS "returned cudaError${name} \\(${number}\\)" "archgrid: failed: tests")
  endforeach()
  _archgrid_add_scenario(failure-launch-719 PROGRAM served_test ${passes} ENVIRONMENT ${h100}
    ARCHGRID_FAKE_FAIL=cudaLaunchKernel=719 SAYS "returned cudaErrorLaunchFailure \\(719\\)"
    "archgrid: failed: unusable-gpu")
  _archgrid_add_scenario(failure-launch-that-nobody-checks PROGRAM fixtures_test EXIT 1
    ARGUMENTS --gtest_filter=Unchecked.Launch
    ENVIRONMENT ${h100} ARCHGRID_FAKE_FAIL=cudaLaunchKernel=209
    SAYS "Unchecked.Launch left a CUDA error behind: [^\n]*cudaErrorNoKernelImageForDevice \\(209\\)")
endfunction()
