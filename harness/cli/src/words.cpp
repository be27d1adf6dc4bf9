// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

namespace archgrid::cli {
namespace {

constexpr std::size_t kMostTypos = 2;

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
  auto least = std::min(kMostTypos + 1, typed.size());  // at least one letter of "fx" must match
  for (const auto& word : words) {
    const auto found = distance(typed, word);
    if (found >= least) continue;
    least = found;
    best = word;
  }
  return best;
}

std::string shell_word(const std::string& text) {
  constexpr const char* kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+=:,@%";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string word = "'";
  for (const char c : text) {
    if (c == '\'') {
      word += "'\\''";
    } else {
      word += c;
    }
  }
  return word + "'";
}

std::string shortened(const std::vector<std::string>& names) {
  constexpr std::size_t kMaxNamed = 3;
  const auto named = std::min(names.size(), kMaxNamed);
  auto text = fmt::format(
      "{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(named), ", "));
  if (named < names.size()) text += fmt::format(" and {} more", names.size() - named);
  return text;
}

}  // namespace archgrid::cli
