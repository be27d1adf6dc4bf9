// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <archgrid/coverage/json_text.hpp>
#include <archgrid/perf_records/files.hpp>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "records.hpp"

namespace archgrid::perf {
namespace {

using ::testing::HasSubstr;
using tests::some_record;

namespace fs = std::filesystem;

std::string path_of(const std::string& name) {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  const auto folder = fs::path(::testing::TempDir()) / "archgrid-perf-files" / test->name();
  fs::create_directories(folder);
  return (folder / name).string();
}

/// Returns the error of reading a file with this text.
std::string error_of(const std::string& text) {
  const auto path = path_of("spoilt.json");
  std::ofstream(path, std::ios::binary) << text;
  try {
    read_file(path);
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr(path));
    return error.what();
  }
  return "nothing";
}

/// Returns the text of a valid file with one replacement.
std::string with(const std::string& before, const std::string& after) {
  auto text = to_json(some_record());
  const auto at = text.find(before);
  EXPECT_NE(at, std::string::npos) << before;
  return text.replace(at, before.size(), after);
}

TEST(PerfFile, IsReadAsItWasWritten) {
  auto record = some_record();
  auto& run = record.benchmarks[0].runs[0];
  run.throttled.reset();
  run.throttle_reasons = {"sw_power_cap"};
  run.sm_clock_mhz = 1980;
  run.memory_clock_mhz = 3201.5;
  run.temperature_celsius = -3;
  run.launch_overhead_seconds = 0;
  run.series = "night";
  run.pair = 7;
  record.benchmarks[1].runs[0].seconds.clear();
  const auto path = path_of("perf.json");
  save(record, path);
  const auto file = read_file(path);
  EXPECT_EQ(file.path, path);
  EXPECT_EQ(to_json(file.record), to_json(record));
}

TEST(PerfFile, IsRefusedWithItsPlace) {
  EXPECT_EQ(error_of(to_json(some_record())), "nothing");
  EXPECT_THAT(error_of("{}"), HasSubstr("the top level: \"schema\" is missing"));
  EXPECT_THAT(error_of("[]"), HasSubstr("expected an object { }, found a list"));
  EXPECT_THAT(error_of(with("archgrid.perf/1", "archgrid.perf/2")),
              HasSubstr("schema: \"archgrid.perf/2\" is not what is read here"));
  EXPECT_THAT(error_of(with("\"gpu\"", "\"card\"")), HasSubstr("key: \"gpu\" is missing"));
  EXPECT_THAT(error_of(with("\"gpu\"", "\"card\": 1, \"gpu\"")),
              HasSubstr("key: unknown key \"card\": use one of gpu, "));
  EXPECT_THAT(error_of(with("\"throttled\":false,", "")),
              HasSubstr("benchmarks[0].runs[0]: \"throttled\" is missing"));
  EXPECT_THAT(error_of(with("\"throttled\":false", "\"throttled\":0")),
              HasSubstr("benchmarks[0].runs[0].throttled: expected true, false or null, found 0"));
  EXPECT_THAT(error_of(with("\"hot\"", "\"warm\"")),
              HasSubstr("benchmarks[0].cache: \"warm\" is neither"));
  EXPECT_THAT(error_of(with("0.0011", "\"0.0011\"")),
              HasSubstr("benchmarks[0].runs[0].seconds[1]: expected a number"));
  EXPECT_THAT(error_of(with("0.0011", "-0.0011")), HasSubstr("benchmarks[0].runs[0].seconds[1]: "));
  EXPECT_THAT(error_of(with("0.0011", "0")), HasSubstr("benchmarks[0].runs[0].seconds[1]: "));
  EXPECT_THAT(error_of(with("0.0011", "NaN")), HasSubstr("not JSON"));
  EXPECT_THAT(error_of(with("0.0011", "1e999")), HasSubstr("spoilt.json"));
  EXPECT_THAT(error_of(with("[0.001,", "{\"a\":0.001,\"a\":1},\"x\":[")),
              HasSubstr("stands twice"));
  EXPECT_THAT(error_of(with("\"build\":\"cu130-sm90\"", "\"build\":\"x\",\"pair\":-1")),
              HasSubstr("benchmarks[0].runs[0].pair: expected a whole number, found -1"));
  EXPECT_THAT(error_of(with("\"build\":\"cu130-sm90\"", "\"build\":\"x\",\"pair\":1")),
              HasSubstr("told together"));
  EXPECT_THROW(read_file(path_of("missing.json")), coverage::JsonError);
}

File file_of(const std::string& path, const std::vector<double>& seconds) {
  File file{path, some_record()};
  file.record.benchmarks.pop_back();
  file.record.benchmarks[0].runs = {tests::some_run(seconds)};
  return file;
}

TEST(PerfMerge, KeepsEveryRunOnce) {
  auto other = file_of("b.json", {2e-3});
  other.record.benchmarks.push_back({"spmv", Cache::cold, {}, {tests::some_run({3e-3})}});
  other.record.ceilings = {{"fp32", "FLOP/s", 7e13}, {"fp16", "FLOP/s", 1e15}};
  const auto merged = merge({file_of("a.json", {1e-3}), other, file_of("c.json", {1e-3})});
  ASSERT_EQ(merged.benchmarks.size(), 2U);
  ASSERT_EQ(merged.benchmarks[0].runs.size(), 2U);
  EXPECT_EQ(merged.benchmarks[0].runs[0].seconds, std::vector<double>{1e-3});
  EXPECT_EQ(merged.benchmarks[0].runs[1].seconds, std::vector<double>{2e-3});
  EXPECT_EQ(merged.benchmarks[1].name, "spmv");
  ASSERT_EQ(merged.ceilings.size(), 3U);
  EXPECT_EQ(merged.ceilings[0].per_second, 7e13);
  EXPECT_EQ(problem_of(merged), "");
}

TEST(PerfMerge, RefusesOtherKeysAndNamesBoth) {
  auto other = file_of("b.json", {1e-3});
  other.record.key.driver = "590.10";
  try {
    merge({file_of("a.json", {1e-3}), other});
    ADD_FAILURE() << "files of two drivers were merged";
  } catch (const FileError& error) {
    EXPECT_THAT(error.what(), HasSubstr("a.json and b.json"));
    EXPECT_THAT(error.what(), HasSubstr("the driver (580.65.06 and 590.10)"));
  }
}

TEST(PerfMerge, RefusesOtherWorkUnderOneName) {
  auto other = file_of("b.json", {1e-3});
  other.record.benchmarks[0].work.flops *= 2;
  EXPECT_THROW(merge({file_of("a.json", {1e-3}), other}), FileError);
  EXPECT_THROW(merge({}), std::invalid_argument);
}

TEST(PerfKey, TellsWhatIsDifferent) {
  EXPECT_EQ(difference(tests::some_key(), tests::some_key()), "");
  auto other = tests::some_key();
  other.gpu = "NVIDIA H100";
  other.clocks = "default";
  EXPECT_EQ(difference(tests::some_key(), other),
            "the GPU (NVIDIA H200 and NVIDIA H100), the clocks (locked 1980 MHz and default)");
  EXPECT_EQ(text_of(tests::some_key()),
            "NVIDIA H200 (9.0), driver 580.65.06, CUDA 13.0, clocks locked 1980 MHz");
}

}  // namespace
}  // namespace archgrid::perf
