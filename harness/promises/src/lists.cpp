// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <archgrid/coverage/nearest.hpp>
#include <archgrid/promises/lists.hpp>
#include <cctype>

namespace archgrid::promises {
namespace {

std::vector<std::string> split(const std::vector<std::string>& values, const char* between) {
  std::vector<std::string> words;
  for (const auto& value : values) {
    auto begin = value.find_first_not_of(between);
    while (begin != std::string::npos) {
      const auto end = value.find_first_of(between, begin);
      words.push_back(value.substr(begin, end - begin));
      begin = value.find_first_not_of(between, end);
    }
  }
  if (words.empty() && !values.empty()) words.emplace_back();
  return words;
}

}  // namespace

std::string either(const std::vector<std::string>& words) {
  if (words.size() < 2) return words.empty() ? std::string() : words.front();
  return fmt::format("{} or {}", fmt::join(words.begin(), words.end() - 1, ", "), words.back());
}

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
  return fmt::format("\"{}\" is no {}: write {}{}", typed, what, choice, either(words));
}

std::vector<std::string> split_list(const std::vector<std::string>& values) {
  return split(values, ",; \t\n");
}

std::vector<std::string> split_items(const std::vector<std::string>& values) {
  constexpr const char* kSpaces = " \t\n";
  auto items = split(values, ",;");
  for (auto& item : items) {
    item.erase(0, item.find_first_not_of(kSpaces));
    item.erase(item.find_last_not_of(kSpaces) + 1);
  }
  const auto is_empty = [](const std::string& item) { return item.empty(); };
  if (items.size() > 1) std::erase_if(items, is_empty);
  return items;
}

}  // namespace archgrid::promises
