// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "words.hpp"

#include <fmt/format.h>

#include <archgrid/coverage/nearest.hpp>
#include <archgrid/promises/lists.hpp>

namespace archgrid::cli {

std::string unknown_word(const std::string& typed, const std::string& what,
                         const std::vector<std::string>& words) {
  const auto meant = coverage::nearest(typed, words);
  const auto choice = meant.empty() ? std::string() : fmt::format("{}; the {}s are ", meant, what);
  return fmt::format("\"{}\" is no {}: write {}{}", typed, what, choice, promises::either(words));
}

}  // namespace archgrid::cli
