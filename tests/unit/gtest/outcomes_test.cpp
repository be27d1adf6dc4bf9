// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "outcomes.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "contents.hpp"
#include "folders.hpp"

namespace archgrid::gtest {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

nlohmann::json read_json(const fs::path& path) {
  std::ifstream stream(path);
  return nlohmann::json::parse(stream);
}

nlohmann::json written(const Record& record) {
  const auto path = empty_folder() / "run.json";
  RecordFiles({path.string()}, "gemm_test").write(record);
  return read_json(path);
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

TEST(Counts, NeverMergeOutcomes) {
  const std::vector<TestRecord> tests = {
      {"A.a", TestOutcome::passed, "", 0, 1},       {"A.b", TestOutcome::passed, "", 0, 1},
      {"A.c", TestOutcome::failed, "", 0, 1},       {"A.d", TestOutcome::skipped, "", 0, 0},
      {"A.e", TestOutcome::empty, "", 0, 0},        {"A.f", TestOutcome::not_run, "", 0, 0},
      {"A.g", TestOutcome::missing_arch, "", 0, 0}, {"A.h", TestOutcome::jitted, "", 0, 0}};
  EXPECT_EQ(counts_text(tests),
            "2 passed, 1 failed, 1 skipped, 1 empty, 1 missing-arch, 1 jitted, 1 not-run");
  EXPECT_EQ(counts_text({}), "none");
}

TEST(Record, SaysWhatTheProgramAndEachTestBecame) {
  Record record;
  record.program = "gemm_test";
  record.outcome = ProgramOutcome::failed;
  record.code = "tests";
  record.gpu = device::Gpu{1, "GPU", {9, 0}};
  record.tests = {{"A.a", TestOutcome::skipped, "because \xff\n", 0.5, 3}};
  const auto json = written(record);
  EXPECT_EQ(json["schema"], "archgrid.gpu-tests/1");
  EXPECT_EQ(json["outcome"], "failed");
  EXPECT_EQ(json["code"], "tests");
  EXPECT_EQ(json["gpu"]["capability"], "9.0");
  EXPECT_EQ(json["tests"][0]["name"], "A.a");
  EXPECT_EQ(json["tests"][0]["outcome"], "skipped");
  EXPECT_EQ(json["tests"][0]["launches"], 3);
  EXPECT_EQ(json["tests"][0]["reason"], "because \xEF\xBF\xBD\n");
  EXPECT_FALSE(json.contains("fake"));
}

TEST(Record, IsACrashUntilItIsSaidToBeAnythingElse) {
  EXPECT_EQ(written({})["outcome"], "crashed");
}

TEST(RecordFiles, ReplacesTheOldOneAsAWhole) {
  const auto path = empty_folder() / "run.json";
  RecordFiles file({path.string()}, "gemm_test");
  Record record;
  file.write(record);
  record.outcome = ProgramOutcome::passed;
  file.write(record);
  EXPECT_EQ(read_json(path)["outcome"], "passed");
  EXPECT_THAT(names_in(path.parent_path()), ElementsAre("run.json"));
}

TEST(RecordFiles, OfARunThatDidNotEndKeepsWhatWasWrittenLast) {
  const auto path = empty_folder() / "run.json";
  RecordFiles file({path.string()}, "gemm_test");
  Record record;
  record.cell = "cu130-fat";
  file.write(record);
  file.write_late(ProgramOutcome::timed_out, "timed-out", "A.a did not end within 5 s");
  const auto json = read_json(path);
  EXPECT_EQ(json["outcome"], "timed-out");
  EXPECT_EQ(json["message"], "A.a did not end within 5 s");
  EXPECT_EQ(json["cell"], "cu130-fat");
}

std::vector<std::string> tests_in(const fs::path& path) {
  std::vector<std::string> tests;
  const auto json = read_json(path);
  for (const auto& test : json["tests"]) {
    tests.push_back(test["name"].get<std::string>() + " " + test["outcome"].get<std::string>());
  }
  return tests;
}

TEST(RecordFiles, OfARunThatStopsNameTheRunningTestAndThoseThatWereNotRun) {
  const auto path = empty_folder() / "run.json";
  RecordFiles files({path.string()}, "gemm_test");
  Record record;
  record.pending = {"A.a", "A.b", "A.c", "A.d"};
  files.write(record);
  EXPECT_THAT(tests_in(path),
              ElementsAre("A.a not-run", "A.b not-run", "A.c not-run", "A.d not-run"));
  record.tests = {{"A.a", TestOutcome::passed, "", 0, 1}, {"A.b", TestOutcome::passed, "", 0, 1}};
  record.pending = {"A.d"};
  record.running = "A.c";
  record.message = "it ended during A.c";
  files.keep_up(record);
  EXPECT_THAT(tests_in(path), ElementsAre("A.a passed", "A.b passed", "A.c failed", "A.d not-run"));
  EXPECT_EQ(read_json(path)["tests"][2]["reason"], "it ended during A.c");
  files.write_late(ProgramOutcome::timed_out, "timed-out", "A.c did not end within 5 s");
  EXPECT_THAT(tests_in(path), ElementsAre("A.a passed", "A.b passed", "A.c failed", "A.d not-run"));
  EXPECT_EQ(read_json(path)["tests"][2]["reason"], "A.c did not end within 5 s");
}

/// The test may end at the very moment of the time-out.
TEST(RecordFiles, KeepTheLateEndWhateverTheRunWritesAfterIt) {
  const auto path = empty_folder() / "run.json";
  RecordFiles files({path.string()}, "gemm_test");
  Record record;
  record.running = "A.a";
  record.pending = {"A.b"};
  files.write(record);
  files.write_late(ProgramOutcome::timed_out, "timed-out", "A.a did not end within 5 s");
  const auto expect_late_end = [&] {
    EXPECT_EQ(read_json(path)["outcome"], "timed-out");
    EXPECT_THAT(tests_in(path), ElementsAre("A.a failed", "A.b not-run"));
  };
  record.running.clear();
  record.tests = {{"A.a", TestOutcome::passed, "", 5, 1}};
  EXPECT_NO_THROW(files.keep_up(record));
  expect_late_end();
  record.tests.front().reason = std::string(5000, 'x');  // too long for the room in the file
  EXPECT_NO_THROW(files.keep_up(record));
  expect_late_end();
  record.outcome = ProgramOutcome::passed;
  files.write(record);
  expect_late_end();
}

TEST(RecordFiles, TakeTheLastTestAgainThatAListenerHasFailedSince) {
  const auto path = empty_folder() / "run.json";
  RecordFiles files({path.string()}, "gemm_test");
  Record record;
  record.tests = {{"A.a", TestOutcome::passed, "", 0, 1}};
  files.keep_up(record);
  record.tests = {{"A.a", TestOutcome::failed, "late", 0, 1},
                  {"A.b", TestOutcome::empty, "", 0, 0}};
  files.keep_up(record);
  EXPECT_THAT(tests_in(path), ElementsAre("A.a failed", "A.b empty"));
}

std::string number(int value) {
  return std::to_string(value);
}

TEST(RecordFiles, AreUpToDateAroundEachOfManyTests) {
  constexpr int kTests = 8000;
  const auto path = empty_folder() / "run.json";
  RecordFiles files({path.string()}, "gemm_test");
  Record record;
  for (int test = 0; test < kTests; ++test) record.pending.push_back("Many.Case/" + number(test));
  files.write(record);
  for (int test = 0; test < kTests - 1; ++test) {
    record.running = record.pending.front();
    record.pending.pop_front();
    record.message = "it ended during " + record.running;
    files.keep_up(record);
    if (test == kTests - 2) break;
    const bool fails = test == kTests - 10;
    record.tests.push_back({record.running, fails ? TestOutcome::failed : TestOutcome::passed,
                            fails ? std::string(3000, 'x') : "", 0.25, 1});
  }
  const auto json = read_json(path);
  EXPECT_EQ(json["message"], "it ended during Many.Case/7998");
  ASSERT_EQ(json["tests"].size(), std::size_t{kTests});
  EXPECT_EQ(json["tests"][kTests - 10]["outcome"], "failed");
  EXPECT_EQ(json["tests"][kTests - 10]["reason"], std::string(3000, 'x'));
  EXPECT_EQ(json["tests"][kTests - 3]["outcome"], "passed");
  EXPECT_EQ(json["tests"][kTests - 3]["seconds"], 0.25);
  EXPECT_EQ(json["tests"][kTests - 2]["name"], "Many.Case/7998");
  EXPECT_EQ(json["tests"][kTests - 2]["outcome"], "failed");
  EXPECT_EQ(json["tests"][kTests - 1]["outcome"], "not-run");
}

/// Linux writes page by page, and SIGKILL may come between two pages.
TEST(RecordFiles, AreWholeWhicheverPagesHaveBeenWritten) {
  constexpr std::size_t kPage = 4096;
  constexpr int kTests = 30;
  const auto path = empty_folder() / "run.json";
  RecordFiles files({path.string()}, "gemm_test");
  Record record;
  for (int file = 0; file < 60; ++file) {
    record.uncounted.push_back("/" + std::string(90, 'x') + number(file));
  }
  for (int test = 0; test < kTests; ++test) {
    record.pending.push_back("A." + std::string(static_cast<std::size_t>(1 + test * 7 % 50), 'x') +
                             number(test));
  }
  files.write(record);
  while (!record.pending.empty()) {
    const auto before = tests::contents_of(path);
    if (!record.running.empty()) {
      record.tests.push_back({record.running, TestOutcome::passed, "", 0.125, 1});
    }
    record.running = record.pending.front();
    record.pending.pop_front();
    record.message = "it ended during " + record.running;
    files.keep_up(record);
    const auto after = tests::contents_of(path);
    ASSERT_EQ(before.size(), after.size());
    for (std::size_t page = 0; page < after.size(); page += kPage) {
      for (const auto& [first, second] : {std::pair(before, after), std::pair(after, before)}) {
        const auto json = nlohmann::json::parse(first.substr(0, page) + second.substr(page));
        ASSERT_TRUE(json["uncounted"] == nlohmann::json(record.uncounted)) << json["uncounted"];
        ASSERT_EQ(json["tests"].size(), std::size_t{kTests});
      }
    }
  }
}

TEST(RecordFiles, CutReasonsWhereWholeFilesTakeTooLong) {
  constexpr int kTests = 2000;
  const auto path = empty_folder() / "run.json";
  RecordFiles files({path.string()}, "gemm_test");
  Record record;
  for (int test = 0; test < kTests; ++test) record.pending.push_back("Many.Case/" + number(test));
  files.write(record);
  const std::string reason = "first \"words\" " + std::string(1000, '\xC3');
  while (!record.pending.empty()) {
    record.tests.push_back({record.pending.front(), TestOutcome::failed, reason, 0, 1});
    record.pending.pop_front();
    files.keep_up(record);
  }
  const auto tests = read_json(path)["tests"];
  EXPECT_EQ(tests.back()["name"], "Many.Case/1999");
  EXPECT_EQ(tests.back()["outcome"], "failed");
  EXPECT_THAT(tests.back()["reason"].get<std::string>(),
              ::testing::AllOf(HasSubstr("first \"words\" "), ::testing::EndsWith("...")));
  record.outcome = ProgramOutcome::failed;
  files.write(record);
  EXPECT_GT(read_json(path)["tests"].back()["reason"].get<std::string>().size(), 1000U);
}

TEST(RecordFiles, FollowARunInAnotherOrder) {
  const auto path = empty_folder() / "run.json";
  RecordFiles files({path.string()}, "gemm_test");
  Record record;
  record.pending = {"A.a", "A.b", "A.c"};
  files.write(record);
  record.tests = {{"A.c", TestOutcome::passed, "", 0, 1}};
  record.running = "A.a";
  record.pending = {"A.b"};
  files.keep_up(record);
  EXPECT_THAT(tests_in(path), ElementsAre("A.c passed", "A.a failed", "A.b not-run"));
  record.running.clear();
  record.pending = {"A.a", "A.b"};
  files.keep_up(record);
  EXPECT_THAT(tests_in(path), ElementsAre("A.c passed", "A.a not-run", "A.b not-run"));
  record.tests.clear();
  record.pending.clear();
  files.keep_up(record);
  EXPECT_THAT(tests_in(path), ElementsAre());
}

TEST(RecordFiles, AreWrittenToEachPath) {
  const auto folder = empty_folder();
  RecordFiles({(folder / "a.json").string(), "", (folder / "b.json").string()}, "x").write({});
  EXPECT_THAT(names_in(folder), ElementsAre("a.json", "b.json"));
}

TEST(RecordFiles, HasANameOfItsOwnInAFolder) {
  const auto folder = empty_folder() / "new";
  for (int count = 0; count < 3; ++count)
    RecordFiles({folder.string() + "/"}, "x/gemm_test").write({});
  EXPECT_THAT(names_in(folder),
              ElementsAre("gemm_test.json", "gemm_test_1.json", "gemm_test_2.json"));
}

TEST(RecordFiles, IsNoneWhereNoneIsAskedFor) {
  const auto folder = empty_folder();
  const auto before = fs::current_path();
  fs::current_path(folder);
  RecordFiles({""}, "gemm_test").write({});
  fs::current_path(before);
  EXPECT_THAT(names_in(folder), ElementsAre());
}

TEST(RecordFiles, ThatCannotBeWrittenIsNamed) {
  const auto folder = empty_folder();
  const auto path = (folder / "no" / "such" / "run.json").string();
  try {
    RecordFiles({path}, "gemm_test").write({});
    FAIL() << "it was written";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr(path + ": cannot be written: No such file"));
  }
}

}  // namespace
}  // namespace archgrid::gtest
