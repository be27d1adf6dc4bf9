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

/// Returns the record of a run on a GPU in which A.b passed and launched the kernel k.
json record() {
  return {{"schema", "archgrid.gpu-tests/1"},
          {"program", "./x_test"},
          {"run", "4711-1764098765123456"},
          {"outcome", "passed"},
          {"gpu", {{"name", "NVIDIA H100"}, {"capability", "9.0"}, {"ordinal", 0}}},
          {"driver", "13.0"},
          {"driver_release", "580.65.06"},
          {"executed",
           {{{"kernel", "k"}, {"arch", "sm_90"}, {"identity", identity('a')}, {"test", "A.b"}}}},
          {"tests",
           {{{"name", "A.b"}, {"outcome", "passed"}, {"seconds", 0.1}, {"launches", 1}},
            {{"name", "A.c"}, {"outcome", "failed"}, {"seconds", 0.1}, {"launches", 1}}}}};
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
  EXPECT_THAT(refusal(failed), HasSubstr("A.c ran a kernel and passed, and does not have it"));
  auto without_run = record();
  without_run["run"] = "yesterday";
  EXPECT_THAT(refusal(without_run), HasSubstr("\"run\": \"yesterday\" is none"));
  auto foreign = record();
  foreign["schema"] = "archgrid.audit/1";
  EXPECT_THAT(refusal(foreign), HasSubstr("it is no record of a GPU test program"));
  auto wrong = record();
  wrong["executed"][0]["identity"] = "0";
  EXPECT_THAT(refusal(wrong), HasSubstr("\"identity\" is none"));
  EXPECT_THAT(refusal(json::array()), HasSubstr("archgrid_run.json: it is no record"));
}

TEST(RunRecords, CodeMustBeInTheBinaries) {
  const auto records = evidence::read_run_records(written(record()));
  auto known = kernel("k");
  known.identity = identity('a');
  EXPECT_NO_THROW(evidence::expect_known(
      records, evidence::code_in({file_of({sass("90", {known})})}, {}), "run.json"));
  const auto refused = [&](const File& file) {
    try {
      evidence::expect_known(records, evidence::code_in({file}, {device("9.0")}), "run.json");
    } catch (const EvidenceError& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  EXPECT_THAT(refused(file_of({sass("80", {known})})), HasSubstr("is in none of the binaries"));
  known.identity = identity('b');
  EXPECT_THAT(refused(file_of({sass("90", {known})})), HasSubstr("run.json: its k for sm_90"));
  known.identity.clear();
  EXPECT_THAT(refused(file_of({sass("90", {known})})), HasSubstr("is in none of the binaries"));
}

TEST(RunRecords, AProgramCountsIfAllItsTestsPassed) {
  auto document = record();
  document["code_hash"] = identity('c');
  const auto records = evidence::read_run_records(written(document));
  ASSERT_EQ(records.passed.size(), 1U);
  EXPECT_EQ(records.passed.front().code_hash, identity('c'));
  EXPECT_EQ(records.passed.front().run.test, "x_test");
  document["outcome"] = "failed";
  EXPECT_THAT(evidence::read_run_records(written(document)).passed, IsEmpty());
}

TEST(RunRecords, TheWholeCodeMustBeThatOfABinary) {
  auto known = kernel("k");
  known.identity = identity('a');
  const auto file = file_of({sass("90", {known})});
  const coverage::ImageSelector selector(file);
  auto document = record();
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
