// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <archgrid/coverage/nearest.hpp>
#include <numeric>

namespace archgrid::coverage {
namespace {

constexpr std::size_t kMaxTypos = 2;

/// Returns the number of letters to add, remove or change between the words.
std::size_t distance(const std::string& left, const std::string& right) {
  std::vector<std::size_t> row(right.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < left.size(); ++i) {
    auto diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < right.size(); ++j) {
      const auto changed = diagonal + (left[i] == right[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest(const std::string& typed, const std::vector<std::string>& words) {
  std::string best;
  auto least = std::min(kMaxTypos + 1, typed.size());  // at least one letter of "fx" must match
  for (const auto& word : words) {
    const auto found = distance(typed, word);
    if (found >= least) continue;
    least = found;
    best = word;
  }
  return best;
}

}  // namespace archgrid::coverage
