// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <archgrid/perf/sampling.hpp>
#include <random>
#include <vector>

namespace archgrid::perf {
namespace {

TEST(Steady, NeedsTwoWindowsThatAgree) {
  EXPECT_FALSE(is_steady({}, 0.01));
  EXPECT_FALSE(is_steady(std::vector<double>(9, 1.0), 0.01));
  EXPECT_TRUE(is_steady(std::vector<double>(10, 1.0), 0.01));
}

TEST(Steady, IsNotWhileItGetsFaster) {
  std::vector<double> seconds;
  for (int i = 0; i < 10; ++i) seconds.push_back(2.0 - 0.01 * i);
  EXPECT_FALSE(is_steady(seconds, 0.01));
  seconds.insert(seconds.end(), 10, 1.9);
  EXPECT_TRUE(is_steady(seconds, 0.01));
}

TEST(Steady, IsNotWhileItGetsSlower) {
  std::vector<double> seconds(5, 1.0);
  seconds.insert(seconds.end(), 5, 1.02);
  EXPECT_FALSE(is_steady(seconds, 0.01));
}

TEST(Steady, IsWhateverASingleSampleDoes) {
  std::vector<double> seconds(10, 1.0);
  seconds[8] = 10;
  EXPECT_TRUE(is_steady(seconds, 0.01));
}

TEST(Uncertainty, NeedsSixSamples) {
  EXPECT_FALSE(uncertainty_of_median({}));
  EXPECT_FALSE(uncertainty_of_median(std::vector<double>(5, 1.0)));
  EXPECT_EQ(uncertainty_of_median(std::vector<double>(6, 1.0)), 0.0);
}

// The sixth and the sixteenth of 21 samples, according to tables of the sign test.
TEST(Uncertainty, IsOfTheSamplesThatEncloseTheMedian) {
  std::vector<double> seconds;
  for (int i = 0; i < 21; ++i) seconds.push_back(90.0 + i);
  EXPECT_NEAR(uncertainty_of_median(seconds).value_or(0), 5.0 / 100, 1e-12);
  seconds.back() = 1e9;
  EXPECT_NEAR(uncertainty_of_median(seconds).value_or(0), 5.0 / 100, 1e-12);
  seconds[5] = 80;
  EXPECT_GT(uncertainty_of_median(seconds).value_or(0), 5.0 / 100);
}

TEST(Uncertainty, IsNoneOfTimesThatAreNone) {
  EXPECT_FALSE(uncertainty_of_median(std::vector<double>(21, 0.0)));
}

TEST(Uncertainty, HoldsInNineteenOfTwentyCases) {
  std::mt19937 random(1);
  std::lognormal_distribution<double> seconds(0.0, 0.5);  // its median is 1
  int held = 0;
  constexpr int kDraws = 2000;
  for (int i = 0; i < kDraws; ++i) {
    std::vector<double> samples(31);
    for (double& sample : samples) sample = seconds(random);
    auto sorted = samples;
    std::sort(sorted.begin(), sorted.end());
    const double median = sorted[15];
    const double allowed = median * uncertainty_of_median(samples).value_or(0);
    if (std::abs(1.0 - median) <= allowed) ++held;
  }
  EXPECT_GE(held, kDraws * 95 / 100);
}

TEST(Uncertainty, OfManySamplesIsSmall) {
  std::mt19937 random(2);
  std::normal_distribution<double> seconds(1.0, 0.01);
  std::vector<double> samples(5000);
  for (double& sample : samples) sample = seconds(random);
  EXPECT_LT(uncertainty_of_median(samples).value_or(1), 0.001);
}

}  // namespace
}  // namespace archgrid::perf
