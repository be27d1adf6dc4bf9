// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <archgrid/gpu_runs.hpp>
#include <sstream>

namespace archgrid::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// One test as ctest writes it to its log.
std::string entry(const std::string& name, const std::string& output) {
  return "1/9 Testing: " + name + "\n1/9 Test: " + name + "\nCommand: \"x\"\nOutput:\n-----\n" +
         output + "<end of output>\nTest Passed.\n";
}

report::GpuRuns read(const std::string& log) {
  std::istringstream stream("Start testing: now\n" + log + "End testing: now\n");
  return report::read_gpu_runs(stream, {"cu130-fat", "cu130-sm90"});
}

constexpr const char* kGpu = "archgrid: gpu      NVIDIA H100, 9.0, device 0 of 1\n";
const std::string kPassed = kGpu + std::string("archgrid: passed: gpu: on 9.0\n");
constexpr const char* kNoGpu = "archgrid: skipped: no-gpu: no driver: libcuda.so.1\n";

TEST(GpuRuns, AreThoseThatNameTheirGpu) {
  const auto runs = read(entry("cu130-fat/gemm.A", kPassed) + entry("cu130-sm90/gemm.A", kPassed) +
                         entry("cu130-fat/AUDIT/sm90", "promise holds\n"));
  EXPECT_EQ(runs.ran, 2U);
  EXPECT_THAT(runs.gpus, ElementsAre("NVIDIA H100, 9.0"));
  EXPECT_EQ(report::gpu_runs_text(runs), "GPU tests: 2 ran on NVIDIA H100, 9.0: 2 passed");
}

TEST(GpuRuns, FailuresAreCountedByReason) {
  const auto failed = [](const std::string& line) {
    return entry("cu130-fat/gemm.A", kGpu + ("archgrid: failed: " + line));
  };
  const auto runs = read(entry("cu130-fat/gemm.A", kPassed) + failed("tests: 1 failed\n") +
                         failed("crashed: SIGSEGV during A.a\n") + failed("tests: 2 failed\n") +
                         failed("timed-out: A.a did not end within 5 s\n"));
  EXPECT_EQ(runs.ran, 5U);
  EXPECT_EQ(report::gpu_runs_text(runs),
            "GPU tests: 5 ran on NVIDIA H100, 9.0: 1 passed, 1 failed (crashed), "
            "2 failed (tests), 1 failed (timed-out)");
}

TEST(GpuRuns, TheLastLineOfATestCounts) {
  const auto runs = read(entry("cu130-fat/gemm.A", kPassed + "archgrid: failed: sanitizer: x\n"));
  EXPECT_EQ(report::gpu_runs_text(runs),
            "GPU tests: 1 ran on NVIDIA H100, 9.0: 0 passed, 1 failed (sanitizer)");
}

TEST(GpuRuns, WhatFailsBeforeItHasAGpuIsCounted) {
  const auto runs = read(entry("cu130-fat/gemm.A", "archgrid: failed: foreign-runtime: x\n"));
  EXPECT_EQ(runs.ran, 0U);
  EXPECT_EQ(report::gpu_runs_text(runs), "GPU tests: none ran, 1 failed (foreign-runtime)");
}

TEST(GpuRuns, AProgramWithoutALastLineWasKilled) {
  const auto runs = read(entry("cu130-fat/gemm.A", kGpu));
  EXPECT_EQ(report::gpu_runs_text(runs),
            "GPU tests: 1 ran on NVIDIA H100, 9.0: 0 passed, 1 failed (killed)");
}

TEST(GpuRuns, ThoseOfAPretendedRuntimeDidNotRun) {
  const auto runs = read(entry("cu130-fat/gemm.A",
                               "archgrid: gpu      Pretended 9.0, 9.0, device 0 of 1\n"
                               "archgrid: runtime  13.5, pretended: no kernel executes here\n"
                               "archgrid: passed: pretended: on 9.0, which is no GPU\n"));
  EXPECT_EQ(runs.ran, 0U);
  EXPECT_EQ(report::gpu_runs_text(runs),
            "GPU tests: none ran; 1 on a pretended GPU, which ran no kernel");
}

TEST(GpuRuns, ThoseOfAPretendedRuntimeThatFailAreCounted) {
  const std::string begin =
      "archgrid: gpu      Pretended 9.0, 9.0, device 0 of 1\n"
      "archgrid: runtime  13.5, pretended: no kernel executes here\n";
  const auto runs =
      read(entry("cu130-fat/gemm.A", begin + "archgrid: failed: tests: 1 failed\n") +
           entry("cu130-fat/gemm.B", begin + "archgrid: passed: pretended: on 9.0\n"));
  EXPECT_EQ(report::gpu_runs_text(runs),
            "GPU tests: none ran; 2 on a pretended GPU, which ran no kernel, 1 failed");
}

TEST(GpuRuns, SkippedOnesAreCountedByReasonAndDidNotRun) {
  const auto runs = read(entry("cu130-fat/gemm.A", kNoGpu) + entry("cu130-fat/gemm.B", kNoGpu) +
                         entry("cu130-sm90/gemm.A", "archgrid: skipped: wrong-gpu: for 9.0\n"));
  EXPECT_EQ(runs.ran, 0U);
  EXPECT_EQ(report::gpu_runs_text(runs),
            "GPU tests: none ran; 2 skipped (no-gpu): no driver: libcuda.so.1; "
            "1 skipped (wrong-gpu): for 9.0");
}

TEST(GpuRuns, ATestThatNamesItsGpuAndStandsAsideDidNotRun) {
  const auto runs =
      read(entry("cu130-fat/gemm.A", std::string(kGpu) + "archgrid: skipped: all-skipped: x\n"));
  EXPECT_EQ(runs.ran, 0U);
  EXPECT_THAT(report::gpu_runs_text(runs), HasSubstr("1 skipped (all-skipped)"));
}

TEST(GpuRuns, TestsOutsideTheCellsDoNotCount) {
  const auto runs = read(entry("gtest-11.8.Scenario", kGpu) + entry("unit.fatbin", ""));
  EXPECT_EQ(runs.tests, 2U);
  EXPECT_EQ(runs.cell_tests, 0U);
  EXPECT_EQ(runs.ran, 0U);
}

TEST(GpuRuns, KnowWhetherAnyTestJudgedTheCells) {
  EXPECT_EQ(read(entry("cu130-fat/gemm.Shapes", "x\n")).verdicts, 0U);
  EXPECT_EQ(read(entry("cu130-fat/AUDIT/sm90", "x\n")).verdicts, 1U);
  EXPECT_EQ(read(entry("cu130-fat/BUILT", "x\n")).verdicts, 1U);
  EXPECT_EQ(read(entry("PROMISES", "x\n")).verdicts, 1U);
}

TEST(GpuRuns, WithoutGpuTestsThereIsNothingToSay) {
  EXPECT_EQ(report::gpu_runs_text(read(entry("cu130-fat/AUDIT/sm90", "x\n"))), "");
  EXPECT_EQ(read("").tests, 0U);
}

}  // namespace
}  // namespace archgrid::tests
