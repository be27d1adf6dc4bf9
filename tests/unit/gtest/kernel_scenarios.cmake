# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Adds scenarios that tests of kernels notice kernels which do nothing: a launch does nothing here.
# Takes the arguments of _archgrid_add_gtest_scenarios and runs its programs; reads `toolkit`,
# `build`, `h100`, `t4` and `units` of the caller.
function(_archgrid_add_kernel_scenarios)
  set(idle "FAILED  . Variants/Gemm.ComputesEveryCase/")
  set(gemm "${idle}simt_f32_128x128" "${idle}simt_f64_64x64")
  if(NOT units)
    _archgrid_add_scenarios_of_all_kernels()
    list(APPEND gemm "${idle}mma_f64_64x64" "${idle}mma_tf32_64x64" "${idle}mma_f16_128x128" "${idle}mma_bf16_64x64"
      "${idle}mma_s8_128x128" "FAILED  . Variants/Gemm.ComputesLargeMatrices/mma_s8_128x128")
  endif()
  _archgrid_add_scenario(idle-gemm PROGRAM kernels/tests/gemm_test EXIT 1 ENVIRONMENT ${h100}
    SAYS "kernels  [0-9]+, 0 not served" ${gemm} "row 0 column 0 is [^\n]*, not " SAYS_NOT "OK . Variants/Gemm")
  _archgrid_add_scenario(idle-spmv PROGRAM kernels/tests/spmv_test EXIT 1 ENVIRONMENT ${h100}
    SAYS "kernels  [0-9]+, 0 not served" "FAILED  . Variants/SpmvOf.IsExactForSmallWholeNumbers/spmv_merge_f16_i64"
      "FAILED  . Variants/SpmvOf.StaysWithinTheBound/spmv_warp_per_row_f64_i32"
      "FAILED  . SpmvRows.AreMeasuredOnTheDevice"
    SAYS_NOT "OK . Variants/SpmvOf")
  _archgrid_add_scenario(idle-checks PROGRAM kernels/tests/check_test EXIT 1 ENVIRONMENT ${h100}
    SAYS "FAILED  . Check.FindsTheFirstErrorInRows" "FAILED  . Check.FindsTheFirstErrorInColumns"
      "FAILED  . Check.FindsTheFirstErrorInRowsOfBlocks" "FAILED  . Check.FindsTheFirstErrorOfCoordinates"
      "FAILED  . Check.FindsElementsOfBlocksBeyondTheMatrix")
  _archgrid_add_scenario(failed-launch PROGRAM kernels/tests/gemm_test EXIT 1
    ARGUMENTS --gtest_filter=*ComputesEveryCase/simt_f32_64x64 ENVIRONMENT ${h100}
    ARCHGRID_FAKE_FAIL=cudaLaunchKernel=209
    SAYS "simt_f32_64x64 1x1x1 [^\n]*: cudaErrorNoKernelImageForDevice")
endfunction()

# Adds scenarios of kernels that few programs have, and of benchmarks. Also reads `idle` of the
# caller.
function(_archgrid_add_scenarios_of_all_kernels)
  _archgrid_add_scenario(gemm-on-an-older-gpu PROGRAM kernels/tests/gemm_test EXIT 1
    ARGUMENTS --gtest_filter=*ComputesEveryCase/mma_?f16_64x64:*ComputesEveryCase/mma_f16_64x64
    ENVIRONMENT ${t4}
    SAYS "mma_bf16_64x64 needs a device from 8.0 on" "${idle}mma_f16_64x64")
  _archgrid_add_scenario(idle-spmm PROGRAM kernels/tests/spmm_test EXIT 1 ENVIRONMENT ${h100}
    SAYS "FAILED  . Variants/SpmmOf.IsExactForSmallWholeNumbers/spmm_merge_f16_i64" SAYS_NOT "OK . Variants/SpmmOf")
  _archgrid_add_scenario(idle-sddmm PROGRAM kernels/tests/sddmm_test EXIT 1 ENVIRONMENT ${h100}
    SAYS "FAILED  . Variants/SddmmOf.IsExactForSmallWholeNumbers/sddmm_warp_per_entry_f16_i64"
    SAYS_NOT "OK . Variants/SddmmOf")
  _archgrid_add_scenario(idle-bsrmm PROGRAM kernels/tests/bsrmm_test EXIT 1 ENVIRONMENT ${h100}
    SAYS "bsrmm_mma_f16_f16_i32" "FAILED  . Bsrmm.IsExactForSmallWholeNumbers" "FAILED  . Bsrmm.StaysWithinTheBound"
      "FAILED  . Bsrmm.ReadsNoRowOfBThatNoBlockMultiplies")
  _archgrid_add_scenario(idle-structured PROGRAM kernels/tests/structured_test EXIT 1 ENVIRONMENT ${h100}
    SAYS "FAILED  . Prune.LeavesTheTwoLargestOfEachFour" "FAILED  . Check.NamesTheFirstFourThatHasTooMany"
      "FAILED  . Compress.StoresTheTwoOfEachFourAndTheirIndices"
      "FAILED  . Variants/StructuredOf.ComputesEveryCase/structured_s8"
    SAYS_NOT "OK . Variants/StructuredOf")
  _archgrid_add_scenario(structured-on-an-older-gpu PROGRAM kernels/tests/structured_test EXIT 1
    ARGUMENTS --gtest_filter=*StructuredOf* ENVIRONMENT ${t4}
    SAYS "structured_f16 needs a device from 8.0 on" SAYS_NOT "OK . Variants")
  _archgrid_add_scenario(idle-features PROGRAM kernels/tests/bucketize_test EXIT 1 ENVIRONMENT ${h100}
    SAYS "kernels  [0-9]+, 0 not served" "FAILED  . BucketizeAgain.MakesTheSame" SAYS_NOT "OK . OfTypes/Bucketize")
  _archgrid_add_scenario(idle-lookups PROGRAM kernels/tests/embedding_test EXIT 1 ENVIRONMENT ${h100}
    SAYS "FAILED  . Embedding.AddsUpTheRowsOfEachBag"
    "FAILED  . Embedding.OfFeaturesThatWereSharedOutAddsUpToThatOfAll")
  _archgrid_add_scenario(idle-gemm-perf PROGRAM kernels/tests/gemm_perf_test EXIT 1 ENVIRONMENT ${h100}
    ARGUMENTS --gtest_filter=*_decode_1
    SAYS "FAILED  . Variants/GemmPerf.IsMeasured/simt_f32_decode_1"
    "FAILED  . Variants/GemmPerf.IsMeasured/mma_bf16_decode_1"
    SAYS_NOT "archgrid: perf:" "OK . Variants")
  _archgrid_add_scenario(idle-spmv-perf PROGRAM kernels/tests/spmv_perf_test EXIT 1 ENVIRONMENT ${h100}
    ARGUMENTS --gtest_filter=Variants*uniform_4 SAYS "9 FAILED TESTS" SAYS_NOT "archgrid: perf:")
  _archgrid_add_scenario(idle-spmm-perf PROGRAM kernels/tests/spmm_perf_test EXIT 1 ENVIRONMENT ${h100}
    ARGUMENTS --gtest_filter=Variants*f32_uniform_32_rows_8 SAYS "3 FAILED TESTS" SAYS_NOT "archgrid: perf:")
  _archgrid_add_scenario(idle-features-perf PROGRAM kernels/tests/bucketize_perf_test EXIT 1 ENVIRONMENT ${h100}
    ARGUMENTS --gtest_filter=*short_bags_8_devices* SAYS "2 FAILED TESTS" SAYS_NOT "archgrid: perf:")
  _archgrid_add_scenario(idle-lookups-perf PROGRAM kernels/tests/bucketize_perf_test EXIT 1 ENVIRONMENT ${h100}
    ARGUMENTS --gtest_filter=*width_128_bags_of_2 SAYS "1 FAILED TEST" SAYS_NOT "archgrid: perf:")
  _archgrid_add_scenario(idle-bsrmm-perf PROGRAM kernels/tests/bsrmm_perf_test EXIT 1 ENVIRONMENT ${h100}
    ARGUMENTS --gtest_filter=Variants*blocks_64_rows_128 SAYS "2 FAILED TESTS" SAYS_NOT "archgrid: perf:")
  _archgrid_add_scenario(idle-sddmm-perf PROGRAM kernels/tests/sddmm_perf_test EXIT 1 ENVIRONMENT ${h100}
    ARGUMENTS --gtest_filter=Variants*uniform_32_b_rows_32 SAYS "2 FAILED TESTS" SAYS_NOT "archgrid: perf:")
  _archgrid_add_scenario(idle-structured-perf PROGRAM kernels/tests/structured_perf_test EXIT 1 ENVIRONMENT ${h100}
    ARGUMENTS --gtest_filter=*s8_square_4096:*Data* SAYS "2 FAILED TESTS" SAYS_NOT "archgrid: perf:")
  _archgrid_add_scenario(failed-launch-is-not-timed PROGRAM kernels/tests/spmv_perf_test EXIT 1
    ARGUMENTS --gtest_filter=Variants*f32_uniform_4 ENVIRONMENT ${h100} ARCHGRID_FAKE_FAIL=cudaLaunchKernel=209
    SAYS "the launch: cudaErrorNoKernelImageForDevice \\(209\\)" SAYS_NOT "archgrid: perf:")
endfunction()
