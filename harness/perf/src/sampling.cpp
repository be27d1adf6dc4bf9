// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <archgrid/perf/sampling.hpp>
#include <cmath>
#include <cstddef>

namespace archgrid::perf {
namespace {

constexpr std::ptrdiff_t kWindow = 5;

double median_of_window(std::vector<double>::const_iterator begin) {
  std::vector<double> window(begin, begin + kWindow);
  std::sort(window.begin(), window.end());
  return window[kWindow / 2];
}

/// Returns how many of `count` samples to leave out at each end, so that the new ends enclose the
/// median with 95 % confidence: the largest number of heads that `count` coin tosses do not exceed
/// with a probability of 2.5 % at most. Returns nothing if that is none.
std::optional<std::size_t> left_out(std::size_t count) {
  constexpr double kEachEnd = 0.025;
  const auto throws = static_cast<double>(count);
  double log_of_ways = 0;
  double probability = 0;
  for (std::size_t heads = 0; heads <= count; ++heads) {
    probability += std::exp(log_of_ways - throws * std::log(2.0));
    if (probability > kEachEnd) return heads == 0 ? std::nullopt : std::make_optional(heads - 1);
    const auto thrown = static_cast<double>(heads);
    log_of_ways += std::log((throws - thrown) / (thrown + 1));
  }
  return std::nullopt;
}

}  // namespace

bool is_steady(const std::vector<double>& seconds, double tolerance) {
  if (seconds.size() < 2 * kWindow) return false;
  const double before = median_of_window(seconds.end() - 2 * kWindow);
  const double last = median_of_window(seconds.end() - kWindow);
  return std::abs(last - before) <= tolerance * before;
}

std::optional<double> uncertainty_of_median(std::vector<double> seconds) {
  const auto skipped = left_out(seconds.size());
  if (!skipped) return std::nullopt;
  std::sort(seconds.begin(), seconds.end());
  const std::size_t middle = seconds.size() / 2;
  const bool is_odd = seconds.size() % 2 == 1;
  const double median = is_odd ? seconds[middle] : (seconds[middle - 1] + seconds[middle]) / 2;
  if (!(median > 0)) return std::nullopt;
  const double low = seconds[*skipped];
  const double high = seconds[seconds.size() - 1 - *skipped];
  return std::max(high - median, median - low) / median;
}

}  // namespace archgrid::perf
