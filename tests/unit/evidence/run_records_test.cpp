// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests what counts of the records of GPU test programs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <archgrid/evidence/run_records.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "executions.hpp"

namespace archgrid::tests {
namespace {

using evidence::EvidenceError;
using evidence::RunRecords;
using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Returns the record of a run on a GPU in which A.b passed and launched the kernel k, and A.c
/// failed.
json record() {
  return {{"schema", "archgrid.gpu-tests/1"},
          {"program", "./x_test"},
          {"run", "4711-1764098765123456"},
          {"outcome", "failed"},
          {"code", "tests"},
          {"gpu", {{"name", "NVIDIA H100"}, {"capability", "9.0"}, {"ordinal", 0}}},
          {"driver", "13.0"},
          {"driver_release", "580.65.06"},
          {"executed",
           {{{"kernel", "k"}, {"arch", "sm_90"}, {"identity", identity('a')}, {"test", "A.b"}}}},
          {"tests",
           {{{"name", "A.b"}, {"outcome", "passed"}, {"seconds", 0.1}, {"launches", 1}},
            {{"name", "A.c"}, {"outcome", "failed"}, {"seconds", 0.1}, {"launches", 1}}}}};
}

/// Returns the record of a run in which all tests passed.
json passed_record() {
  auto document = record();
  document["outcome"] = "passed";
  document["code"] = "gpu";
  document["tests"].erase(1);
  document["code_hash"] = identity('c');
  return document;
}

std::string written(const json& document) {
  const auto path = ::testing::TempDir() + "archgrid_run.json";
  std::ofstream(path) << document.dump();
  return path;
}

std::string refusal(const json& document) {
  try {
    evidence::read_run_records(written(document));
  } catch (const EvidenceError& error) {
    return error.what();
  }
  return "none";
}

TEST(RunRecords, NamesWhatRanWhereAndWhen) {
  const auto records = evidence::read_run_records(written(record()));
  ASSERT_EQ(records.executions.size(), 1U);
  const auto& execution = records.executions.front();
  EXPECT_EQ(execution.kernel, "k");
  EXPECT_EQ(execution.run.device, device("9.0"));
  EXPECT_EQ(execution.code, (coverage::KernelCode{"sm_90", identity('a')}));
  EXPECT_EQ(execution.run.gpu, "NVIDIA H100");
  EXPECT_EQ(execution.run.driver, "580.65.06");
  EXPECT_EQ(execution.run.test, "x_test: A.b");
  EXPECT_EQ(execution.run.date, "2025-11-25");
  EXPECT_THAT(records.programs, ElementsAre("./x_test"));
}

TEST(RunRecords, ReadsTheRunsOfATree) {
  auto one = record();
  one["test"] = "cu130-fat/x";
  const json document = {{"schema", "archgrid.gpu-runs/1"}, {"runs", {one, one}}};
  const auto records = evidence::read_run_records(written(document));
  EXPECT_EQ(records.runs, 2U);
  ASSERT_EQ(records.executions.size(), 2U);
  EXPECT_EQ(records.executions.front().run.test, "cu130-fat/x: A.b");
}

TEST(RunRecords, AFakeRuntimeExecutesNothing) {
  auto fake = record();
  fake["fake"] = "fake: no kernel executes here";
  const auto records = evidence::read_run_records(written(fake));
  EXPECT_THAT(records.executions, IsEmpty());
  EXPECT_EQ(records.fake, 1U);
}

TEST(RunRecords, CountsRunsWithoutEvidence) {
  auto without_gpu = record();
  without_gpu["gpu"] = nullptr;
  EXPECT_EQ(evidence::read_run_records(written(without_gpu)).without_gpu, 1U);
  auto without_kernel = record();
  without_kernel.erase("executed");
  EXPECT_EQ(evidence::read_run_records(written(without_kernel)).without_kernel, 1U);
}

TEST(RunRecords, RefusesWhatContradictsItself) {
  EXPECT_EQ(refusal(record()), "none");
  auto failed = record();
  failed["executed"][0]["test"] = "A.c";
  EXPECT_THAT(refusal(failed), HasSubstr("A.c is said to have run a kernel"));
  auto without_run = record();
  without_run["run"] = "yesterday";
  EXPECT_THAT(refusal(without_run), HasSubstr("\"run\" is \"yesterday\""));
  auto foreign = record();
  foreign["schema"] = "archgrid.audit/1";
  EXPECT_THAT(refusal(foreign), HasSubstr("it is no record of a GPU test program"));
  auto wrong = record();
  wrong["executed"][0]["identity"] = "0";
  EXPECT_THAT(refusal(wrong), HasSubstr("\"identity\" has no 32"));
  EXPECT_THAT(refusal(json::array()), HasSubstr("archgrid_run.json: it is no record"));
}

TEST(RunRecords, CodeMustBeInTheBinaries) {
  const auto records = evidence::read_run_records(written(record()));
  auto known = kernel("k");
  known.identity = identity('a');
  EXPECT_NO_THROW(evidence::expect_known(
      records, evidence::code_in({file_of({sass("90", {known})})}, {device("9.0")}), "run.json"));
  const auto refused = [&](const File& file) {
    try {
      evidence::expect_known(records, evidence::code_in({file}, {device("9.0")}), "run.json");
    } catch (const EvidenceError& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  EXPECT_THAT(refused(file_of({sass("80", {known})})), HasSubstr("no binary has its code"));
  known.identity = identity('b');
  EXPECT_THAT(refused(file_of({sass("90", {known})})),
              HasSubstr("run.json: no binary has its code of k for 9.0"));
  known.identity.clear();
  EXPECT_THAT(refused(file_of({sass("90", {known})})), HasSubstr("no binary has its code"));
}

TEST(RunRecords, AProgramCountsIfAllItsTestsPassed) {
  auto document = passed_record();
  const auto records = evidence::read_run_records(written(document));
  ASSERT_EQ(records.passed.size(), 1U);
  EXPECT_EQ(records.passed.front().code_hash, identity('c'));
  EXPECT_EQ(records.passed.front().program, "x_test");
  document["cell"] = "cu130-fat";
  EXPECT_EQ(evidence::read_run_records(written(document)).passed.front().program,
            "cu130-fat/x_test");
  document["outcome"] = "failed";
  document["code"] = "tests";
  const auto failed = evidence::read_run_records(written(document));
  EXPECT_THAT(failed.passed, IsEmpty());
  EXPECT_EQ(failed.failed.size(), 1U);
}

TEST(RunRecords, AFailureOutsideOfTestsLeavesDoubts) {
  for (const char* code : {"sanitizer", "failed-at-end", "killed", "crashed", "kernels"}) {
    auto document = record();
    document["code"] = code;
    const auto records = evidence::read_run_records(written(document));
    EXPECT_THAT(records.executions, IsEmpty()) << code;
    EXPECT_EQ(records.broken, 1U) << code;
  }
  auto document = passed_record();
  document["tests"].push_back(record()["tests"][1]);
  EXPECT_THAT(refusal(document), HasSubstr("although a test of it failed"));
}

TEST(RunRecords, TheWholeCodeMustBeThatOfABinary) {
  auto known = kernel("k");
  known.identity = identity('a');
  const auto file = file_of({sass("90", {known})});
  const coverage::ImageSelector selector(file);
  auto document = passed_record();
  document["code_hash"] = coverage::code_hash_of(selector, device("9.0"));
  const auto code = evidence::code_in({file}, {device("9.0")});
  EXPECT_NO_THROW(
      evidence::expect_known(evidence::read_run_records(written(document)), code, "run.json"));
  document["code_hash"] = identity('c');
  EXPECT_THROW(
      evidence::expect_known(evidence::read_run_records(written(document)), code, "run.json"),
      EvidenceError);
}

}  // namespace
}  // namespace archgrid::tests
