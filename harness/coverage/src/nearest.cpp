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

std::vector<std::string> nearest_words(const std::string& typed,
                                       const std::vector<std::string>& words) {
  constexpr std::size_t kMaxWords = 3;
  constexpr std::size_t kMinPart = 3;
  const auto limit = std::min(kMaxTypos + 1, typed.size());
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const auto& word : words) {
    const auto letters = distance(typed, word);
    const bool has_part = typed.size() >= kMinPart && word.find(typed) != std::string::npos;
    if (letters < limit) {
      found.emplace_back(letters, word);
    } else if (has_part) {
      found.emplace_back(limit, word);
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& left, const auto& right) { return left.first < right.first; });
  std::vector<std::string> near;
  for (const auto& [letters, word] : found) {
    if (near.size() < kMaxWords && std::find(near.begin(), near.end(), word) == near.end()) {
      near.push_back(word);
    }
  }
  return near;
}

}  // namespace archgrid::coverage
