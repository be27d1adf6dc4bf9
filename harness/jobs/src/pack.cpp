// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <archgrid/jobs.hpp>
#include <functional>
#include <numeric>
#include <queue>
#include <tuple>

namespace archgrid::jobs {

std::vector<std::vector<std::size_t>> pack(const std::vector<double>& weights,
                                           std::size_t max_bins) {
  std::vector<std::size_t> heaviest_first(weights.size());
  std::iota(heaviest_first.begin(), heaviest_first.end(), std::size_t{0});
  std::stable_sort(
      heaviest_first.begin(), heaviest_first.end(),
      [&](std::size_t left, std::size_t right) { return weights[left] > weights[right]; });

  // The count keeps bins of weightless items from staying empty.
  using Bin = std::tuple<double, std::size_t, std::size_t>;  // sum, count, index
  std::priority_queue<Bin, std::vector<Bin>, std::greater<>> lightest;
  std::vector<std::vector<std::size_t>> bins(std::min(max_bins, weights.size()));
  for (std::size_t bin = 0; bin < bins.size(); ++bin) lightest.emplace(0.0, 0, bin);
  for (const auto item : heaviest_first) {
    const auto [sum, count, bin] = lightest.top();
    lightest.pop();
    bins[bin].push_back(item);
    lightest.emplace(sum + weights[item], count + 1, bin);
  }
  for (auto& bin : bins) std::sort(bin.begin(), bin.end());
  return bins;
}

}  // namespace archgrid::jobs
