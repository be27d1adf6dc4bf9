// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <archgrid/coverage/nearest.hpp>
#include <archgrid/promises/lists.hpp>
#include <cctype>

namespace archgrid::cli {

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::string unknown_word(const std::string& typed, const std::string& what,
                         const std::vector<std::string>& words) {
  auto meant = coverage::nearest(typed, words);
  if (meant.empty()) meant = coverage::nearest(lower_case(typed), words);
  const auto choice = meant.empty() ? std::string() : fmt::format("{}; the {}s are ", meant, what);
  return fmt::format("\"{}\" is no {}: write {}{}", typed, what, choice, promises::either(words));
}

}  // namespace archgrid::cli
