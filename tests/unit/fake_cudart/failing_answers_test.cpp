// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests limits, failures and times of the fake runtime.
#include "answers.hpp"

namespace archgrid::tests {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// ---- Limits of a launch ------------------------------------------------------------------------

TEST_F(Answers, ToBlocksThatNoKernelCanHaveAre9Or1) {
  const std::string wrong = cuda_major() < 13 ? "9" : "1";
  EXPECT_THAT(
      answers(machine("9.0"), {"launch:sass_90,1024", "launch:sass_90,1025", "launch:sass_90,0"}),
      ElementsAre("0", wrong, wrong));
}

TEST_F(Answers, ToBlocksThatTheKernelsRegistersDoNotAllowAre701) {
  EXPECT_THAT(answers(machine("9.0"), {"launch:heavy,32", "launch:heavy,1024"}),
              ElementsAre("0", "701"));
}

TEST_F(Answers, ToBlocksBeyondTheLaunchBoundsAre1) {
  EXPECT_THAT(answers(machine("9.0"), {"launch:bounded,128", "launch:bounded,129"}),
              ElementsAre("0", "1"));
}

TEST_F(Answers, ToOccupancyIgnoreLaunchBounds) {
  EXPECT_EQ(answer(machine("9.0"), "occupancy:bounded,256"), "0 8");
}

TEST_F(Answers, ToSharedMemoryThatIsNotAllowedAre1) {
  EXPECT_THAT(answers(machine("9.0"),
                      {"launch:sass_90,32,49024", "launch:sass_90,32,49025", "allow:sass_90,232320",
                       "launch:sass_90,32,232320", "allow:sass_90,232321"}),
              ElementsAre("0", "1", "0", "0", "1"));
  EXPECT_EQ(answer(machine("8.6"), "allow:sass_80,101249"), "1");
}

TEST_F(Answers, ToCooperativeLaunchesThatDoNotFitAre720) {
  EXPECT_THAT(answers(machine("9.0"),
                      {"launch-together:sass_90,1024,0,32", "launch-together:sass_90,1024,0,33"}),
              ElementsAre("0", "720"));
}

TEST_F(Answers, ToAPointerThatIsNoKernelAre98Or400) {
  EXPECT_EQ(answer(machine("9.0"), "launch-nothing"), cuda_major() < 13 ? "98" : "400");
}

// ---- Failures ----------------------------------------------------------------------------------

TEST_F(Answers, FailAsAskedForEachTimeOrOnce) {
  EXPECT_THAT(answers(failing("cudaMalloc=2"), {"malloc", "malloc", "last", "launch:sass_90"}),
              ElementsAre("2", "2", "2", "0"));
  EXPECT_THAT(
      answers(failing("cudaMalloc#2=cudaErrorMemoryAllocation"), {"malloc", "malloc", "malloc"}),
      ElementsAre("0", "2", "0"));
}

TEST_F(Answers, FailForTheKernelThatIsNamed) {
  EXPECT_THAT(answers(failing("launch:tile<3, 4>=209"), {"launch:tile", "launch:bounded"}),
              ElementsAre("209", "0"));
  EXPECT_THAT(answers(failing("launch:bounded#2=701"),
                      {"launch:bounded", "launch:tile", "launch:bounded", "launch:bounded"}),
              ElementsAre("0", "0", "701", "0"));
  EXPECT_THAT(answers(failing("launch=719"), {"launch:bounded", "sync"}), ElementsAre("0", "719"));
}

TEST_F(Answers, FailWhereTheCompilerOfPtxDoes) {
  EXPECT_THAT(answers(failing("jit=221"), {"launch:ptx_75", "launch:ptx_75", "attributes:ptx_75",
                                           "last", "launch:sass_90"}),
              ElementsAre("221", "221", "221", "221", "0"));
  EXPECT_THAT(answers(failing("jit#2=221"), {"launch:ptx_75", "launch:sass_80_ptx_80"}),
              ElementsAre("0", "221"));
}

TEST_F(Answers, FailWhereNothingStarts) {
  EXPECT_THAT(answers(failing("start=803"), {"count", "malloc", "launch:sass_90"}),
              ElementsAre("803 -1", "803", "803"));
  // In CUDA 11 the runtime's version needs a driver, too.
  EXPECT_THAT(answer(failing("start=804"), "versions"),
              AllOf(StartsWith("0 "), HasSubstr(cuda_major() == 11 ? " 804 -1" : " 0 ")));
}

TEST_F(Answers, AboutAKernelThatRunsWildComeWithTheNextWait) {
  EXPECT_THAT(
      answers(failing("launch:sass_90=700"), {"launch:sass_90", "last", "memory", "last", "last"}),
      ElementsAre("0", "0", "700", "700", "0"));
}

TEST_F(Answers, StayAfterAnErrorThatLeavesTheContextUnusable) {
  EXPECT_THAT(answers(failing("cudaMalloc#1=719"), {"malloc", "malloc", "launch:sass_90", "sync",
                                                    "last", "last", "attributes:sass_90", "peek"}),
              ElementsAre("719", "719", "719", "719", "719", "0", "719", "719"));
  EXPECT_THAT(answers(failing("cudaMalloc#1=719"), {"malloc", "reset", "malloc", "sync"}),
              ElementsAre("719", "0", "46", "46"));
  // Calls that only query the machine still work.
  EXPECT_THAT(answers(failing("cudaMalloc#1=719"), {"malloc", "count", "properties:0"}),
              ElementsAre("719", "0 1", StartsWith("0 Fake 9.0")));
}

TEST_F(Answers, DoNotStayAfterOtherErrors) {
  EXPECT_THAT(answers(failing("cudaMalloc#1=2"), {"malloc", "peek", "last", "last", "malloc"}),
              ElementsAre("2", "2", "2", "0", "0"));
}

TEST_F(Answers, OfOneThreadAreNotTheLastErrorsOfAnother) {
  EXPECT_THAT(answers(machine("9.0"), {"free-foreign", "last-elsewhere", "last"}),
              ElementsAre("1", "0", "1"));
}

// ---- Time --------------------------------------------------------------------------------------

std::vector<double> times(const std::string& rules, const std::vector<std::string>& questions) {
  std::vector<double> found;
  for (const auto& line : answers(machine("9.0", {"ARCHGRID_FAKE_LATENCY=" + rules}), questions)) {
    std::istringstream words(line);
    int error = -1;
    double time = -1;
    words >> error >> time;
    EXPECT_EQ(error, 0) << line;
    found.push_back(time);
  }
  return found;
}

// The lower limit of a fake time. A busy machine adds to it.
TEST_F(Answers, TakeTheTimeOfTheirLatency) {
  EXPECT_GE(times("cudaMalloc=30ms", {"malloc-time"}).at(0), 30);
  EXPECT_GE(times("cudaLaunchKernel=10ms", {"launch-time:sass_90"}).at(0), 10);
}

TEST_F(Answers, ToEventsFollowFromTheLatenciesOfKernels) {
  EXPECT_GE(times("launch:sass_90=20ms", {"elapsed:sass_90,3"}).at(0), 60);
  EXPECT_GE(times("launch=20ms", {"elapsed:sass_90,1"}).at(0), 20);
  EXPECT_GE(times("cudaLaunchKernel=5ms", {"elapsed:sass_90,4"}).at(0), 20);
}

// 600 (not ready) is not stored as an error.
TEST_F(Answers, TellThatAKernelStillRuns) {
  const auto slow = machine("9.0", {"ARCHGRID_FAKE_LATENCY=launch=3600s"});
  EXPECT_THAT(answers(slow, {"done:sass_90", "last"}), ElementsAre("0 600 600", "0"));
  EXPECT_EQ(answer(machine("9.0"), "done:sass_90"), "0 0 0");
}

TEST_F(Answers, TakeTheTimeOfJitOncePerModule) {
  const auto rules = machine("9.0", {"ARCHGRID_FAKE_LATENCY=jit#1=40ms,jit#2=1s"});
  const auto lines = answers(rules, {"launch-time:ptx_75", "launch:ptx_75", "launch-time:sass_90"});
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_GE(std::atof(lines[0].c_str() + 2), 40);
}

// Only CUDA 13 loads a kernel whose name is asked for, so only there the launch finds it compiled.
TEST_F(Answers, ToNamesCompileNothingBeforeCuda13) {
  const auto rules = failing("jit#1=221");
  EXPECT_THAT(answers(rules, {"name:ptx_75", "launch:ptx_75"}),
              ElementsAre(cuda_major() < 13 ? "0 ptx_75" : "221", "221"));
  const auto slow = machine("9.0", {"ARCHGRID_FAKE_LATENCY=jit#1=40ms,jit#2=1s"});
  const auto lines = answers(slow, {"name:ptx_75", "launch-time:ptx_75"});
  ASSERT_EQ(lines.size(), 2U);
  if (cuda_major() < 13) {
    EXPECT_GE(std::atof(lines[1].c_str() + 2), 40);
  }
}

TEST_F(Answers, TakeTheTimeOfTheStartOnce) {
  const auto slow = times("start=40ms", {"malloc-time"});
  EXPECT_GE(slow.at(0), 40);
}

TEST_F(Answers, OfSeveralThreadsAreTheSame) {
  EXPECT_EQ(answer(machine("9.0"), "threads:sass_90,200"), "0 1600");
  EXPECT_EQ(answer(machine("7.5"), "threads:sass_90,200"), "0 0");
}

// ---- Memory ------------------------------------------------------------------------------------

TEST_F(Answers, OfMemoryAreWhatWasWritten) {
  EXPECT_THAT(answers(machine("9.0"),
                      {"memory", "symbol", "free-foreign", "malloc:17179869185", "malloc:0"}),
              ElementsAre("0 5 6 2", "0 3 4 64", "1", "2", "0"));
}

}  // namespace
}  // namespace archgrid::tests
