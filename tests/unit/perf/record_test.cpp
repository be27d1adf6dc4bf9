// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <archgrid/perf_records/record.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "contents.hpp"
#include "records.hpp"

namespace archgrid::perf {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using tests::some_record;

namespace fs = std::filesystem;

fs::path folder() {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  const fs::path path = fs::path(::testing::TempDir()) / "archgrid-perf-record" / test->name();
  fs::remove_all(path);
  fs::create_directories(path);
  return path;
}

TEST(Record, SaysAllThatWasMeasured) {
  Record record = some_record();
  auto& run = record.benchmarks[0].runs[0];
  run.sm_clock_mhz = 1980;
  run.temperature_celsius = 51.5;
  run.series = "night";
  run.pair = 4;
  run.throttle_reasons = {"sw_power_cap"};
  const json document = json::parse(to_json(record));
  EXPECT_EQ(document["schema"], "archgrid.perf/1");
  EXPECT_EQ(document["key"]["clocks"], "locked 1980 MHz");
  EXPECT_EQ(document["ceilings"][1]["per_second"], 4.2e12);
  ASSERT_EQ(document["benchmarks"].size(), 2U);
  EXPECT_EQ(document["benchmarks"][1]["cache"], "cold");
  const json& written = document["benchmarks"][0]["runs"][0];
  EXPECT_EQ(written["seconds"], json::array({1e-3, 1.1e-3}));
  EXPECT_EQ(written["throttled"], false);
  EXPECT_EQ(written["throttle_reasons"], json::array({"sw_power_cap"}));
  EXPECT_EQ(written["sm_clock_mhz"], 1980);
  EXPECT_EQ(written["temperature_celsius"], 51.5);
  EXPECT_EQ(written["series"], "night");
  EXPECT_EQ(written["pair"], 4);
}

TEST(Record, LeavesOutWhatIsNotKnownAndSaysThatThrottlingIsNot) {
  Record record = some_record();
  record.benchmarks[0].runs[0].throttled.reset();
  const json written = json::parse(to_json(record))["benchmarks"][0]["runs"][0];
  EXPECT_TRUE(written["throttled"].is_null());
  for (const char* key : {"sm_clock_mhz", "memory_clock_mhz", "temperature_celsius",
                          "launch_overhead_seconds", "series", "pair"}) {
    EXPECT_FALSE(written.contains(key)) << key;
  }
}

TEST(Record, KeepsNamesThatAreHardToWrite) {
  Record record = some_record();
  record.benchmarks[0].name = "a \"b\" \\ \n \xc3\xa4";
  EXPECT_EQ(json::parse(to_json(record))["benchmarks"][0]["name"], record.benchmarks[0].name);
  record.benchmarks[0].name = "no UTF-8: \xff";
  EXPECT_EQ(json::parse(to_json(record))["benchmarks"][0]["name"], "no UTF-8: \xef\xbf\xbd");
}

TEST(Record, RefusesWhatTheSchemaDoesNotAllowAndNamesThePlace) {
  const auto problem = [](const auto& spoil) {
    Record record = some_record();
    EXPECT_EQ(problem_of(record), "");
    spoil(record);
    EXPECT_THROW(to_json(record), std::invalid_argument);
    return problem_of(record);
  };
  const double not_a_number = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(problem([](Record& r) { r.key.gpu.clear(); }), StartsWith("key.gpu: "));
  EXPECT_THAT(problem([](Record& r) { r.key.driver.clear(); }), StartsWith("key.driver: "));
  EXPECT_THAT(problem([](Record& r) { r.key.toolkit.clear(); }), StartsWith("key.toolkit: "));
  EXPECT_THAT(problem([](Record& r) { r.key.clocks.clear(); }), StartsWith("key.clocks: "));
  EXPECT_THAT(problem([](Record& r) { r.key.compute_capability = "sm_90"; }),
              HasSubstr("\"sm_90\" is no compute capability"));
  EXPECT_THAT(problem([](Record& r) { r.ceilings[1].unit = "GB/s"; }),
              StartsWith("ceilings[1].unit: \"GB/s\""));
  EXPECT_THAT(problem([](Record& r) { r.ceilings[0].per_second = 0; }),
              StartsWith("ceilings[0].per_second: "));
  EXPECT_THAT(problem([](Record& r) { r.benchmarks[1].cache = Cache::hot; }),
              HasSubstr("benchmarks[1]: \"gemm/1024\" (hot) is there twice"));
  EXPECT_THAT(problem([](Record& r) { r.benchmarks[0].name.clear(); }),
              StartsWith("benchmarks[0].name: "));
  EXPECT_THAT(problem([](Record& r) { r.benchmarks[0].work.bytes = -1; }),
              StartsWith("benchmarks[0].bytes: "));
  EXPECT_THAT(problem([&](Record& r) { r.benchmarks[0].work.flops = not_a_number; }),
              StartsWith("benchmarks[0].flops: "));
  EXPECT_THAT(problem([](Record& r) { r.benchmarks[1].runs[0].build.clear(); }),
              StartsWith("benchmarks[1].runs[0].build: "));
  EXPECT_THAT(problem([](Record& r) { r.benchmarks[1].runs[0].date = "yesterday"; }),
              StartsWith("benchmarks[1].runs[0].date: \"yesterday\" is no date"));
  for (const double none : {0.0, -1.0, not_a_number, std::numeric_limits<double>::infinity()}) {
    EXPECT_THAT(problem([&](Record& r) { r.benchmarks[0].runs[0].seconds[1] = none; }),
                StartsWith("benchmarks[0].runs[0].seconds[1]: "))
        << none;
  }
  EXPECT_THAT(problem([](Record& r) { r.benchmarks[0].runs[0].throttle_reasons = {""}; }),
              StartsWith("benchmarks[0].runs[0].throttle_reasons[0]: "));
  EXPECT_THAT(problem([](Record& r) { r.benchmarks[0].runs[0].sm_clock_mhz = 0; }),
              StartsWith("benchmarks[0].runs[0].sm_clock_mhz: "));
  EXPECT_THAT(problem([](Record& r) { r.benchmarks[0].runs[0].memory_clock_mhz = -1; }),
              StartsWith("benchmarks[0].runs[0].memory_clock_mhz: "));
  EXPECT_THAT(
      problem([&](Record& r) { r.benchmarks[0].runs[0].temperature_celsius = not_a_number; }),
      StartsWith("benchmarks[0].runs[0].temperature_celsius: "));
  EXPECT_THAT(problem([](Record& r) { r.benchmarks[0].runs[0].launch_overhead_seconds = -1e-6; }),
              StartsWith("benchmarks[0].runs[0].launch_overhead_seconds: "));
  EXPECT_THAT(problem([](Record& r) { r.benchmarks[0].runs[0].pair = 1; }),
              HasSubstr("told together"));
  EXPECT_THAT(problem([](Record& r) { r.benchmarks[0].runs[0].series = "x"; }),
              HasSubstr("told together"));
}

TEST(Record, IsSavedWholeOrNotAtAll) {
  const fs::path place = folder();
  const fs::path path = place / "perf.json";
  save(some_record(), path.string());
  EXPECT_EQ(tests::contents_of(path), to_json(some_record()));
  Record bad = some_record();
  bad.key.gpu.clear();
  EXPECT_THROW(save(bad, path.string()), std::invalid_argument);
  EXPECT_EQ(tests::contents_of(path), to_json(some_record()));
  EXPECT_EQ(std::distance(fs::directory_iterator(place), fs::directory_iterator()), 1);
}

TEST(Record, SaysWhyItCannotBeSaved) {
  const fs::path path = folder() / "missing" / "perf.json";
  try {
    save(some_record(), path.string());
    ADD_FAILURE() << "a file appeared in a folder that is not there";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("perf.json"));
    EXPECT_THAT(error.what(), HasSubstr("No such file or directory"));
  }
  const fs::path taken = folder() / "taken";
  fs::create_directories(taken / "by a folder");
  EXPECT_THROW(save(some_record(), taken.string()), std::runtime_error);
  EXPECT_EQ(std::distance(fs::directory_iterator(taken.parent_path()), fs::directory_iterator()),
            1);
}

TEST(Record, KeysAreEqualWhereAllOfThemIs) {
  EXPECT_EQ(tests::some_key(), tests::some_key());
  for (std::string Key::*field :
       {&Key::gpu, &Key::compute_capability, &Key::driver, &Key::toolkit, &Key::clocks}) {
    Key other = tests::some_key();
    other.*field += "x";
    EXPECT_NE(other, tests::some_key());
  }
}

TEST(Record, DatesAreInUtc) {
  EXPECT_EQ(text_of_date(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(text_of_date(1769949000), "2026-02-01T12:30:00Z");
}

}  // namespace
}  // namespace archgrid::perf
