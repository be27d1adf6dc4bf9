// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <archgrid/perf_records/history.hpp>
#include <filesystem>
#include <fstream>
#include <string>

#include "records.hpp"

namespace archgrid::perf {
namespace {

using ::testing::HasSubstr;
using tests::some_record;

namespace fs = std::filesystem;

std::string new_path() {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  const auto folder = fs::path(::testing::TempDir()) / "archgrid-perf-history" / test->name();
  fs::remove_all(folder);
  fs::create_directories(folder);
  return (folder / "history.db").string();
}

TEST(PerfHistory, GivesBackWhatWasKept) {
  const auto path = new_path();
  auto record = some_record();
  std::swap(record.benchmarks[0], record.benchmarks[1]);  // the history sorts by name and cache
  auto& run = record.benchmarks[0].runs[0];
  run.throttled.reset();
  run.throttle_reasons = {"sw_power_cap"};
  run.sm_clock_mhz = 1980;
  run.memory_clock_mhz = 3201.5;
  run.temperature_celsius = -3;
  run.launch_overhead_seconds = 0;
  run.series = "night";
  run.pair = 7;
  EXPECT_EQ(History(path, History::Open::for_writing).keep({{"a", record}}), 2U);
  const auto records = History(path, History::Open::for_reading).records();
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(to_json(records[0]), to_json(record));
}

TEST(PerfHistory, KeepsARunOnceAndKeysApart) {
  const auto path = new_path();
  History history(path, History::Open::for_writing);
  EXPECT_EQ(history.keep({{"a", some_record()}, {"b", some_record()}}), 2U);
  EXPECT_EQ(history.keep({{"a", some_record()}}), 0U);
  auto other = some_record();
  other.key.driver = "590.10";
  other.ceilings[0].per_second *= 2;
  EXPECT_EQ(history.keep({{"b", other}}), 2U);
  auto later = some_record();
  later.ceilings[0].per_second *= 3;
  later.benchmarks[0].runs[0].date = "2026-01-01T00:00:00Z";
  EXPECT_EQ(history.keep({{"c", later}}), 1U);
  const auto records = history.records();
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].ceilings[0].per_second, some_record().ceilings[0].per_second * 3);
  ASSERT_EQ(records[0].benchmarks[1].runs.size(), 2U);
  EXPECT_EQ(records[0].benchmarks[1].runs[0].date, "2026-01-01T00:00:00Z");
  EXPECT_EQ(records[1].key.driver, "590.10");
}

TEST(PerfHistory, ShowsTheWorkThatWasDoneLast) {
  const auto path = new_path();
  History history(path, History::Open::for_writing);
  const auto keep = [&](double flops, const std::string& date) {
    auto record = some_record();
    record.benchmarks.resize(1);
    record.benchmarks[0].work.flops = flops;
    record.benchmarks[0].runs.resize(1);
    record.benchmarks[0].runs[0].date = date;
    EXPECT_EQ(history.keep({{"a", record}}), 1U);
    return history.records().at(0).benchmarks;
  };
  EXPECT_EQ(keep(1, "2026-01-01T00:00:00Z").at(0).work.flops, 1);
  EXPECT_EQ(keep(2, "2026-01-02T00:00:00Z").at(0).work.flops, 2);
  const auto reverted = keep(1, "2026-01-03T00:00:00Z");
  ASSERT_EQ(reverted.size(), 1U);
  EXPECT_EQ(reverted[0].work.flops, 1);
  EXPECT_EQ(reverted[0].runs.size(), 2U);
}

TEST(PerfHistory, RefusesWhatIsNoHistory) {
  const auto path = new_path();
  const auto error = [&](History::Open how) -> std::string {
    try {
      History history(path, how);
    } catch (const FileError& refused) {
      return refused.what();
    }
    return "";
  };
  EXPECT_THAT(error(History::Open::for_reading), HasSubstr("history.db: cannot open"));
  std::ofstream(path)
      << "this is text, and long enough for anybody to see that: no database at all";
  EXPECT_THAT(error(History::Open::for_reading), HasSubstr("history.db: file is not a database"));
  EXPECT_THAT(error(History::Open::for_writing), HasSubstr("history.db: file is not a database"));
  std::ofstream(path, std::ios::trunc).close();
  EXPECT_THAT(error(History::Open::for_reading), HasSubstr("no history of archgrid"));
  EXPECT_EQ(error(History::Open::for_writing), "");
}

}  // namespace
}  // namespace archgrid::perf
