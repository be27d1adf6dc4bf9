// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <archgrid/jobs.hpp>
#include <numeric>
#include <random>

namespace archgrid::tests {
namespace {

using jobs::pack;
using ::testing::ElementsAre;

using Weights = std::vector<double>;
using Bins = std::vector<std::vector<std::size_t>>;

double longest_of(const Bins& bins, const Weights& weights) {
  double longest = 0;
  for (const auto& bin : bins) {
    double sum = 0;
    for (const auto item : bin) sum += weights[item];
    longest = std::max(longest, sum);
  }
  return longest;
}

/// Returns the shortest possible longest bin, by trying every distribution of weights[item] on.
double best_longest(const Weights& weights, std::size_t item, std::vector<double>& sums) {
  if (item == weights.size()) return *std::max_element(sums.begin(), sums.end());
  double best = std::numeric_limits<double>::infinity();
  for (auto& sum : sums) {
    sum += weights[item];
    best = std::min(best, best_longest(weights, item + 1, sums));
    sum -= weights[item];
  }
  return best;
}

TEST(Pack, TakesTheHeaviestFirst) {
  EXPECT_THAT(pack({1, 1, 1, 3}, 2), ElementsAre(ElementsAre(3), ElementsAre(0, 1, 2)));
}

TEST(Pack, HasNoEmptyBins) {
  EXPECT_TRUE(pack({}, 3).empty());
  EXPECT_EQ(pack({1, 2}, 5).size(), 2U);
  EXPECT_THAT(pack({0, 0, 0, 0}, 2), ElementsAre(ElementsAre(0, 2), ElementsAre(1, 3)));
}

// R. L. Graham, Bounds on Multiprocessing Timing Anomalies, 1969: at most 4/3 - 1/(3m) of the best.
TEST(Pack, IsWithinTheBoundOfTheBest) {
  std::mt19937 random(1);
  std::uniform_int_distribution<int> seconds(1, 30);
  for (int round = 0; round < 200; ++round) {
    const std::size_t bins = 2 + static_cast<std::size_t>(round) % 2;
    Weights weights(7);
    for (auto& weight : weights) weight = seconds(random);
    std::vector<double> sums(bins);
    const auto best = best_longest(weights, 0, sums);
    const auto bound = 4.0 / 3 - 1 / (3.0 * static_cast<double>(bins));
    EXPECT_LE(longest_of(pack(weights, bins), weights), best * bound + 1e-9);
  }
}

TEST(Pack, OfFiveThousandStaysWithinTheListBound) {
  std::mt19937 random(2);
  std::lognormal_distribution<double> seconds(2, 1.5);
  for (const std::size_t max_bins : {1U, 7U, 255U, 256U}) {
    Weights weights(5000);
    for (auto& weight : weights) weight = seconds(random);
    const auto bins = pack(weights, max_bins);
    std::vector<int> times_packed(weights.size());
    for (const auto& bin : bins) {
      for (const auto item : bin) ++times_packed[item];
    }
    EXPECT_EQ(std::count(times_packed.begin(), times_packed.end(), 1), 5000);
    EXPECT_EQ(bins.size(), max_bins);
    const auto count = static_cast<double>(max_bins);
    const auto mean = std::accumulate(weights.begin(), weights.end(), 0.0) / count;
    const auto heaviest = *std::max_element(weights.begin(), weights.end());
    EXPECT_LE(longest_of(bins, weights), mean + heaviest * (1 - 1 / count) + 1e-6);
  }
}

}  // namespace
}  // namespace archgrid::tests
