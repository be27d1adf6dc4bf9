// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <archgrid/report/gpu_runs.hpp>

#include "merge_files.hpp"

namespace archgrid::tests {
namespace {

using report::CaseOutcome;
using report::JobStatus;
using report::MergedReport;
using report::Outcome;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

const MadeRun kPassed = {.cases = {{"A.a", "passed"}, {"A.b", "passed"}}};
const MadeRun kSkipped = {.cases = {{"A.a", "skipped", "no driver"}},
                          .gpu = "",
                          .outcome = "skipped",
                          .code = "no-gpu",
                          .message = "no driver"};

MadeRun failed_run(const std::string& name, const std::string& reason) {
  return {.cases = {{"A.a", "passed"}, {name, "failed", reason}},
          .outcome = "failed",
          .code = "tests",
          .message = "1 failed"};
}

std::string screen(const MergedReport& merged) {
  return report::merge_text(merged, {{}, false, false, 80, false});
}

report::MergeRequest planned(std::vector<report::PlannedJob> jobs) {
  report::MergeRequest request;
  request.planned = std::move(jobs);
  return request;
}

std::string ctest_junit(const std::string& cases) {
  return "<?xml version=\"1.0\"?>\n<testsuite name=\"(empty)\" tests=\"1\">" + cases +
         "</testsuite>\n";
}

std::string ctest_case(const std::string& name, const std::string& status,
                       const std::string& inside = "") {
  return "<testcase name=\"" + name + "\" classname=\"" + name + "\" time=\"0\" status=\"" +
         status + "\">" + inside + "</testcase>";
}

TEST(Merge, CountsCasesAndPasses) {
  const auto merged = MadeJobs().add_runs("sm90", {kPassed}).merged();
  EXPECT_EQ(merged.outcome, Outcome::holds);
  EXPECT_EQ(merged.verdict, "passed: 2 cases in 1 job");
  EXPECT_EQ(screen(merged),
            "job   passed  failed  skipped  not run\n"
            "sm90       2       0        0        0\n\n"
            "passed: 2 cases in 1 job\n");
}

TEST(Merge, AJobOfThePlanWithoutResultsIsLost) {
  const auto jobs = MadeJobs().add_runs("junit-sm90", {kPassed});
  const auto merged = jobs.merged(planned({{"sm80", {"8.0"}}, {"sm90", {"9.0"}}}));
  EXPECT_EQ(merged.outcome, Outcome::broken);
  ASSERT_THAT(merged.jobs, SizeIs(2));
  EXPECT_EQ(merged.jobs[0].name, "sm80");
  EXPECT_EQ(merged.jobs[0].status, JobStatus::lost);
  EXPECT_EQ(merged.jobs[1].name, "sm90");
  EXPECT_EQ(merged.jobs[1].status, JobStatus::passed);
  EXPECT_EQ(merged.verdict, "failed: 1 job lost; 2 passed");
  EXPECT_THAT(screen(merged),
              HasSubstr("sm80       -       -        -        -  LOST: it left no"));
  EXPECT_THAT(report::merge_annotations(merged), HasSubstr("::error title=sm80::LOST"));
  // Without the plan nobody misses it.
  EXPECT_EQ(jobs.merged().outcome, Outcome::holds);
}

TEST(Merge, AJobWithoutAFileOfResultsIsLostToo) {
  const auto merged = MadeJobs()
                          .add_runs("sm90", {kPassed})
                          .add("sm80/plan.json", R"({"schema": "archgrid.plan/1"})")
                          .add("sm80/compile_commands.json", "[" + std::string(60, ' ') + "1, 2")
                          .add("sm80/coverage.xml", "<coverage/>")
                          .merged(planned({{"sm80", {"8.0"}}, {"sm90", {"9.0"}}}));
  EXPECT_EQ(merged.jobs[0].status, JobStatus::lost);
  EXPECT_THAT(merged.errors, IsEmpty());
}

TEST(Merge, AJobOnAnotherGpuHasFailed) {
  auto other = kPassed;
  other.gpu = "NVIDIA A100";
  other.capability = "8.0";
  const auto merged = MadeJobs().add_runs("sm90", {other}).merged(planned({{"sm90", {"9.0"}}}));
  EXPECT_EQ(merged.outcome, Outcome::broken);
  ASSERT_THAT(merged.failures, SizeIs(1));
  EXPECT_THAT(merged.failures[0].reason, HasSubstr("ran on NVIDIA A100, 8.0, and the plan has"));
}

TEST(Merge, EqualFailuresOfManyJobsFold) {
  MadeJobs jobs;
  for (const std::string job : {"sm100", "sm80", "sm90"}) {
    auto run = failed_run("S.big", "expected 3,\n  got 4");
    run.test = "cu130-" + job + "/gemm";
    jobs.add_runs(job, {run});
  }
  jobs.add_runs("other", {failed_run("S.big", "another reason")});
  const auto merged = jobs.merged();
  ASSERT_THAT(merged.failures, SizeIs(2));
  EXPECT_THAT(merged.failures[1].places,
              ElementsAre("sm80 (cu130-sm80)", "sm90 (cu130-sm90)", "sm100 (cu130-sm100)"));
  EXPECT_EQ(merged.failures[1].jobs, 3U);
  EXPECT_EQ(merged.verdict, "failed: 4 cases in 4 of 4 jobs; 4 passed");
  EXPECT_THAT(screen(merged),
              HasSubstr("failed: gemm: S.big\n  expected 3, got 4\n"
                        "  in sm80 (cu130-sm80), sm90 (cu130-sm90) and sm100 (cu130-sm100)\n"));
}

TEST(Merge, AJobWhoseGpuTestsWereAllSkippedIsNotRun) {
  const auto jobs = MadeJobs()
                        .add_runs("cpu", {kSkipped})
                        .add("cpu/junit.xml", ctest_junit(ctest_case("lint", "run")))
                        .add_runs("sm90", {kPassed});
  auto request = planned({{"sm90", {"9.0"}}});
  const auto merged = jobs.merged(request);
  EXPECT_EQ(merged.jobs[1].status, JobStatus::not_run);
  EXPECT_EQ(merged.outcome, Outcome::open);
  EXPECT_EQ(merged.verdict, "not proven: 1 job not run; 3 passed, 1 skipped");
  EXPECT_THAT(screen(merged), HasSubstr("NOT RUN: no driver"));
  request.may_not_run = {"cpu"};
  const auto allowed = jobs.merged(request);
  EXPECT_EQ(allowed.outcome, Outcome::holds);
  EXPECT_EQ(allowed.verdict, "passed: 3 cases in 1 job, 1 skipped; 1 job not run, as allowed");
}

TEST(Merge, NothingThatPassedIsNoPass) {
  report::MergeRequest request;
  request.may_not_run = {"cpu"};
  const auto merged = MadeJobs().add_runs("cpu", {kSkipped}).merged(request);
  EXPECT_EQ(merged.outcome, Outcome::open);
  EXPECT_THAT(merged.verdict, HasSubstr("not proven: nothing ran"));
  EXPECT_EQ(MadeJobs().merged().outcome, Outcome::open);
}

TEST(Merge, ARunOnTheFakeRuntimeNeverCountsAsAGpus) {
  auto fake = kPassed;
  fake.fake = true;
  const auto merged = MadeJobs().add_runs("sm90", {fake}).merged();
  EXPECT_EQ(merged.jobs[0].status, JobStatus::not_run);
  EXPECT_EQ(merged.jobs[0].counts.not_run, 2U);
  EXPECT_EQ(merged.counts.passed, 0U);
  EXPECT_THAT(merged.jobs[0].gpus, IsEmpty());
  EXPECT_THAT(merged.jobs[0].why, HasSubstr("is a fake"));
  // Its failures are failures.
  auto failed = failed_run("A.b", "x");
  failed.fake = true;
  EXPECT_EQ(MadeJobs().add_runs("sm90", {failed}).merged().outcome, Outcome::broken);
}

TEST(Merge, TheFakeRuntimeIsSeenInJUnitToo) {
  const auto output = [](const std::string& runtime) {
    return "<system-out>archgrid: gpu      NVIDIA H100, 9.0, device 0 of 1\narchgrid: runtime  "
           "13.5" +
           runtime + "\n</system-out>";
  };
  const auto of_ctest = [&](const std::string& runtime) {
    return MadeJobs()
        .add("sm90/junit.xml", ctest_junit(ctest_case("cu130-sm90/gemm", "run", output(runtime))))
        .merged();
  };
  EXPECT_EQ(of_ctest("").jobs[0].status, JobStatus::passed);
  EXPECT_THAT(of_ctest("").jobs[0].gpus, ElementsAre("NVIDIA H100, 9.0"));
  EXPECT_EQ(of_ctest(", fake: no kernel").jobs[0].status, JobStatus::not_run);
  const auto of_gpu_tests = [](bool is_fake) {
    report::GpuProgram program;
    program.name = "cu130-sm90/gemm";
    program.outcome = "passed";
    program.gpu = "NVIDIA H100, 9.0";
    program.fake = is_fake;
    program.record = "{}";
    program.cases = {{"A.a", "passed", "", 0, false}};
    report::GpuRuns runs;
    runs.programs = {program};
    return MadeJobs()
        .add("sm90/Testing/gpu-tests.xml",
             merged_document([&](const auto& sink) { report::gpu_runs_junit(runs, sink); }))
        .merged();
  };
  EXPECT_EQ(of_gpu_tests(false).jobs[0].status, JobStatus::passed);
  EXPECT_EQ(of_gpu_tests(true).jobs[0].status, JobStatus::not_run);
}

TEST(Merge, ATestThatCtestCouldNotStartHasFailed) {
  const auto merged =
      MadeJobs()
          .add("cpu/junit.xml",
               ctest_junit(
                   ctest_case("a", "run") + ctest_case("b", "disabled") +
                   ctest_case("c", "notrun", "<skipped message=\"SKIP_RETURN_CODE=77\"/>") +
                   ctest_case("d", "notrun", "<skipped message=\"Unable to find executable\"/>") +
                   ctest_case("e", "fail",
                              "<failure message=\"\"/><system-out>x\nlast line\n</system-out>")))
          .merged();
  EXPECT_EQ(merged.counts.passed, 1U);
  EXPECT_EQ(merged.counts.skipped, 2U);
  ASSERT_THAT(merged.failures, SizeIs(2));
  EXPECT_EQ(merged.failures[0].name, "d");
  EXPECT_EQ(merged.failures[0].reason, "not run: Unable to find executable");
  EXPECT_EQ(merged.failures[1].reason, "last line");
}

TEST(Merge, FilesOfOneRunCountOnce) {
  MadeJobs jobs;
  jobs.add_runs("sm90", {kPassed});
  jobs.add("sm90/junit.xml", ctest_junit(ctest_case("cu130-sm90/gemm", "run") +
                                         ctest_case("cu130-sm90/BUILT", "run")));
  EXPECT_EQ(jobs.merged().counts.passed, 3U);
  // A failure that only ctest saw counts.
  const auto unseen =
      MadeJobs()
          .add_runs("sm90", {kPassed})
          .add("sm90/junit.xml",
               ctest_junit(ctest_case("cu130-sm90/gemm", "fail", "<failure message=\"\"/>")))
          .merged();
  EXPECT_EQ(unseen.counts.failed, 1U);
  // Tests of another tree of the job are others.
  jobs.add("sm90/second/junit.xml", ctest_junit(ctest_case("cu130-sm90/gemm", "run")));
  EXPECT_EQ(jobs.merged().counts.passed, 4U);
}

TEST(Merge, AProgramThatEndsEarlyFailsWithItsCasesNotRun) {
  MadeRun crashed = {.cases = {{"A.a", "passed"}, {"A.b", "failed", "SIGSEGV"}, {"A.c", "not-run"}},
                     .outcome = "crashed",
                     .code = "crashed",
                     .message = "SIGSEGV during A.b"};
  const auto merged = MadeJobs().add_runs("sm90", {crashed}).merged();
  EXPECT_EQ(merged.counts.failed, 1U);
  EXPECT_EQ(merged.counts.not_run, 1U);
  auto sanitized = kPassed;
  sanitized.outcome = "failed";
  sanitized.code = "sanitizer";
  sanitized.message = "2 errors";
  const auto beside = MadeJobs().add_runs("sm90", {sanitized}).merged();
  ASSERT_THAT(beside.failures, SizeIs(1));
  EXPECT_EQ(beside.failures[0].name, "");
  EXPECT_EQ(beside.failures[0].reason, "sanitizer: 2 errors");
}

TEST(Merge, ReadsGoogleTest) {
  const std::string xml =
      "<testsuites name=\"AllTests\"><testsuite name=\"S\">"
      "<testcase name=\"a\" classname=\"S\" status=\"run\" result=\"completed\"/>"
      "<testcase name=\"b\" classname=\"S\" status=\"run\" result=\"completed\">"
      "<failure message=\"x &lt; y\" type=\"\"/></testcase>"
      "<testcase name=\"c\" classname=\"S\" status=\"run\" result=\"skipped\">"
      "<skipped message=\"no card\"/></testcase>"
      "<testcase name=\"d\" classname=\"S\" status=\"notrun\" result=\"suppressed\"/>"
      "</testsuite></testsuites>";
  const auto merged = MadeJobs().add("cpu/cu130-fat/gemm_test.xml", xml).merged();
  EXPECT_EQ(merged.counts.passed, 1U);
  EXPECT_EQ(merged.counts.skipped, 2U);
  ASSERT_THAT(merged.failures, SizeIs(1));
  EXPECT_EQ(merged.failures[0].program, "gemm_test");
  EXPECT_EQ(merged.failures[0].name, "S.b");
  EXPECT_EQ(merged.failures[0].reason, "x < y");
  EXPECT_THAT(merged.failures[0].places, ElementsAre("cpu (cu130-fat)"));
}

constexpr const char* kAudit = R"({"schema": "archgrid.audit/1", "holds": false,
  "files": [{"path": "a.so", "cell": "cu130-fat"}, {"path": "b.so"}], "unreadable": [],
  "findings": [{"code": "missing", "path": "a.so", "cell": "cu130-fat", "kernel": "_Z4tilePf",
                "device": "9.0", "message": "no code"},
               {"code": "missing", "path": "a.so", "cell": "cu130-fat", "message": "no code"}],
  "verdict": "promise broken: 2 findings"})";

TEST(Merge, ReadsAuditsOnce) {
  MadeJobs jobs;
  jobs.add("build/audit.json", kAudit);
  const auto merged = jobs.merged();
  EXPECT_EQ(merged.counts.passed, 1U);
  ASSERT_THAT(merged.failures, SizeIs(1));
  EXPECT_EQ(merged.failures[0].name, "a.so");
  EXPECT_EQ(merged.failures[0].reason,
            "missing: tile(float*) on 9.0: no code (and 1 more finding)");
  const std::string junit =
      "<testsuites name=\"archgrid: promise broken: 2 findings\"><testsuite>"
      "<testcase classname=\"cu130-fat: a.so\" name=\"device 9.0\">"
      "<failure message=\"2 findings\"/></testcase></testsuite></testsuites>";
  EXPECT_EQ(jobs.add("build/audit.xml", junit).merged().counts.all(), 2U);
  const auto alone = MadeJobs().add("build/audit.xml", junit).merged();
  ASSERT_THAT(alone.failures, SizeIs(1));
  EXPECT_EQ(alone.failures[0].name, "a.so: device 9.0");
  EXPECT_THAT(alone.failures[0].places, ElementsAre("build (cu130-fat)"));
}

TEST(Merge, AnAuditWithoutAYesHasFailed) {
  const auto merged = MadeJobs()
                          .add("build/audit.json",
                               R"({"schema": "archgrid.audit/1", "holds": false, "files": [],
                                   "unreadable": [], "findings": [], "verdict": "does not run"})")
                          .merged();
  ASSERT_THAT(merged.failures, SizeIs(1));
  EXPECT_EQ(merged.failures[0].reason, "does not run");
}

TEST(Merge, ReadsComparisonsOfPerformance) {
  const auto benchmark = [](const std::string& decision, bool fails) {
    return R"({"name": "gemm", "cache": "hot", "reason": "by 10 %", "decision": ")" + decision +
           R"(", "fails": )" + (fails ? "true}" : "false}");
  };
  const auto comparison = [](const std::string& benchmarks, bool passes) {
    return R"({"schema": "archgrid.perf-compare/1", "verdict": "all", "benchmarks": [)" +
           benchmarks + R"(], "passes": )" + (passes ? "true}" : "false}");
  };
  const auto merged =
      MadeJobs()
          .add("perf/compare.json",
               comparison(benchmark("SAME", false) + "," + benchmark("SLOWER", true) + "," +
                              benchmark("AMBIGUOUS", false) + "," + benchmark("NO_DATA", false),
                          false))
          .merged();
  EXPECT_EQ(merged.counts.passed, 1U);
  EXPECT_EQ(merged.counts.skipped, 1U);
  EXPECT_EQ(merged.counts.not_run, 1U);
  ASSERT_THAT(merged.failures, SizeIs(1));
  EXPECT_EQ(merged.failures[0].reason, "SLOWER: by 10 %");
  EXPECT_EQ(MadeJobs().add("p/c.json", comparison("", false)).merged().counts.failed, 1U);
}

TEST(Merge, DamagedFilesAreErrorsThatNameThem) {
  const auto whole = runs_json({kPassed});
  const auto merged =
      MadeJobs()
          .add_runs("sm90", {kPassed})
          .add("sm80/Testing/gpu-tests.json", whole.substr(0, whole.size() / 2))
          .add("sm86/junit.xml", ctest_junit(ctest_case("a", "run")).substr(0, 90))
          .add("sm89/junit.xml", "  \n")
          .add("sm100/junit.xml", ctest_junit(""))
          .add("sm103/gpu.json", R"({"schema": "archgrid.gpu-runs/2", "runs": []})")
          .add("sm110/gpu.json", R"({"schema": "archgrid.gpu-runs/1", "runs": [{"gpu": 1}]})")
          .add("cpu/list.json", R"({"schema": "archgrid.list/1"})", true)
          .add_missing("gone/junit.xml")
          .merged();
  EXPECT_EQ(merged.outcome, Outcome::open);
  EXPECT_EQ(merged.verdict, "not proven: 8 inputs not read; 2 passed");
  EXPECT_THAT(merged.errors,
              ElementsAre(HasSubstr("sm80/Testing/gpu-tests.json: damaged JSON: "),
                          HasSubstr("sm86/junit.xml: damaged XML: "),
                          HasSubstr("sm89/junit.xml: it is empty"),
                          HasSubstr("sm100/junit.xml: it has no test case"),
                          HasSubstr("sm103/gpu.json: archgrid.gpu-runs/2 is of another archgrid"),
                          HasSubstr("sm110/gpu.json: not as archgrid.gpu-runs/1 is: "),
                          HasSubstr("cpu/list.json: archgrid.list/1 has no"),
                          HasSubstr("gone/junit.xml: cannot open")));
  EXPECT_THAT(screen(merged), HasSubstr("FAILED: 1 file not read"));
  EXPECT_THAT(screen(merged), HasSubstr("not read: sm86/junit.xml: damaged XML"));
}

/// A job with 5,000 failures, each with a name of its own.
MergedReport with_many_failures() {
  MadeRun run = {.outcome = "failed", .code = "tests", .message = "many"};
  for (int index = 0; index < 5000; ++index) {
    const auto number = std::to_string(index);
    run.cases.push_back({"Suite.case_" + number, "failed", number + std::string(400, 'x')});
  }
  return MadeJobs().add_runs("sm90", {run}).add_runs("sm80", {kPassed}).merged();
}

TEST(Merge, LongAndDeepDocumentsAreRead) {
  const std::string name = "cu" + std::string(1U << 20U, '1') + "/gemm";
  std::string deep;
  for (int level = 0; level < 200'000; ++level) deep += "<testsuite>";
  const auto merged =
      MadeJobs()
          .add("cpu/junit.xml", ctest_junit(ctest_case(name, "run")))
          .add("deep/junit.xml", deep)
          .add("deep/gpu.json", R"({"schema": "archgrid.gpu-runs/1", "runs": )" +
                                    std::string(200'000, '[') + std::string(200'000, ']') + "}")
          .merged();
  EXPECT_EQ(merged.counts.passed, 1U);
  EXPECT_THAT(merged.errors, SizeIs(2));
}

TEST(Merge, ASummaryOf5000FailuresFitsWithWholeOnesLeftOut) {
  const auto merged = with_many_failures();
  ASSERT_THAT(merged.failures, SizeIs(5000));
  const auto whole = report::merge_markdown(merged, std::string::npos);
  EXPECT_GT(whole.size(), 1U << 20U);
  EXPECT_THAT(whole, Not(HasSubstr("left out")));
  const auto cut = report::merge_markdown(merged, 1000 * 1000);
  EXPECT_LE(cut.size(), 1000U * 1000);
  const auto left = cut.find("left out, as GitHub takes no more: ");
  ASSERT_NE(left, std::string::npos);
  // Whole failures and the rest are all of them.
  std::size_t failures = 0;
  for (auto at = cut.find("\n- `"); at != std::string::npos; at = cut.find("\n- `", at + 1)) {
    ++failures;
  }
  EXPECT_GT(failures, 1500U);
  EXPECT_THAT(cut.substr(left), HasSubstr(std::to_string(5000 - failures) + " more failures\n"));
  EXPECT_LT(report::merge_markdown(merged, 300).size(), 301U);
}

TEST(Merge, TheScreenStaysShort) {
  const auto lines = [](const std::string& text) {
    return std::count(text.begin(), text.end(), '\n');
  };
  const auto text = screen(with_many_failures());
  EXPECT_LT(lines(text), 30);
  EXPECT_THAT(text, HasSubstr("and 4995 more failures: --html=FILE and --json=FILE have all\n"));
  MadeJobs jobs;
  for (int job = 0; job < 300; ++job) {
    jobs.add_runs("job" + std::to_string(job), {job % 100 == 7 ? kSkipped : kPassed});
  }
  const auto many = screen(jobs.merged());
  EXPECT_LT(lines(many), 12);
  EXPECT_THAT(many, HasSubstr("job207"));
  EXPECT_THAT(many, HasSubstr("and 297 jobs passed\n"));
  for (int job = 0; job < 20; ++job) jobs.add_runs("bad" + std::to_string(job), {kSkipped});
  EXPECT_THAT(screen(jobs.merged()),
              HasSubstr("and 11 more jobs that did not pass, 297 jobs passed\n"));
}

TEST(Merge, NamesAreHarmless) {
  const std::string name = "S.<img src=x onerror=alert(1)>|`x`|**b** @octocat #1";
  const std::string reason =
      "</script><b>&amp; `code` | [link](https://x.test) @octocat\n::error::x";
  const auto merged = MadeJobs().add_runs("j<i>|`b", {failed_run(name, reason)}).merged();
  const auto html =
      merged_document([&](const auto& sink) { report::merge_html(merged, "1<2", sink); });
  for (const auto* markup : {"<img", "</script>", "<i>", "<b>&amp;", "1<2", "<script"}) {
    EXPECT_THAT(html, Not(HasSubstr(markup))) << markup;
  }
  EXPECT_THAT(html, HasSubstr("S.&lt;img src=x onerror=alert(1)&gt;"));
  for (const auto* outside : {"http:", "url(", "<link rel=\"stylesheet", "<iframe"}) {
    EXPECT_THAT(html, Not(HasSubstr(outside))) << outside;
  }
  const auto markdown = report::merge_markdown(merged, std::string::npos);
  EXPECT_THAT(markdown, HasSubstr("| :x: ``j<i>\\|`b`` |"));
  EXPECT_THAT(markdown, HasSubstr("\\<b\\>\\&amp; \\`code\\` \\| \\[link\\]"));
  EXPECT_THAT(markdown, Not(HasSubstr(" @octocat\n")));
  EXPECT_THAT(markdown, Not(HasSubstr("\n::error")));
  EXPECT_THAT(report::merge_annotations(merged), HasSubstr("%0A::error::x"));
}

TEST(Merge, TheJsonHasEveryCase) {
  const auto merged = MadeJobs()
                          .add_runs("sm90", {failed_run("A.b", "x")})
                          .add_runs("cpu", {kSkipped})
                          .add("lint/junit.xml",
                               ctest_junit(ctest_case("a", "fail", "<failure message=\"\xff\"/>")))
                          .merged(planned({{"sm90", {"9.0"}}, {"sm80", {"8.0"}}}));
  const auto json = nlohmann::json::parse(
      merged_document([&](const auto& sink) { report::merge_json(merged, "1.0", sink); }));
  EXPECT_EQ(json["schema"], "archgrid.report/1");
  EXPECT_EQ(json["passes"], false);
  EXPECT_EQ(json["jobs"][0]["cases"].size(), 2U);
  EXPECT_EQ(json["jobs"][0]["gpus"][0], "NVIDIA H100, 9.0");
  EXPECT_EQ(json["jobs"][1]["status"], "lost");
  EXPECT_EQ(json["jobs"][2]["status"], "not-run");
  EXPECT_EQ(json["summary"]["lost_jobs"], 1);
  EXPECT_EQ(json["failures"][0]["places"][0], "sm90 (cu130-sm90)");
  EXPECT_EQ(json["failures"][1]["places"][0], "lint");
  EXPECT_EQ(json["verdict"], merged.verdict);
}

TEST(Merge, APlanNamesItsJobs) {
  const auto jobs = report::planned_jobs(
      R"({"schema": "archgrid.plan/1", "jobs": [{"name": "sm90", "device": "9.0"}]})");
  ASSERT_THAT(jobs, SizeIs(1));
  EXPECT_EQ(jobs[0].name, "sm90");
  const auto packed = report::planned_jobs(
      R"({"schema": "archgrid.jobs/1",
          "test": [{"name": "sm80-and-1", "devices": ["8.0", "8.6"]}]})");
  ASSERT_THAT(packed, SizeIs(1));
  EXPECT_EQ(packed[0].name, "sm80-and-1");
  EXPECT_THAT(packed[0].devices, ElementsAre("8.0", "8.6"));
  EXPECT_THAT(
      report::planned_jobs(R"({"schema": "archgrid.plan/1", "jobs": [], "unneeded": ["sm90"]})"),
      IsEmpty());
  EXPECT_THAT(report::planned_jobs(R"({"schema": "archgrid.jobs/1", "test": []})"), IsEmpty());
  const auto refused = [](const std::string& text) {
    try {
      report::planned_jobs(text);
    } catch (const std::runtime_error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(refused(R"({"schema": "archgrid.plan/1", "jobs": []})"), HasSubstr("has no jobs"));
  EXPECT_THAT(refused(R"({"schema": "archgrid.list/1"})"),
              HasSubstr("neither archgrid.plan/1 nor archgrid.jobs/1"));
  EXPECT_THAT(refused("{"), HasSubstr("fix: write it by archgrid matrix"));
}

}  // namespace
}  // namespace archgrid::tests
