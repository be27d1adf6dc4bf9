// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <archgrid/report/gpu_runs.hpp>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

namespace archgrid::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Returns the entry of one test in ctest's log.
std::string entry(const std::string& name, const std::string& output,
                  const std::string& verdict = "Test Passed.", const std::string& start = "now") {
  const std::string dashes(58, '-');
  return "1/9 Testing: " + name + "\n1/9 Test: " + name + "\nCommand: \"x\"\nDirectory: /\n\"" +
         name + "\" start time: " + start + "\nOutput:\n" + dashes + '\n' + output +
         "<end of output>\nTest time =   0.00 sec\n" + dashes + '\n' + verdict + "\n\"" + name +
         "\" end time: now\n\"" + name + "\" time elapsed: 00:00:00\n" + dashes + "\n\n";
}

/// Returns the entry of a test that ctest cannot start: the reason comes first, and the test
/// "passed".
std::string not_started(const std::string& reason, const std::string& name) {
  return reason + '\n' + entry(name, "", "Test Passed.", "");
}

const report::TreeTests kTree = {{"cu130-fat", "cu130-sm90"},
                                 {"cu130-fat/gemm", "cu130-sm90/gemm"}};

/// Reads a log; the only other file is /r.json.
report::GpuRuns read(const std::string& log, const std::string& record = "") {
  std::istringstream stream("Start testing: now\n" + log + "End testing: now\n");
  return report::read_gpu_runs(stream, kTree, [&](const std::string& path) {
    if (path != "/r.json") throw std::runtime_error("no such file");
    return record;
  });
}

std::string runs_text(const report::GpuRuns& runs) {
  return report::gpu_runs_text(runs);
}

/// Returns a record; `gpu` and `tests` are JSON.
std::string record_of(const std::string& end, const std::string& tests,
                      const std::string& gpu = R"({"name": "NVIDIA H100", "capability": "9.0"})") {
  return R"({"schema": "archgrid.gpu-tests/1", )" + end + R"(, "gpu": )" + gpu + R"(, "tests": [)" +
         tests + "]}";
}

std::string test_of(const std::string& name, const std::string& outcome,
                    const std::string& reason = "") {
  return R"({"name": ")" + name + R"(", "outcome": ")" + outcome + R"(", "seconds": 0.5)" +
         (reason.empty() ? "" : R"(, "reason": ")" + reason + '"') + "}";
}

/// Returns the test cu130-sm90/gemm, with the output after the line that names its record.
std::string recorded(const std::string& output, const std::string& verdict = "Test Passed.") {
  return entry("cu130-sm90/gemm", "archgrid: record   /r.json\n" + output, verdict);
}

constexpr const char* kGpu = "archgrid: gpu      NVIDIA H100, 9.0, device 0 of 1\n";
const std::string kPassed = kGpu + std::string("archgrid: passed: gpu: on 9.0\n");
constexpr const char* kNoGpu = "archgrid: skipped: no-gpu: no driver: libcuda.so.1\n";

TEST(GpuRuns, AreThoseThatNameTheirGpu) {
  const auto runs = read(entry("cu130-fat/gemm.A", kPassed) + entry("cu130-sm90/gemm.A", kPassed) +
                         entry("cu130-fat/AUDIT/sm90", "promise holds\n"));
  EXPECT_EQ(runs.ran, 2U);
  EXPECT_THAT(runs.gpus, ElementsAre("NVIDIA H100, 9.0"));
  EXPECT_EQ(report::gpu_runs_text(runs), "GPU tests: 2 passed on NVIDIA H100, 9.0");
}

TEST(GpuRuns, FailuresAreNamed) {
  const auto failed = [](const std::string& name, const std::string& line) {
    return entry("cu130-fat/gemm." + name, kGpu + ("archgrid: failed: " + line));
  };
  const auto runs =
      read(entry("cu130-fat/gemm.A", kPassed) + failed("B", "tests: 1 failed\n") +
           failed("C", "crashed: SIGSEGV during A.a\n") + failed("D", "tests: 2 failed\n") +
           failed("E", "timed-out: A.a did not end within 5 s\n"));
  EXPECT_EQ(runs.ran, 5U);
  EXPECT_EQ(report::gpu_runs_text(runs),
            "GPU tests: 1 passed, 4 failed (cu130-fat/gemm.B: tests; cu130-fat/gemm.C: crashed; "
            "cu130-fat/gemm.D: tests; and 1 more) on NVIDIA H100, 9.0");
}

TEST(GpuRuns, TheLastLineOfATestCounts) {
  const auto runs = read(entry("cu130-fat/gemm.A", kPassed + "archgrid: failed: sanitizer: x\n"));
  EXPECT_EQ(report::gpu_runs_text(runs),
            "GPU tests: 0 passed, 1 failed (cu130-fat/gemm.A: sanitizer) on NVIDIA H100, 9.0");
}

TEST(GpuRuns, WhatFailsBeforeItHasAGpuIsCounted) {
  const auto runs = read(entry("cu130-fat/gemm.A", "archgrid: failed: foreign-runtime: x\n"));
  EXPECT_EQ(runs.ran, 0U);
  EXPECT_EQ(report::gpu_runs_text(runs),
            "GPU tests: none ran, 1 failed (cu130-fat/gemm.A: foreign-runtime)");
}

TEST(GpuRuns, AProgramWithoutALastLineWasKilled) {
  const auto runs = read(entry("cu130-fat/gemm.A", kGpu));
  EXPECT_EQ(report::gpu_runs_text(runs),
            "GPU tests: 0 passed, 1 failed (cu130-fat/gemm.A: killed) on NVIDIA H100, 9.0");
}

TEST(GpuRuns, AGpuTestWithoutAWordHasFailed) {
  const auto passed = entry("cu130-fat/gemm", kPassed);
  const std::string loader = "gemm_test: error while loading shared libraries: libx.so\n";
  const auto runs = read(passed + entry("cu130-sm90/gemm", loader + "\n", "Test Failed."));
  EXPECT_EQ(runs_text(runs),
            "GPU tests: 1 passed, 1 failed (cu130-sm90/gemm: never-started) on NVIDIA H100, 9.0");
  EXPECT_EQ(runs.programs[1].message + '\n', loader);
  EXPECT_FALSE(runs.programs[1].fails_unseen);
  std::string xml;
  report::gpu_runs_junit(runs, [&](std::string_view text) { xml += text; });
  EXPECT_THAT(xml,
              HasSubstr(R"xml(<error type="never-started" message="never-started: gemm_test)xml"));
  const auto gone = read(passed + not_started("Unable to find executable: /x", "cu130-sm90/gemm"));
  EXPECT_EQ(runs_text(gone), runs_text(runs));
  EXPECT_EQ(read(entry("cu130-sm90/gemm", "")).programs[0].message, "it printed nothing");
  EXPECT_EQ(gone.programs[1].message, "Unable to find executable: /x");
  EXPECT_FALSE(gone.programs[1].fails_unseen);
  EXPECT_TRUE(read(entry("cu130-sm90/host", "hello\n", "Test Failed.")).programs.empty());
}

TEST(GpuRuns, AGpuTestThatCTestSkipsWithoutAWordFailsUnseen) {
  for (const auto& log :
       {entry("cu130-sm90/gemm", "no device\n"), entry("cu130-sm90/gemm", kGpu)}) {
    const auto runs = read(log);
    EXPECT_EQ(runs.passed, 0U);
    ASSERT_EQ(runs.failed.size(), 1U);
    EXPECT_TRUE(runs.programs.front().fails_unseen);
  }
  EXPECT_FALSE(read(entry("cu130-sm90/gemm", kNoGpu)).programs.front().fails_unseen);
}

TEST(GpuRuns, AFailureFailsUnseenWhereCTestSawItPass) {
  const std::string line = "archgrid: failed: tests: 1 failed\n";
  const auto record = record_of(R"("outcome": "failed", "code": "tests", "message": "1 failed")",
                                test_of("A.a", "failed", "x"));
  const auto fails_unseen = [](const report::GpuRuns& runs) {
    EXPECT_EQ(runs.failed.size(), 1U);
    return runs.programs.front().fails_unseen;
  };
  EXPECT_TRUE(fails_unseen(read(recorded(line), record)));
  EXPECT_TRUE(fails_unseen(read(entry("cu130-sm90/gemm", kGpu + line))));
  EXPECT_FALSE(fails_unseen(read(recorded(line, "Test Failed."), record)));
  const auto crashed = record_of(R"("outcome": "crashed", "message": "it ended during A.a")",
                                 test_of("A.a", "failed", "it ended during A.a"));
  EXPECT_TRUE(fails_unseen(read(recorded(""), crashed)));
  const std::string timeout = "archgrid: failed: timed-out: A.a did not end within 5 s\n";
  EXPECT_TRUE(fails_unseen(read(recorded(timeout), crashed)));
}

TEST(GpuRuns, WhatCTestSawFailDidNotPass) {
  const auto passes = record_of(R"("outcome": "passed", "code": "gpu", "message": "on 9.0")",
                                test_of("A.a", "passed"));
  const auto runs = read(recorded("archgrid: passed: gpu: on 9.0\n", "Test Failed."), passes);
  EXPECT_EQ(runs_text(runs),
            "GPU tests: 1 passed, 1 failed (cu130-sm90/gemm: failed-at-end) on NVIDIA H100, 9.0");
  EXPECT_EQ(runs.programs.front().message,
            "ctest saw it fail after its last line: passed: gpu: on 9.0");
  EXPECT_EQ(runs_text(read(recorded("", "Test Failed."), passes)), runs_text(runs)) << "killed";
  EXPECT_EQ(runs_text(read(recorded("archgrid: passed: gpu: on 9.0\n"), passes)),
            "GPU tests: 1 passed on NVIDIA H100, 9.0");
  EXPECT_EQ(runs_text(read(entry("cu130-sm90/gemm", kPassed, "Test Failed."))),
            "GPU tests: 0 passed, 1 failed (cu130-sm90/gemm: failed-at-end) on NVIDIA H100, 9.0");
  const auto skips = record_of(R"("outcome": "skipped", "code": "no-gpu", "message": "no driver")",
                               test_of("A.a", "skipped", "no driver"), "null");
  EXPECT_EQ(runs_text(read(recorded(kNoGpu, "Test Failed."), skips)),
            "GPU tests: none ran, 1 failed (cu130-sm90/gemm: failed-at-end); 1 skipped (no-gpu): "
            "no driver");
}

TEST(GpuRuns, TheVerdictIsCTestsWhateverATestPrints) {
  const auto runs =
      read(entry("cu130-sm90/gemm", kPassed + "<end of output>\nTest Passed.\n", "Test Failed."));
  EXPECT_THAT(runs_text(runs), HasSubstr("1 failed (cu130-sm90/gemm: failed-at-end)"));
  const auto inner = read(entry("cu130-sm90/gemm", kPassed + "1/1 Testing: inner\nTest Failed.\n"));
  EXPECT_EQ(runs_text(inner), "GPU tests: 1 passed on NVIDIA H100, 9.0");
  const auto log = entry("cu130-fat/a", "x\n") + entry("cu130-fat/b", "y\n");
  const auto nested = read(entry("cu130-sm90/gemm", kPassed + log, "Test Failed."));
  EXPECT_EQ(nested.tests, 1U);
  EXPECT_THAT(runs_text(nested), HasSubstr("1 failed (cu130-sm90/gemm: failed-at-end)"));
}

TEST(GpuRuns, OfATestThatIsRepeatedTheLastAttemptCounts) {
  const auto runs = read(entry("cu130-sm90/gemm", "", "Test Failed.") +
                         entry("cu130-fat/gemm", kPassed) + entry("cu130-sm90/gemm", kPassed));
  EXPECT_EQ(runs.tests, 2U);
  EXPECT_EQ(runs_text(runs), "GPU tests: 2 passed on NVIDIA H100, 9.0");
}

TEST(GpuRuns, ThoseOfAFakeRuntimeDidNotRun) {
  const auto runs = read(entry("cu130-fat/gemm.A",
                               "archgrid: gpu      Fake 9.0, 9.0, device 0 of 1\n"
                               "archgrid: runtime  13.5, fake: no kernel executes here\n"
                               "archgrid: passed: fake: on 9.0, which is no GPU\n"));
  EXPECT_EQ(runs.ran, 0U);
  EXPECT_EQ(report::gpu_runs_text(runs),
            "GPU tests: none ran; 1 on a fake GPU, which ran no kernel");
}

TEST(GpuRuns, ThoseOfAFakeRuntimeThatFailAreCounted) {
  const std::string begin =
      "archgrid: gpu      Fake 9.0, 9.0, device 0 of 1\n"
      "archgrid: runtime  13.5, fake: no kernel executes here\n";
  const auto runs = read(entry("cu130-fat/gemm.A", begin + "archgrid: failed: tests: 1 failed\n") +
                         entry("cu130-fat/gemm.B", begin + "archgrid: passed: fake: on 9.0\n"));
  EXPECT_EQ(report::gpu_runs_text(runs),
            "GPU tests: none ran; 2 on a fake GPU, which ran no kernel, 1 failed "
            "(cu130-fat/gemm.A: tests)");
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

TEST(GpuRuns, CountTheCasesOfARecord) {
  const auto runs =
      read(recorded("archgrid: failed: tests: 1 failed\n"),
           record_of(R"("outcome": "failed", "code": "tests", "message": "1 failed")",
                     test_of("A.a", "passed") + "," + test_of("A.b", "failed", "it is 1, not 2") +
                         "," + test_of("A.c", "skipped", "no fp8") + "," + test_of("A.d", "empty") +
                         "," + test_of("A.e", "passed")));
  EXPECT_EQ(runs.ran, 3U);
  EXPECT_EQ(runs_text(runs),
            "GPU tests: 2 passed, 1 failed (cu130-sm90/gemm: A.b) on NVIDIA H100, 9.0; 1 empty: "
            "launched no kernel; 1 skipped (by the test): no fp8");
}

TEST(GpuRuns, ACrashNamesItsCaseAndThoseThatWereNotRun) {
  const auto record =
      record_of(R"("outcome": "crashed", "message": "it ended during A.b")",
                test_of("A.a", "passed") + "," + test_of("A.b", "failed", "it ended during A.b") +
                    "," + test_of("A.c", "not-run") + "," + test_of("A.d", "not-run"));
  EXPECT_EQ(runs_text(read(recorded("archgrid: failed: crashed: SIGSEGV during A.b\n"), record)),
            "GPU tests: 1 passed, 1 failed (cu130-sm90/gemm: A.b, crashed), 2 not run (crashed: "
            "SIGSEGV during A.b) on NVIDIA H100, 9.0");
  EXPECT_EQ(runs_text(read(recorded(""), record)),
            "GPU tests: 1 passed, 1 failed (cu130-sm90/gemm: A.b, killed), 2 not run (killed: it "
            "ended during A.b) on NVIDIA H100, 9.0");
}

TEST(GpuRuns, ACrashBetweenCasesFailsTheProgram) {
  const auto runs =
      read(recorded("archgrid: failed: crashed: SIGSEGV during the set-up of B\n"),
           record_of(R"("outcome": "crashed", "message": "it ended during the set-up of B")",
                     test_of("A.a", "failed", "x") + "," + test_of("B.b", "not-run")));
  EXPECT_EQ(runs_text(runs),
            "GPU tests: 0 passed, 2 failed (cu130-sm90/gemm: A.a; cu130-sm90/gemm: crashed), 1 not "
            "run (crashed: SIGSEGV during the set-up of B) on NVIDIA H100, 9.0");
}

TEST(GpuRuns, OfACaseThatTookTooLongNameIt) {
  const auto runs =
      read(recorded("archgrid: failed: timed-out: A.a did not end within 5 s\n"),
           record_of(R"("outcome": "timed-out", "code": "timed-out", "message": "A.a took 5 s")",
                     test_of("A.a", "failed", "A.a took 5 s") + "," + test_of("A.b", "not-run")));
  EXPECT_EQ(runs_text(runs),
            "GPU tests: 0 passed, 1 failed (cu130-sm90/gemm: A.a, timed-out), 1 not run "
            "(timed-out: A.a took 5 s) on NVIDIA H100, 9.0");
}

TEST(GpuRuns, AProgramThatStandsAsideSkipsItsCases) {
  const auto runs =
      read(recorded("archgrid: skipped: no-gpu: no driver\n"),
           record_of(R"("outcome": "skipped", "code": "no-gpu", "message": "no driver")",
                     test_of("A.a", "skipped", "no driver") + "," +
                         test_of("A.b", "skipped", "no driver"),
                     "null"));
  EXPECT_EQ(runs.ran, 0U);
  EXPECT_EQ(runs.passed, 0U);
  EXPECT_EQ(runs_text(runs), "GPU tests: none ran; 2 skipped (no-gpu): no driver");
}

TEST(GpuRuns, ARequiredGpuThatIsNotThereIsOneFailure) {
  const auto runs = read(recorded("archgrid: failed: no-gpu: no driver\n"),
                         record_of(R"("outcome": "failed", "code": "no-gpu", "message": "no driver",
                        "fake": "no kernel executes here")",
                                   test_of("A.a", "not-run", "no driver"), "null"));
  EXPECT_EQ(runs_text(runs),
            "GPU tests: none ran, 1 failed (cu130-sm90/gemm: no-gpu), 1 not run (no driver)");
}

TEST(GpuRuns, AKernelWithoutCodeFailsWhateverCasesRan) {
  const std::string end = R"("outcome": "failed", "code": "kernels", "message": "see above")";
  const std::string line = "archgrid: failed: kernels: see above\n";
  const std::string passed = test_of("A.a", "passed");
  EXPECT_EQ(runs_text(read(recorded(line), record_of(end, passed))),
            "GPU tests: 1 passed, 1 failed (cu130-sm90/gemm: kernels) on NVIDIA H100, 9.0");
  const std::string missing = passed + "," + test_of("ArchCoverage.f(int*)", "missing-arch", "x");
  EXPECT_EQ(runs_text(read(recorded(line), record_of(end, missing))),
            "GPU tests: 1 passed, 1 failed (cu130-sm90/gemm: ArchCoverage.f(int*)) on NVIDIA H100, "
            "9.0");
}

TEST(GpuRuns, WhatRunsAProgramMayFailItAfterItsRecord) {
  const auto runs = read(
      recorded("archgrid: passed: gpu: on 9.0\narchgrid: failed: sanitizer: it found errors\n"),
      record_of(R"("outcome": "passed", "code": "gpu", "message": "on 9.0")",
                test_of("A.a", "passed")));
  EXPECT_EQ(runs_text(runs),
            "GPU tests: 1 passed, 1 failed (cu130-sm90/gemm: sanitizer) on NVIDIA H100, 9.0");
}

TEST(GpuRuns, OfAFakeRuntimeNameWhatFailed) {
  const auto runs =
      read(recorded("archgrid: failed: tests: 1 failed\n"),
           record_of(R"("outcome": "failed", "code": "tests", "message": "x", "fake": "it is")",
                     test_of("A.a", "passed") + "," + test_of("A.b", "failed", "y")));
  EXPECT_EQ(runs.ran, 0U);
  EXPECT_EQ(runs_text(runs),
            "GPU tests: none ran; 2 on a fake GPU, which ran no kernel, 1 failed "
            "(cu130-sm90/gemm: A.b)");
}

TEST(GpuRuns, ProgramsWithoutAMatchAreLeftOut) {
  const std::string line = "archgrid: skipped: no-match: no enabled test matches GTEST_FILTER=X\n";
  const auto runs = read(recorded(line), record_of(R"("outcome": "skipped", "code": "no-match",
      "message": "no enabled test matches GTEST_FILTER=X")",
                                                   "", "null"));
  EXPECT_EQ(runs_text(runs),
            "GPU tests: none ran; 1 program left out: no enabled test matches GTEST_FILTER=X");
}

TEST(GpuRuns, ARecordThatCannotBeReadIsAFailure) {
  const std::string passed = kPassed;
  for (const std::string record :
       {"", "{", "[]", "{}", R"({"schema": "x", "outcome": "passed", "gpu": null, "tests": []})"}) {
    const auto runs = read(recorded(passed), record);
    ASSERT_EQ(runs.programs.size(), 1U);
    EXPECT_THAT(runs.programs.front().problem, HasSubstr("/r.json: ")) << record;
    EXPECT_EQ(runs.passed, 0U) << record;
    EXPECT_EQ(runs_text(runs),
              "GPU tests: 0 passed, 1 failed (cu130-sm90/gemm: no-record) on NVIDIA "
              "H100, 9.0");
  }
  const auto missing = read(entry("cu130-fat/gemm", "archgrid: record   /none.json\n" + passed));
  EXPECT_EQ(missing.programs.front().problem, "/none.json: no such file");
}

TEST(GpuRuns, TheFirstLineNamesTheRecordWhateverTestsPrint) {
  const auto runs =
      read(recorded("archgrid: record   /none.json\n" + kPassed),
           record_of(R"("outcome": "passed", "code": "gpu")", test_of("A.a", "passed")));
  EXPECT_EQ(runs_text(runs), "GPU tests: 1 passed on NVIDIA H100, 9.0");
}

TEST(GpuRuns, TheLineOfTheRecordMayFollowWordsWithoutALineBreak) {
  const auto runs =
      read(entry("cu130-sm90/gemm", "Loading plugin...archgrid: record   /r.json\n"),
           record_of(R"("outcome": "passed", "code": "gpu")", test_of("A.a", "passed")));
  EXPECT_EQ(runs_text(runs), "GPU tests: 1 passed on NVIDIA H100, 9.0");
}

TEST(GpuRuns, TheCommandOfATestNamesNoRecord) {
  const std::string log = entry("cu130-sm90/gemm", kPassed);
  const std::string command = "Command: \"";
  const auto runs = read(std::string(log).insert(log.find(command) + command.size(),
                                                 "sh -c 'echo archgrid: record /none.json'"));
  EXPECT_EQ(runs_text(runs), "GPU tests: 1 passed on NVIDIA H100, 9.0");
}

TEST(GpuRuns, ARecordOfAnotherRunIsAFailure) {
  const auto read_of = [](const std::string& run) {
    return read(entry("cu130-sm90/gemm", "archgrid: record   /r.json, run " + run + '\n' + kPassed),
                record_of(R"("run": "12-34", "outcome": "passed", "code": "gpu")",
                          test_of("A.a", "passed")));
  };
  EXPECT_EQ(runs_text(read_of("12-34")), "GPU tests: 1 passed on NVIDIA H100, 9.0");
  const auto runs = read_of("12-35");
  EXPECT_EQ(runs_text(runs),
            "GPU tests: 0 passed, 1 failed (cu130-sm90/gemm: no-record) on NVIDIA H100, 9.0");
  EXPECT_EQ(runs.programs.front().problem,
            "/r.json: another run of the program has replaced it; run one ctest at a time in a "
            "tree");
}

TEST(GpuRuns, AreWrittenAsJUnitWithACaseEach) {
  const auto runs = read(
      recorded("archgrid: failed: crashed: SIGSEGV during A.b\n") + entry("cu130-fat/old", kNoGpu),
      record_of(R"("outcome": "crashed", "message": "it ended during A.b")",
                test_of("A.<a>", "passed") + "," + test_of("A.b", "failed", "it ended during A.b") +
                    "," + test_of("A.c", "not-run") + "," + test_of("A.d", "skipped", "no & why")));
  std::string xml;
  report::gpu_runs_junit(runs, [&](std::string_view text) { xml += text; });
  EXPECT_EQ(xml, R"xml(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="archgrid GPU tests" tests="5" failures="1" errors="1" skipped="2" time="2.000">
  <testsuite name="cu130-sm90/gemm" tests="4" failures="1" errors="1" skipped="1" time="2.000">
    <properties><property name="gpu" value="NVIDIA H100, 9.0"/></properties>
    <testcase classname="cu130-sm90/gemm" name="A.&lt;a&gt;" time="0.500"/>
    <testcase classname="cu130-sm90/gemm" name="A.b" time="0.500">)xml"
                 R"xml(<failure type="failed" message="crashed: SIGSEGV during A.b"/></testcase>
    <testcase classname="cu130-sm90/gemm" name="A.c" time="0.500">)xml"
                 R"xml(<error type="not-run" message="crashed: SIGSEGV during A.b"/></testcase>
    <testcase classname="cu130-sm90/gemm" name="A.d" time="0.500">)xml"
                 R"xml(<skipped message="no &amp; why"/></testcase>
  </testsuite>
  <testsuite name="cu130-fat/old" tests="1" failures="0" errors="0" skipped="1" time="0.000">
    <testcase classname="cu130-fat/old" name="(program)" time="0.000">)xml"
                 R"xml(<skipped message="no-gpu: no driver: libcuda.so.1"/></testcase>
  </testsuite>
</testsuites>
)xml");
}

TEST(GpuRuns, AProgramThatFailsBesideItsCasesIsACaseOfJUnit) {
  const auto runs = read(recorded("archgrid: failed: kernels: see above\n"),
                         record_of(R"("outcome": "failed", "code": "kernels", "message": "x")",
                                   test_of("A.a", "passed")));
  std::string xml;
  report::gpu_runs_junit(runs, [&](std::string_view text) { xml += text; });
  EXPECT_THAT(xml, HasSubstr(R"(tests="2" failures="0" errors="1" skipped="0")"));
  EXPECT_THAT(xml, HasSubstr(R"xml(name="(program)" time="0.000"><error type="kernels")xml"));
}

TEST(GpuRuns, AreWrittenAsJsonWithTheNameOfTheirTest) {
  const auto runs = read(
      recorded("archgrid: failed: crashed: SIGSEGV during A.b\n") + entry("cu130-fat/old", kNoGpu),
      record_of(R"("outcome": "crashed", "message": "it ended during A.b")",
                test_of("A.b", "failed", "it ended during A.b")));
  std::string text;
  report::gpu_runs_json(runs, [&](std::string_view part) { text += part; });
  const auto document = nlohmann::json::parse(text);
  EXPECT_EQ(document["schema"], "archgrid.gpu-runs/1");
  ASSERT_EQ(document["runs"].size(), 1U);
  EXPECT_EQ(document["runs"][0]["test"], "cu130-sm90/gemm");
  EXPECT_EQ(document["runs"][0]["code"], "crashed");
  EXPECT_EQ(document["runs"][0]["message"], "SIGSEGV during A.b");
  EXPECT_EQ(document["runs"][0]["tests"][0]["name"], "A.b");
}

TEST(GpuRuns, TestsOutsideTheCellsDoNotCount) {
  const auto runs = read(entry("gtest-11.8.Scenario", kGpu) + entry("unit.fatbin", ""));
  EXPECT_EQ(runs.tests, 2U);
  EXPECT_THAT(runs.cells, testing::IsEmpty());
  EXPECT_EQ(runs.ran, 0U);
}

TEST(GpuRuns, KnowWhetherAnyTestJudgedTheCells) {
  EXPECT_EQ(read(entry("cu130-fat/gemm.Shapes", "x\n")).audits, 0U);
  EXPECT_EQ(read(entry("cu130-fat/AUDIT/sm90", "x\n")).audits, 1U);
  EXPECT_EQ(read(entry("cu130-fat/BUILT", "x\n")).audits, 0U);
  EXPECT_EQ(read(entry("PROMISES", "x\n")).audits, 1U);
  const auto broken = [](const std::string& name) {
    return read(entry(name, "x\n", "Test Failed.")).broken;
  };
  EXPECT_EQ(broken("cu130-fat/gemm.Shapes"), 0U);
  EXPECT_EQ(broken("cu130-fat/AUDIT/sm90"), 1U);
  EXPECT_EQ(broken("cu130-fat/BUILT"), 1U);
  EXPECT_EQ(broken("PROMISES"), 1U);
  EXPECT_EQ(read(entry("PROMISES", "x\n")).broken, 0U);
}

TEST(GpuRuns, WithoutGpuTestsThereIsNothingToSay) {
  EXPECT_EQ(report::gpu_runs_text(read(entry("cu130-fat/AUDIT/sm90", "x\n"))), "");
  EXPECT_EQ(read("").tests, 0U);
}

}  // namespace
}  // namespace archgrid::tests
