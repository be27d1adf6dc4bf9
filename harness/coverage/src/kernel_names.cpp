// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "kernel_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <vector>

namespace archgrid::coverage {
namespace {

bool is_numeral(char c) {
  return c >= '0' && c <= '9';
}

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

/// Reads a decimal number and moves `at` behind it; 0 where there is none, or a longer one.
std::size_t read_number(std::string_view text, std::size_t& at) {
  constexpr std::size_t kMaxDigits = 6;
  std::size_t number = 0;
  const auto begin = at;
  while (at < text.size() && is_numeral(text[at]) && at - begin < kMaxDigits) {
    number = number * 10 + static_cast<std::size_t>(text[at++] - '0');
  }
  return number;
}

/// Reads a nested name of the Itanium C++ ABI at `at`, up to template arguments or its end, and
/// returns its last identifier.
std::string_view read_last_identifier(std::string_view name, std::size_t& at) {
  constexpr std::string_view kQualifiers = "NrVKL";
  std::string_view last;
  while (at < name.size()) {
    if (kQualifiers.find(name[at]) != std::string_view::npos) {
      ++at;
    } else if (name[at] == 'S') {  // std:: (St), or a name that came before (S_, S0_)
      const bool is_std = name.substr(at, 2) == "St";
      const auto end = is_std ? at + 1 : name.find('_', at);
      if (end == std::string_view::npos) break;
      at = end + 1;
    } else {
      auto begin = at;
      const auto length = read_number(name, begin);
      if (length == 0 || length > name.size() - begin) break;
      last = name.substr(begin, length);
      at = begin + length;
    }
  }
  return last;
}

/// The function's own name; of CUTLASS's entry functions with that of what they run.
std::string own_name(std::string_view name) {
  if (name.substr(0, 2) != "_Z") return std::string(name);
  std::size_t at = 2;
  std::string own(read_last_identifier(name, at));
  constexpr std::array<std::string_view, 3> kEntries = {"device_kernel", "Kernel", "Kernel2"};
  const bool is_entry = std::find(kEntries.begin(), kEntries.end(), own) != kEntries.end();
  if (is_entry && at < name.size() && name[at] == 'I') {
    ++at;
    own += ' ';
    own += read_last_identifier(name, at);
  }
  return own;
}

/// GPUs by number, both ends included.
struct Range {
  int first = 0;
  int last = 0;
  [[nodiscard]] bool contains(int number) const { return first <= number && number <= last; }
};

/// "80" is meant for 8.0 and what runs its code, "10" of "sm10" and "9x" of "sm9x" for a
/// generation.
std::optional<Range> range_of(std::string_view text, std::size_t at) {
  constexpr int kFirst = 30;
  constexpr int kLast = 129;
  const auto begin = at;
  const auto number = static_cast<int>(read_number(text, at));
  const auto digits = at - begin;
  const bool is_major = digits == 1 && at < text.size() && text[at] == 'x';
  if (is_major || (digits == 2 && number >= 10 && number <= 12)) {
    return Range{number * 10, number * 10 + 9};
  }
  if (digits < 2 || digits > 3 || number < kFirst || number > kLast) return std::nullopt;
  return Range{number, number / 10 * 10 + 9};
}

/// CUB and Thrust name all archs of the build in their namespaces: "CUB_200802_SM_800_860_900".
bool is_arch_list(std::string_view text, std::size_t number) {
  auto end = number;
  while (end < text.size() && is_numeral(text[end])) ++end;
  const bool goes_on = end + 1 < text.size() && text[end] == '_' && is_numeral(text[end + 1]);
  const auto before = text.substr(0, number);
  return before.size() >= 4 && before.substr(before.size() - 4) == "_SM_" &&
         (goes_on || before.find("CUB_") != std::string_view::npos ||
          before.find("THRUST_") != std::string_view::npos);
}

/// Adds what follows each `word`: "sm" of "_sm80", "Sm80", "sm_80". It has to begin one.
void add_numbered(std::string_view text, std::string_view lower, std::string_view word,
                  std::vector<Range>& ranges) {
  for (auto at = lower.find(word); at != std::string_view::npos; at = lower.find(word, at + 1)) {
    const bool is_capital = std::isupper(static_cast<unsigned char>(text[at])) != 0;
    const bool begins = at == 0 || !is_letter(text[at - 1]) ||
                        (is_capital && std::islower(static_cast<unsigned char>(text[at - 1])) != 0);
    auto number = at + word.size();
    if (number < text.size() && text[number] == '_') ++number;
    if (!begins || is_arch_list(text, number)) continue;
    if (const auto range = range_of(lower, number)) ranges.push_back(*range);
  }
}

struct Generation {
  std::string_view word;
  Range range;
};

constexpr std::array<Generation, 7> kGenerations = {{{"maxwell", {50, 53}},
                                                     {"pascal", {60, 62}},
                                                     {"volta", {70, 72}},
                                                     {"turing", {75, 75}},
                                                     {"ampere", {80, 88}},
                                                     {"hopper", {90, 90}},
                                                     {"blackwell", {100, 129}}}};

std::vector<Range> ranges_in(std::string_view text) {
  const auto lower = lower_case(text);
  std::vector<Range> ranges;
  for (const std::string_view word : {"sm", "cutlass", "compute"}) {
    add_numbered(text, lower, word, ranges);
  }
  for (const auto& generation : kGenerations) {
    if (lower.find(generation.word) != std::string::npos) ranges.push_back(generation.range);
  }
  return ranges;
}

/// The first GPU with a shape of mma.sync that the text names (PTX ISA, "mma"); 0 for none.
int first_with_shape(std::string_view text) {
  constexpr std::string_view kShape = "m16n8k";
  const auto found = text.find(kShape);
  if (found == std::string_view::npos) return 0;
  auto at = found + kShape.size();
  const auto depth = read_number(text, at);
  return depth == 8 ? 75 : depth > 8 ? 80 : 0;
}

struct Need {
  std::string_view word;  ///< in lower case
  int first;              ///< the first GPU that has it
};

constexpr std::array<Need, 16> kNeeds = {{{"bf16", 80},
                                          {"bfloat16", 80},
                                          {"e4m3", 89},
                                          {"e5m2", 89},
                                          {"fp8", 89},
                                          {"float8", 89},
                                          {"e2m1", 100},
                                          {"fp4", 100},
                                          {"float4_", 100},
                                          {"tcgen05", 100},
                                          {"multimem", 90},
                                          {"wgmma", 90},
                                          {"_tma_", 90},
                                          {"sm90_tma", 90},
                                          {"wmma", 70},
                                          {"half", 53}}};

}  // namespace

std::string family_of(std::string_view name) {
  auto family = own_name(name);
  std::erase_if(family, [](char c) { return c >= '0' && c <= '9'; });
  return family;
}

bool is_named_for_others(std::string_view name, std::string_view unit, Device device) {
  const auto number = device.number();
  if (std::max(first_with_shape(name), first_with_shape(unit)) > number) return true;
  auto ranges = ranges_in(own_name(name));
  if (ranges.empty()) ranges = ranges_in(name);
  if (ranges.empty()) ranges = ranges_in(unit);
  return !ranges.empty() &&
         std::none_of(ranges.begin(), ranges.end(),
                      [number](const Range& range) { return range.contains(number); });
}

bool needs_newer_gpu(std::string_view name, Device device) {
  const auto lower = lower_case(name);
  return std::any_of(kNeeds.begin(), kNeeds.end(), [&](const Need& need) {
    return device.number() < need.first && lower.find(need.word) != std::string::npos;
  });
}

}  // namespace archgrid::coverage
