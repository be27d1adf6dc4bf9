// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <archgrid/perf_records/gate.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <simulation.hpp>
#include <stdexcept>
#include <vector>

namespace archgrid::perf {
namespace {

using ::testing::HasSubstr;

/// Makes pairs whose new run takes `change` longer, plus or minus up to `spread`.
std::vector<Pair> steady(std::size_t count, double change, double spread = 0.002) {
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < count; ++i) {
    const double wobble = spread * std::sin(static_cast<double>(3 * i + 1));
    pairs.push_back({1e-3, 1e-3 * (1 + change) * (1 + wobble), {}, {}});
  }
  return pairs;
}

std::vector<Pair> at_clocks(std::vector<Pair> pairs, double base_mhz, double new_mhz) {
  for (Pair& pair : pairs) {
    pair.base_mhz = base_mhz;
    pair.new_mhz = new_mhz;
  }
  return pairs;
}

TEST(PairedChange, IsThatOfTheTables) {
  // With 5 values each choice of signs has the probability 1/32, which is that of a rank sum of 0.
  // An interval of 90 % needs a tail of at most 5 %, so its ends are the smallest and the largest
  // value.
  const std::vector<double> five = {std::log(1.01), std::log(1.02), std::log(1.03), std::log(1.04),
                                    std::log(1.05)};
  const auto change = paired_change(five, 0.9);
  ASSERT_TRUE(change);
  EXPECT_NEAR(change->low, 0.01, 1e-12);
  EXPECT_NEAR(change->estimate, 0.03, 1e-4);
  EXPECT_NEAR(change->high, 0.05, 1e-12);
  EXPECT_FALSE(paired_change(five, 0.95));
  EXPECT_FALSE(paired_change({}, 0.9));
}

TEST(PairedChange, TakesTheRankThatTablesOfTheSignedRankTestGive) {
  // Tables: for 30 pairs the rank sum is at most 137 with a probability of at most 2.5 %, and at
  // most 120 with 1 %. So 137 + 1 and 120 + 1 are the ranks of the means that end the intervals.
  std::vector<double> values;
  for (int i = 0; i < 30; ++i) values.push_back(std::log(1 + 0.001 * std::pow(1.2, i)));
  std::vector<double> means;
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = i; j < values.size(); ++j) means.push_back((values[i] + values[j]) / 2);
  }
  std::sort(means.begin(), means.end());
  EXPECT_NEAR(paired_change(values, 0.95)->low, std::expm1(means[137]), 1e-15);
  EXPECT_NEAR(paired_change(values, 0.98)->low, std::expm1(means[120]), 1e-15);
  EXPECT_NEAR(paired_change(values, 0.98)->high, std::expm1(means[means.size() - 121]), 1e-15);
}

TEST(PairedChange, GoesOnSmoothlyWhereItBecomesApproximate) {
  const auto width = [](std::size_t count) {
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i) {
      values.push_back(0.01 * std::sin(static_cast<double>(7 * i)));
    }
    const auto change = paired_change(values, 0.98);
    return change->high - change->low;
  };
  EXPECT_NEAR(width(100) / width(102), 1, 0.03);
}

TEST(Gate, TellsASlowdownAndASpeedup) {
  const auto slower = judge(steady(30, 0.02));
  EXPECT_EQ(slower.decision, Decision::slower);
  EXPECT_NEAR(slower.time->estimate, 0.02, 0.001);
  EXPECT_LT(slower.time->low, slower.time->estimate);
  EXPECT_GT(slower.time->high, slower.time->estimate);
  EXPECT_EQ(slower.pairs, 30U);
  EXPECT_EQ(judge(steady(30, -0.02)).decision, Decision::faster);
}

TEST(Gate, TellsThatNothingChanged) {
  EXPECT_EQ(judge(steady(30, 0)).decision, Decision::same);
  // A real change below the negligible one.
  EXPECT_EQ(judge(steady(30, 0.0005)).decision, Decision::same);
  EXPECT_EQ(judge(steady(8, 0, 0)).decision, Decision::same);
}

TEST(Gate, SaysAboutHowManyPairsWouldDecide) {
  const simulation::Noise noise{"", 0.03, simulation::States::one, 0, 0, false};
  int ambiguous = 0;
  int decided = 0;
  int decided_by_a_quarter = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto decide = [&](std::size_t pairs) {
      return judge(simulation::pairs_of(noise, 0, pairs, seed));
    };
    const auto first = decide(15);
    if (first.decision != Decision::ambiguous) continue;
    ASSERT_TRUE(first.more_pairs);
    ++ambiguous;
    decided += decide(15 + *first.more_pairs).decision != Decision::ambiguous;
    decided_by_a_quarter += decide(15 + *first.more_pairs / 4).decision != Decision::ambiguous;
  }
  EXPECT_GT(ambiguous, 150);
  EXPECT_GT(decided, ambiguous / 2);
  EXPECT_LT(decided_by_a_quarter, ambiguous / 3);
}

TEST(Gate, HasNoDataWhereNothingWasMeasured) {
  EXPECT_EQ(judge({}).decision, Decision::no_data);
  const auto few = judge(steady(7, 0.5));
  EXPECT_EQ(few.decision, Decision::no_data);
  EXPECT_THAT(few.reason, HasSubstr("7 pairs of runs are too few: 8 are the least"));
  for (const double none : {0.0, -1e-3, std::numeric_limits<double>::infinity(),
                            std::numeric_limits<double>::quiet_NaN()}) {
    auto pairs = steady(30, 0);
    pairs[3].base_seconds = none;
    EXPECT_EQ(judge(pairs).decision, Decision::no_data) << none;
    pairs = steady(30, 0.02);
    pairs[29].new_seconds = none;
    EXPECT_EQ(judge(pairs).decision, Decision::no_data) << none;
  }
}

TEST(Gate, NeedsAsManyPairsAsTheConfidenceDoes) {
  Rules rules;
  rules.confidence = 0.999;
  EXPECT_THAT(judge(steady(10, 0.5), rules).reason, HasSubstr("11 are the least"));
  EXPECT_EQ(judge(steady(11, 0.5), rules).decision, Decision::slower);
}

TEST(Gate, RefusesRulesThatMakeNoSense) {
  const auto with = [](double negligible, double tolerance, double confidence) {
    return judge(steady(30, 0), {negligible, tolerance, confidence, 8});
  };
  EXPECT_THROW(with(-0.1, 0.02, 0.98), std::invalid_argument);
  EXPECT_THROW(with(0.02, 0.02, 0.98), std::invalid_argument);
  EXPECT_THROW(with(0.01, 1.0, 0.98), std::invalid_argument);
  EXPECT_THROW(with(0.01, 0.02, 1.0), std::invalid_argument);
  EXPECT_THROW(with(0.01, 0.02, 0.5), std::invalid_argument);
  EXPECT_THROW(with(0.01, 0.02, std::numeric_limits<double>::quiet_NaN()), std::invalid_argument);
  EXPECT_THROW(judge(std::vector<Pair>(5001, {1, 1, {}, {}})), std::invalid_argument);
}

TEST(Gate, DoubtsASlowdownThatIsOneOfTheClock) {
  // 3 % longer, at a clock that is 3 % lower: the same cycles.
  const auto doubted = judge(at_clocks(steady(30, 0.03), 2000, 2000 / 1.03));
  EXPECT_EQ(doubted.decision, Decision::ambiguous);
  EXPECT_THAT(doubted.reason, HasSubstr("the GPU's clock changed by -2.91 %"));
  EXPECT_THAT(doubted.reason, HasSubstr("lock the clocks"));
  EXPECT_FALSE(doubted.more_pairs);
  // The same times at one clock, and more cycles at a lower one.
  EXPECT_EQ(judge(at_clocks(steady(30, 0.03), 2000, 2000)).decision, Decision::slower);
  EXPECT_EQ(judge(at_clocks(steady(30, 0.06), 2000, 2000 / 1.03)).decision, Decision::slower);
  // A higher clock must not hide a slowdown either.
  EXPECT_EQ(judge(at_clocks(steady(30, 0), 2000, 2060)).decision, Decision::ambiguous);
}

TEST(Gate, JudgesCyclesWhereTheyVaryLess) {
  auto pairs = at_clocks(steady(30, 0.02), 2000, 2000);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const double state = i % 3 == 0 ? 1.05 : i % 3 == 1 ? 1 / 1.05 : 1;
    pairs[i].new_seconds *= state;
    *pairs[i].new_mhz /= state;
  }
  const auto result = judge(pairs);
  EXPECT_TRUE(result.by_cycles);
  EXPECT_EQ(result.decision, Decision::slower);
  for (Pair& pair : pairs) pair.new_mhz.reset();
  EXPECT_EQ(judge(pairs).decision, Decision::ambiguous);
}

TEST(Gate, DoubtsASlowdownOfSomeRunsOnly) {
  auto pairs = steady(30, 0, 0.001);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (i % 5 != 0) pairs[i].new_seconds *= 1.03;
  }
  const auto result = judge(pairs);
  EXPECT_GT(result.time->low, 0.001);
  EXPECT_EQ(result.decision, Decision::ambiguous);
  EXPECT_THAT(result.reason, HasSubstr("only some of the runs changed"));
}

TEST(Gate, PutsNoLargeSlowdownOfMostRunsDownToClocks) {
  auto pairs = steady(30, 0);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (i % 5 != 0) pairs[i].new_seconds *= 2;
  }
  EXPECT_EQ(judge(pairs).decision, Decision::slower);
}

TEST(Gate, NamesItsDecisions) {
  EXPECT_STREQ(name_of(Decision::same), "SAME");
  EXPECT_STREQ(name_of(Decision::faster), "FASTER");
  EXPECT_STREQ(name_of(Decision::slower), "SLOWER");
  EXPECT_STREQ(name_of(Decision::ambiguous), "AMBIGUOUS");
  EXPECT_STREQ(name_of(Decision::no_baseline), "NO_BASELINE");
  EXPECT_STREQ(name_of(Decision::no_data), "NO_DATA");
}

// A smaller version of tests/bench/perf_gate, with numbers that are equal on every machine.

constexpr std::size_t kPairs = 30;
constexpr std::size_t kCases = 1000;

simulation::Shares shares_of(const simulation::Noise& noise, double slowdown) {
  return simulation::shares_of(simulation::rules().front(), noise, slowdown, kPairs, kCases, 7);
}

TEST(GateInSimulation, SeesTwoPercentAndRaisesNoFalseAlarms) {
  ASSERT_GE(simulation::possible_noises().size(), 8U);
  for (const auto& noise : simulation::possible_noises()) {
    EXPECT_GE(shares_of(noise, 0.02).slower, 0.95) << noise.name;
    EXPECT_LT(shares_of(noise, 0).slower, 0.01) << noise.name;
    EXPECT_GE(shares_of(noise, 0).same, 0.95) << noise.name;
  }
}

TEST(GateInSimulation, IsInDoubtWhereItCannotBeTold) {
  const simulation::Noise with_build{"", 0.005, simulation::States::with_build, 0, 0, true};
  EXPECT_GE(shares_of(with_build, 0).ambiguous, 0.95);
  EXPECT_LT(shares_of(with_build, 0).slower, 0.01);
  const simulation::Noise mostly{"", 0.005, simulation::States::mostly_with_build, 0, 0, true};
  EXPECT_LT(shares_of(mostly, 0).slower, 0.01);
  const simulation::Noise loud{"", 0.05, simulation::States::one, 0, 0, false};
  EXPECT_LT(shares_of(loud, 0).slower, 0.01);
  EXPECT_GE(shares_of(loud, 0).ambiguous, 0.95);
}

TEST(GateInSimulation, IsInDoubtRatherThanWrongWhereItSeesLess) {
  const simulation::Noise all{"", 0.01, simulation::States::independent, 0.02, 0.01, false};
  const auto slower = shares_of(all, 0.02);
  EXPECT_GE(slower.slower, 0.8);
  EXPECT_LT(slower.same + slower.faster, 0.02);
  EXPECT_LT(shares_of(all, 0).slower, 0.01);
}

TEST(GateInSimulation, FindsWhatAThresholdMisses) {
  const auto threshold = simulation::rules()[1];
  const simulation::Noise quiet{"", 0.005, simulation::States::one, 0, 0, false};
  EXPECT_EQ(simulation::shares_of(threshold, quiet, 0.02, kPairs, kCases, 7).slower, 0);
}

}  // namespace
}  // namespace archgrid::perf
