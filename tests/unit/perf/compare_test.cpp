// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <archgrid/perf_records/compare.hpp>
#include <cmath>
#include <random>
#include <string>

#include "records.hpp"

namespace archgrid::perf {
namespace {

using ::testing::HasSubstr;

/// Makes `runs` runs of one benchmark, a series of pairs, each with samples around `seconds`.
File measured(const std::string& path, double seconds, std::size_t runs = 30) {
  File file{path, {tests::some_key(), {}, {{"gemm", Cache::hot, {}, {}}}}};
  for (std::size_t i = 0; i < runs; ++i) {
    const double wobble = 1 + 1e-4 * static_cast<double>(i % 7);
    auto run = tests::some_run({seconds * wobble, seconds * 0.999, seconds * 50});
    run.series = "night";
    run.pair = i;
    file.record.benchmarks[0].runs.push_back(run);
  }
  return file;
}

const BenchmarkComparison& only(const Comparison& comparison) {
  EXPECT_EQ(comparison.benchmarks.size(), 1U);
  return comparison.benchmarks.front();
}

TEST(Compare, JudgesTheMediansOfPairedRuns) {
  const auto comparison = compare(measured("a", 1e-3), measured("b", 1.02e-3));
  const auto& gemm = only(comparison);
  EXPECT_EQ(gemm.gate.decision, Decision::slower);
  EXPECT_EQ(gemm.gate.pairs, 30U);
  EXPECT_NEAR(gemm.gate.time->estimate, 0.02, 1e-6);
  EXPECT_NEAR(*gemm.base_seconds, 1e-3, 1e-6);
  EXPECT_EQ(verdict(comparison), Decision::slower);
  EXPECT_FALSE(passes(comparison, true));
  EXPECT_EQ(verdict(compare(measured("a", 1e-3), measured("b", 1e-3))), Decision::same);
  EXPECT_TRUE(passes(compare(measured("a", 1e-3), measured("b", 1e-3)), false));
}

/// Makes `count` benchmarks with 0.5 % noise, and with a change.
File noisy(const std::string& path, std::size_t count, double change, std::mt19937& numbers) {
  std::normal_distribution<double> noise(0, 0.005);
  File file{path, {tests::some_key(), {}, {}}};
  for (std::size_t i = 0; i < count; ++i) {
    Benchmark benchmark{"gemm/" + std::to_string(i), Cache::hot, {}, {}};
    for (std::size_t pair = 0; pair < 30; ++pair) {
      auto run = tests::some_run({1e-3 * (1 + change) * std::exp(noise(numbers))});
      run.series = "night";
      run.pair = pair;
      benchmark.runs.push_back(run);
    }
    file.record.benchmarks.push_back(benchmark);
  }
  return file;
}

TEST(Compare, RaisesNoMoreFalseAlarmsForManyBenchmarks) {
  constexpr std::size_t kBenchmarks = 50;
  std::mt19937 numbers(1);
  std::size_t alarms = 0;
  std::size_t alarms_by_themselves = 0;
  for (int comparison = 0; comparison < 100; ++comparison) {
    const auto base = noisy("a", kBenchmarks, 0, numbers);
    const auto fresh = noisy("b", kBenchmarks, 0, numbers);
    alarms += count(compare(base, fresh), Decision::slower) > 0 ? 1 : 0;
    for (std::size_t i = 0; i < kBenchmarks; ++i) {
      File one_base{"a", {base.record.key, {}, {base.record.benchmarks[i]}}};
      File one_fresh{"b", {fresh.record.key, {}, {fresh.record.benchmarks[i]}}};
      alarms_by_themselves += count(compare(one_base, one_fresh), Decision::slower);
    }
  }
  EXPECT_LE(alarms, 1U);
  EXPECT_GT(alarms_by_themselves, alarms);
  const auto slower =
      compare(noisy("a", kBenchmarks, 0, numbers), noisy("b", kBenchmarks, 0.02, numbers));
  EXPECT_EQ(count(slower, Decision::slower), kBenchmarks);
}

TEST(Compare, SharesTheConfidenceAmongBenchmarksThatHaveABase) {
  auto base = measured("a", 1e-3);
  auto fresh = measured("b", 1e-3);
  EXPECT_DOUBLE_EQ(compare(base, fresh).confidence_of_each, 0.98);
  base.record.benchmarks.push_back(base.record.benchmarks[0]);
  base.record.benchmarks[1].name = "spmv";
  fresh.record.benchmarks.push_back(base.record.benchmarks[1]);
  fresh.record.benchmarks.push_back(base.record.benchmarks[1]);
  fresh.record.benchmarks[2].name = "new";
  const auto comparison = compare(base, fresh);
  EXPECT_DOUBLE_EQ(comparison.confidence_of_each, 0.99);
  EXPECT_DOUBLE_EQ(comparison.rules.confidence, 0.98);
}

TEST(Compare, PairsByNumberWhateverTheOrder) {
  auto base = measured("a", 1e-3);
  auto& runs = base.record.benchmarks[0].runs;
  std::swap(runs[0], runs[20]);
  runs.pop_back();
  const auto comparison = compare(base, measured("b", 1e-3));
  EXPECT_EQ(only(comparison).gate.pairs, 29U);
  EXPECT_EQ(only(comparison).alone, 1U);
  EXPECT_NEAR(only(comparison).gate.time->high, 0, 1e-12);
}

TEST(Compare, HasNoDataWhereRunsWereNotInterleaved) {
  auto fresh = measured("b", 1.5e-3);
  for (auto& run : fresh.record.benchmarks[0].runs) run.series = "another night";
  const auto comparison = compare(measured("a", 1e-3), fresh);
  EXPECT_EQ(only(comparison).gate.decision, Decision::no_data);
  EXPECT_THAT(only(comparison).gate.reason, HasSubstr("not interleaved"));
  EXPECT_FALSE(passes(comparison, false));
  EXPECT_TRUE(passes(comparison, true));
  CompareOptions options;
  options.by_order = true;
  EXPECT_EQ(verdict(compare(measured("a", 1e-3), fresh, options)), Decision::slower);
}

TEST(Compare, LeavesThrottledAndEmptyRunsOut) {
  auto fresh = measured("b", 1e-3);
  auto& runs = fresh.record.benchmarks[0].runs;
  runs[0].throttled = true;
  runs[1].seconds.clear();
  runs[2].throttled.reset();
  const auto one = compare(measured("a", 1e-3), fresh);
  EXPECT_EQ(only(one).gate.decision, Decision::same);
  EXPECT_EQ(only(one).gate.pairs, 28U);
  EXPECT_EQ(only(one).throttled, 1U);
  EXPECT_EQ(only(one).empty, 1U);
  EXPECT_EQ(only(one).unknown, 1U);
  for (auto& run : runs) run.throttled = true;
  const auto all = compare(measured("a", 1e-3), fresh);
  EXPECT_EQ(only(all).gate.decision, Decision::no_data);
  EXPECT_THAT(only(all).gate.reason, HasSubstr("30 throttled"));
  EXPECT_FALSE(passes(all, false));
}

TEST(Compare, NeverComparesOtherKeys) {
  for (std::string Key::*field :
       {&Key::gpu, &Key::compute_capability, &Key::driver, &Key::toolkit, &Key::clocks}) {
    auto fresh = measured("b", 2e-3);
    fresh.record.key.*field = "8.0";
    const auto comparison = compare(measured("a", 1e-3), fresh);
    EXPECT_EQ(only(comparison).gate.decision, Decision::no_baseline);
    EXPECT_THAT(only(comparison).gate.reason, HasSubstr("another key"));
    EXPECT_FALSE(only(comparison).gate.time);
    EXPECT_TRUE(passes(comparison, false));
  }
}

TEST(Compare, HasNoDataOfAFakeGpu) {
  auto base = measured("a", 1e-3);
  auto fresh = measured("b", 1e-3);
  base.record.key.gpu = fresh.record.key.gpu = "Fake 9.0";
  const auto comparison = compare(base, fresh);
  EXPECT_EQ(only(comparison).gate.decision, Decision::no_data);
  EXPECT_THAT(only(comparison).gate.reason, HasSubstr("fake"));
  EXPECT_FALSE(passes(comparison, false));
}

TEST(Compare, SaysWhatOneSideLacks) {
  auto base = measured("a", 1e-3);
  auto fresh = measured("b", 1e-3);
  base.record.benchmarks.push_back({"gone", Cache::hot, {}, {}});
  fresh.record.benchmarks.push_back({"gemm", Cache::cold, {}, {}});
  auto other_work = fresh.record.benchmarks[0];
  other_work.name = "work";
  base.record.benchmarks.push_back(other_work);
  other_work.work.flops = 1;
  fresh.record.benchmarks.push_back(other_work);
  const auto comparison = compare(base, fresh);
  EXPECT_EQ(count(comparison, Decision::same), 1U);
  EXPECT_EQ(count(comparison, Decision::no_baseline), 2U);
  EXPECT_EQ(count(comparison, Decision::no_data), 1U);
  EXPECT_EQ(comparison.benchmarks.back().name, "gone");
  EXPECT_EQ(verdict(comparison), Decision::no_data);
}

TEST(Compare, HasNoDataWithoutABenchmark) {
  const File none{"a", {tests::some_key(), {}, {}}};
  EXPECT_EQ(verdict(compare(none, none)), Decision::no_data);
  EXPECT_FALSE(passes(compare(none, none), false));
}

}  // namespace
}  // namespace archgrid::perf
