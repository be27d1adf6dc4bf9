// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests `archgrid after-tests`, which ctest calls.
#include <gmock/gmock.h>

#include <fstream>

#include "trees.hpp"

namespace archgrid::tests {
namespace {

using ::testing::Not;

constexpr const char* kLog =
    "Start testing: Nov 24 12:00 UTC\n"
    "1/1 Testing: cu135-fat/AUDIT/sm80\n1/1 Test: cu135-fat/AUDIT/sm80\nTest Passed.\n";
constexpr const char* kGpuLog =
    "Start testing: Nov 24 12:00 UTC\n"
    "1/1 Testing: cu135-sm80/app.Runs\nOutput:\narchgrid: gpu NVIDIA A100, 8.0, device 0 of 1\n"
    "archgrid: passed: 1 test\n";

/// A log that this process, in the role of ctest, keeps open while it runs the command.
class OpenLog {
 public:
  OpenLog(const fs::path& root, const std::string& name, const std::string& text)
      : path_((fs::create_directories(root / "Testing" / "Temporary"),
               root / "Testing" / "Temporary" / name)),
        stream_(path_) {
    stream_ << text << std::flush;
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
  std::ofstream stream_;
};

Outcome run_after_tests(const fs::path& root, const std::string& environment = "") {
  return run({"after-tests", root.string()}, environment);
}

TEST(AfterTests, ADeviceThatNobodyPromisedIsOnlySaid) {
  const auto root = built_tree();
  const OpenLog log(root, "LastTest.log.tmp", kLog);
  const auto outcome = run_after_tests(root, "ARCHGRID_DEVICE=12.1");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, Says("--gpu 12.1: nothing is promised there"));
  const auto promised = run_after_tests(root, "ARCHGRID_DEVICE=8.6");
  EXPECT_EQ(promised.code, 0) << promised.err;
  EXPECT_THAT(promised.out, Says("promise holds: 7 kernels x 1 device, 1 cell"));
}

/// Returns a log in which these tests passed.
std::string log_of(const std::vector<std::string>& tests) {
  std::string log = "Start testing: Nov 24 12:00 UTC\n";
  for (const auto& name : tests) {
    log += "1/2 Testing: " + name + "\nOutput:\n<end of output>\nTest Passed.\n\"" + name +
           "\" time elapsed: 00:00:00\n";
  }
  return log;
}

TEST(AfterTests, OnlyCellsWithATestInTheRunAreJudged) {
  const auto root = built_tree();
  fs::remove(root / "cells" / "cu118-fat.json");
  fs::remove(root / "cells" / "cu135-sm80.json");
  const auto after = [&](const std::vector<std::string>& tests) {
    const OpenLog log(root, "LastTest.log.tmp", log_of(tests));
    return run_after_tests(root);
  };
  const auto one = after({"cu135-fat/AUDIT/sm80"});
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_THAT(one.out, Says("promise holds: 7 kernels x 2 devices, 1 cell"));
  const auto both = after({"cu135-fat/AUDIT/sm80", "cu135-sm80/BUILT"});
  EXPECT_EQ(both.code, 1) << both.err;
  EXPECT_THAT(both.out, Says("not-built: cell cu135-sm80"));
  EXPECT_THAT(both.out, Says("promise not proven: 1 finding (1 not-built)"));
  EXPECT_THAT(both.out, Says("judged each cell alone and passed: this run fails\n"));
}

TEST(AfterTests, TheLogThatCTestHasOpenIsRead) {
  for (const auto* name : {"LastTest.log.tmp", "LastTest.log.tmp0a1f3",
                           "LastTest_20261124-1200.log.tmpfffff", "Some other name"}) {
    const auto root = built_tree();
    const OpenLog log(root, name, kGpuLog);
    const auto outcome = run_after_tests(root, "ARCHGRID_REQUIRE_GPU=1");
    EXPECT_EQ(outcome.code, 0) << name << outcome.err;
    EXPECT_THAT(outcome.out, Says("GPU tests: 1 passed on NVIDIA A100, 8.0")) << name;
    fs::remove_all(root);
  }
}

TEST(AfterTests, LogsOfOtherRunsAreNotRead) {
  const auto root = built_tree();
  const auto logs = root / "Testing" / "Temporary";
  write(logs / "LastTest.log", kGpuLog);
  write(logs / "LastTest.log.tmp", kGpuLog);
  write(logs / "LastTest.log.tmp00000", kGpuLog);
  const OpenLog failed(root, "LastTestsFailed.log", "1:cu135-sm80/app.Runs\n");
  const OpenLog log(root, "LastTest.log.tmp12345", kLog);
  const auto outcome = run_after_tests(root, "ARCHGRID_REQUIRE_GPU=1");
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_THAT(outcome.out, Says("no test met a GPU, although ARCHGRID_REQUIRE_GPU=1"));
}

TEST(AfterTests, ALogWhoseNameAnotherRunTookIsRead) {
  const auto root = built_tree();
  const OpenLog log(root, "LastTest.log.tmp", kLog);
  fs::remove(log.path());
  write(log.path(), kGpuLog);
  const auto outcome = run_after_tests(root, "ARCHGRID_REQUIRE_GPU=1");
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_THAT(outcome.out, Says("no test met a GPU, although ARCHGRID_REQUIRE_GPU=1"));
}

TEST(AfterTests, TheTreeMayBeNamedThroughALink) {
  const auto root = built_tree();
  const OpenLog log(root, "LastTest.log.tmp", kLog);
  const auto link = folder() / "link";
  fs::create_directory_symlink(root, link);
  const auto outcome = run_after_tests(link);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, Says("promise holds"));
}

TEST(AfterTests, WithoutALogOfThisRunIsTwo) {
  const auto root = built_tree();
  write(root / "Testing" / "Temporary" / "LastTest.log", kGpuLog);
  const OpenLog of_other_tree(folder() / "other", "LastTest.log.tmp", kGpuLog);
  const auto outcome = run_after_tests(root);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, Says("what this run tested is unknown\n  fix: run ctest in"));
}

}  // namespace
}  // namespace archgrid::tests
