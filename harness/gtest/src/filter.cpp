// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "filter.hpp"

#include <algorithm>
#include <archgrid/coverage/names.hpp>
#include <cstddef>
#include <iterator>

namespace archgrid::gtest {
namespace {

bool matches_any(std::string_view patterns, std::string_view name) {
  for (;;) {
    const std::size_t colon = patterns.find(':');
    if (coverage::matches_pattern(patterns.substr(0, colon), name)) return true;
    if (colon == std::string_view::npos) return false;
    patterns.remove_prefix(colon + 1);
  }
}

}  // namespace

bool matches_filter(std::string_view filter, std::string_view name) {
  const std::size_t minus = filter.find('-');
  if (minus == std::string_view::npos) return matches_any(filter, name);
  const std::string_view positive = filter.substr(0, minus);
  if (!matches_any(positive.empty() ? "*" : positive, name)) return false;
  return !matches_any(filter.substr(minus + 1), name);
}

std::string filter_of(const std::vector<std::string>& names) {
  constexpr std::string_view kSpecial = ":-*";
  std::string filter;
  for (const std::string& name : names) {
    if (!filter.empty()) filter += ':';
    std::transform(name.begin(), name.end(), std::back_inserter(filter), [&](char letter) {
      return kSpecial.find(letter) == std::string_view::npos ? letter : '?';
    });
  }
  return filter;
}

}  // namespace archgrid::gtest
