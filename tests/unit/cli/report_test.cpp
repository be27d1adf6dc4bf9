// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests `archgrid report merge`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "command.hpp"

namespace archgrid::tests {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kGoodRun =
    "<testsuite name=\"(empty)\"><testcase name=\"cu135-fat/app\" status=\"run\"><system-out>"
    "archgrid: gpu      NVIDIA A100, 8.0, device 0 of 1\n</system-out></testcase></testsuite>";
constexpr const char* kFailedRun =
    "<testsuite name=\"(empty)\"><testcase name=\"cu135-fat/app\" status=\"fail\">"
    "<failure message=\"\"/><system-out>archgrid: failed: tests: 1 failed\n</system-out>"
    "</testcase></testsuite>";
constexpr const char* kJobsPlan =
    R"({"schema": "archgrid.plan/1", "jobs": [{"name": "sm80", "device": "8.0"},
                                              {"name": "sm90", "device": "9.0"}]})";

/// Writes the artifacts of two jobs, the second of which has failed.
std::string artifacts() {
  const auto path = folder() / "artifacts";
  write(path / "junit-sm80" / "junit.xml", kGoodRun);
  write(path / "junit-sm90" / "junit.xml", kFailedRun);
  write(path / "cells" / "notes.txt", "no results");
  return path.string();
}

std::vector<std::string> job_names(const Outcome& outcome) {
  std::vector<std::string> names;
  const auto document = json::parse(outcome.out);
  for (const auto& job : document["jobs"]) names.push_back(job["name"]);
  return names;
}

TEST(ReportMerge, HasOneVerdictAndExitCode) {
  const auto path = artifacts();
  const auto failed = run({"report", "merge", path});
  EXPECT_EQ(failed.code, 1) << failed.err;
  EXPECT_EQ(failed.out,
            "job         passed  failed  skipped  not run\n"
            "junit-sm80       1       0        0        0\n"
            "junit-sm90       0       1        0        0  FAILED\n\n"
            "failed: app\n  tests: 1 failed\n  in junit-sm90 (cu135-fat)\n\n"
            "failed: 1 case in 1 of 2 jobs; 1 passed\n");
  const auto passed = run({"report", "merge", path + "/junit-sm80/"});
  EXPECT_EQ(passed.code, 0) << passed.out;
  EXPECT_THAT(passed.out, HasSubstr("passed: 1 case in 1 job\n"));
}

TEST(ReportMerge, FoldersNameJobs) {
  const auto path = artifacts();
  const auto names = [](const std::vector<std::string>& inputs) {
    std::vector<std::string> words = {"report", "merge", "--json"};
    words.insert(words.end(), inputs.begin(), inputs.end());
    return job_names(run(words));
  };
  EXPECT_THAT(names({path}), ElementsAre("junit-sm80", "junit-sm90"));
  EXPECT_THAT(names({path + "/junit-sm80", path + "/junit-sm90/junit.xml"}),
              ElementsAre("junit-sm80", "junit-sm90"));
  write(fs::path(path) / "junit-sm80" / "Testing" / "gpu-tests.json",
        R"({"schema": "archgrid.gpu-runs/1", "runs": []})");
  EXPECT_THAT(names({path + "/junit-sm80/Testing/gpu-tests.json"}), ElementsAre("junit-sm80"));
  fs::remove(fs::path(path) / "junit-sm80" / "junit.xml");
  EXPECT_THAT(names({path + "/junit-sm80"}), ElementsAre("junit-sm80"));
  // A file that is named twice counts once.
  const auto twice = run({"report", "merge", path, path + "/junit-sm90", "--json"});
  EXPECT_EQ(json::parse(twice.out)["summary"]["failed"], 1) << twice.out;
}

TEST(ReportMerge, ThePlanMissesJobs) {
  const auto path = artifacts();
  fs::remove_all(fs::path(path) / "junit-sm90");
  write(folder() / "plan.json", kJobsPlan);
  const auto plan = (folder() / "plan.json").string();
  EXPECT_EQ(run({"report", "merge", path}).code, 0);
  const auto lost = run({"report", "merge", path, "--expect", plan});
  EXPECT_EQ(lost.code, 1) << lost.err;
  EXPECT_THAT(lost.out, Says("LOST: it left no results"));
  EXPECT_THAT(lost.out, Says("failed: 1 job lost; 1 passed"));
  write(folder() / "plan.json", "{}");
  const auto refused = run({"report", "merge", path, "--expect", plan});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, Says("plan.json: neither archgrid.plan/1"));
  EXPECT_EQ(run({"report", "merge", path, "--expect", path + "/none.json"}).code, 2);
}

TEST(ReportMerge, ReadsThePlanThatMatrixWrites) {
  const auto plan = (folder() / "plan.json").string();
  write(folder() / "matrix.json",
        R"({"name": "m", "toolkits": [{"cuda": "13.0", "archs": ["80", "90"]}],
            "promises": [{"devices": ["8.0", "9.0"]}],
            "runners": {"8.0": ["gpu"], "9.0": ["gpu"]}})");
  const auto planned = run({"matrix", (folder() / "matrix.json").string(), "--json=" + plan});
  ASSERT_EQ(planned.code, 0) << planned.err;
  const auto path = artifacts();
  const auto merged = run({"report", "merge", path, "--expect", plan, "--json"});
  EXPECT_EQ(merged.code, 1) << merged.err;
  EXPECT_THAT(job_names(merged), ElementsAre("sm80", "sm90"));
}

TEST(ReportMerge, AllowsJobsNotToRun) {
  const auto path = folder() / "artifacts";
  write(path / "sm80" / "junit.xml", kGoodRun);
  write(path / "cpu" / "junit.xml",
        "<testsuite name=\"(empty)\"><testcase name=\"cu135-fat/app\" status=\"notrun\">"
        "<skipped message=\"SKIP_RETURN_CODE=77\"/><system-out>archgrid: skipped: no-gpu: no "
        "driver\n</system-out></testcase></testsuite>");
  const auto open = run({"report", "merge", path.string()});
  EXPECT_EQ(open.code, 1) << open.err;
  EXPECT_THAT(open.out, HasSubstr("NOT RUN: no-gpu: no driver"));
  EXPECT_THAT(open.out, HasSubstr("not proven: 1 job not run; 1 passed, 1 skipped"));
  const auto allowed = run({"report", "merge", path.string(), "--allow-not-run", "cpu,other"});
  EXPECT_EQ(allowed.code, 0) << allowed.out;
}

TEST(ReportMerge, UnreadInputsAreNamedAndTheReportIsWritten) {
  const auto path = artifacts();
  write(fs::path(path) / "junit-sm80" / "Testing" / "gpu-tests.json",
        R"({"schema": "archgrid.gpu-runs/1", "runs": [{"te)");
  write(folder() / "others" / "compile_commands.json",
        R"([{"file": "a.cpp", "command": "c++ a.cpp -o a"}])");
  const auto others = (folder() / "others").string();
  const auto page = folder() / "page.html";
  const auto outcome = run(
      {"report", "merge", path, path + "/gone", path + "/cells", others, "--html", page.string()});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.out, Says("junit-sm80/Testing/gpu-tests.json: damaged JSON"));
  EXPECT_THAT(outcome.out, Says("gone: no such file or folder"));
  EXPECT_THAT(outcome.out, Says("cells: no .json or .xml file is in this folder"));
  EXPECT_THAT(outcome.out, Says("failed: 1 case in 1 of 2 jobs, 4 inputs not read; 1 passed"));
  EXPECT_THAT(outcome.out, Says("others: no file in it has results"));
  EXPECT_THAT(contents_of(page), HasSubstr("<li>" + path + "/gone: no such file or folder</li>"));
}

TEST(ReportMerge, WritesForGitHub) {
  const auto path = artifacts();
  const auto summary = (folder() / "summary").string();
  const auto markdown = folder() / "page.md";
  const auto outcome = run({"report", "merge", path, "--github", "--summary", markdown.string()},
                           "GITHUB_STEP_SUMMARY=" + quoted(summary));
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("::error title=app::tests: 1 failed (in junit-sm90"));
  EXPECT_THAT(contents_of(summary), HasSubstr("## :x: failed: 1 case in 1 of 2 jobs"));
  EXPECT_EQ(contents_of(summary), contents_of(markdown));
  EXPECT_EQ(run({"report", "merge", path, "--github", "--json"}).code, 2);
}

TEST(ReportMerge, ASummaryOfManyFailuresIsWhatGitHubTakes) {
  std::string cases;
  for (int index = 0; index < 5000; ++index) {
    cases += "<testcase name=\"t" + std::to_string(index) +
             "\" status=\"fail\"><failure message=\"\"/><system-out>" + std::string(500, 'x') +
             "</system-out></testcase>";
  }
  write(folder() / "all" / "job" / "junit.xml",
        "<testsuite name=\"(empty)\">" + cases + "</testsuite>");
  const auto summary = folder() / "summary.md";
  const auto outcome =
      run({"report", "merge", (folder() / "all").string(), "--summary", summary.string()});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_LT(fs::file_size(summary), 1U << 20U);
  EXPECT_GT(fs::file_size(summary), 900U * 1000);
  EXPECT_THAT(contents_of(summary), HasSubstr("left out, as GitHub takes no more: "));
}

TEST(ReportMerge, RefusesWhatItWouldOverwrite) {
  const auto path = artifacts();
  const auto input = path + "/junit-sm80/junit.xml";
  const auto refused = run({"report", "merge", path, "--html", input});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, Says("is an input"));
  EXPECT_EQ(contents_of(input), kGoodRun);
  EXPECT_EQ(run({"report", "merge"}).code, 2);
  EXPECT_EQ(run({"report"}).code, 2);
}

TEST(ReportMerge, FollowsNoLinks) {
  const auto path = artifacts();
  write(folder() / "elsewhere" / "junit.xml", kFailedRun);
  fs::create_directory_symlink(folder() / "elsewhere", fs::path(path) / "linked");
  fs::create_symlink(folder() / "elsewhere" / "junit.xml",
                     fs::path(path) / "junit-sm80" / "other.xml");
  EXPECT_THAT(job_names(run({"report", "merge", path, "--json"})),
              ElementsAre("junit-sm80", "junit-sm90"));
  EXPECT_EQ(run({"report", "merge", path + "/junit-sm80"}).code, 0);
}

TEST(ReportMerge, IsInTheManualAndInCompletion) {
  EXPECT_THAT(run({"man"}).out, HasSubstr("archgrid report merge"));
  EXPECT_THAT(run({"completion", "bash"}).out, HasSubstr("--allow-not-run"));
}

}  // namespace
}  // namespace archgrid::tests
