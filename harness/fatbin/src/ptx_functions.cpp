// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx_functions.hpp"

#include <algorithm>
#include <bitset>
#include <iterator>
#include <set>

#include "find_text.hpp"
#include "marks.hpp"

namespace archgrid::fatbin {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::size_t kMaxPtxCallDepth = 64;

std::string_view without_blanks(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(kBlanks), text.size()));
}

/// Returns "f" for " (.param .b32 result) f (.param .b64 value)", the text behind `.func`.
std::string_view name_in(std::string_view head) {
  head = without_blanks(head);
  if (!head.empty() && head[0] == '(') {
    head = without_blanks(head.substr(std::min(head.find(')') + 1, head.size())));
  }
  return head.substr(0, head.find_first_of(" \t\r\n(;{"));
}

/// Returns the text between the brace at the start and the one that closes it.
std::string_view block_in(std::string_view text) {
  std::size_t depth = 0;
  for (std::size_t at = 0; at < text.size(); at = find_any<'{', '}'>(text, at + 1)) {
    depth += text[at] == '{' ? 1 : std::size_t{0} - 1;
    if (depth == 0) return text.substr(1, at - 1);
  }
  return text.substr(1);
}

/// Reports whether a directive at `at` begins its line.
bool begins_line(std::string_view text, std::size_t at) {
  const auto before = text.substr(0, at).find_last_not_of(" \t");
  return before == std::string_view::npos || text[before] == '\n' || text[before] == '\r';
}

/// Returns "tab" for ".global .align 4 .b8 tab[16]", the text of a variable without its
/// initialiser.
std::string_view variable_in(std::string_view head) {
  head = head.substr(0, head.find_first_of("[=;"));
  head = head.substr(0, head.find_last_not_of(kBlanks) + 1);
  return head.substr(head.find_last_of(kBlanks) + 1);
}

/// Reports whether the text begins with a function or a variable: not with a kernel, nor with
/// shared memory, which a launch provides.
bool begins_declaration(std::string_view text) {
  return begins_with(text, ".func") || begins_with(text, ".global") || begins_with(text, ".const");
}

/// Returns the function or the variable that `head` declares.
std::string_view name_declared(std::string_view head) {
  constexpr std::string_view kFunction = ".func";
  return begins_with(head, kFunction) ? name_in(head.substr(kFunction.size())) : variable_in(head);
}

/// Returns the names in declarations behind a directive. Reads each byte once.
std::set<std::string_view> names_behind(std::string_view directive, std::string_view text) {
  constexpr Marks kHeadEnds = marks_of(";{");
  std::set<std::string_view> names;
  for (auto at = find_text(text, directive, 0); at != std::string_view::npos;) {
    auto next = at + directive.size();
    const auto head = without_blanks(text.substr(next));
    const bool is_word = head.size() < text.size() - next;
    if (is_word && begins_line(text, at) && begins_declaration(head)) {
      const auto end = find_marked(head, 0, kHeadEnds);
      if (end == head.size()) break;
      const auto name = name_declared(head.substr(0, end));
      if (!name.empty()) names.insert(name);
      next = text.size() - head.size() + end;
    }
    at = find_text(text, directive, next);
  }
  return names;
}

constexpr Marks kInNames =
    marks_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$");

/// Reports whether the name occurs more than once in the text, as a word.
bool is_repeated(std::string_view text, std::string_view name) {
  std::size_t count = 0;
  for (auto at = find_text(text, name, 0); at != std::string_view::npos && count < 2;) {
    const auto end = at + name.size();
    const bool begins = at == 0 || !is_marked(kInNames, text[at - 1]);
    if (begins && (end == text.size() || !is_marked(kInNames, text[end]))) ++count;
    at = find_text(text, name, end);
  }
  return count > 1;
}

/// Returns the names of this set that occur more than once in the text, as words.
std::set<std::string_view> repeated_words(std::string_view text,
                                          const std::set<std::string_view>& names) {
  std::unordered_map<std::string_view, std::size_t> counts;
  std::bitset<256> lengths;  // of `names`: a cheap test that rejects nearly all other words
  for (const auto name : names) lengths.set(name.size() % lengths.size());
  for (std::size_t at = 0; at < text.size();) {
    const auto begin = find_marked(text, at, kInNames);
    at = begin;
    while (at < text.size() && is_marked(kInNames, text[at])) ++at;
    const auto word = text.substr(begin, at - begin);
    if (lengths[word.size() % lengths.size()] && names.count(word) != 0) ++counts[word];
  }
  std::set<std::string_view> repeated;
  for (const auto& [name, count] : counts) {
    if (count > 1) repeated.insert(name);
  }
  return repeated;
}

/// Drops the names that occur only once in the text, as words: declared, but unused.
void drop_unused(std::string_view text, std::set<std::string_view>& names) {
  constexpr std::size_t kMaxSearched = 8;  // a search of one name takes an eighth of reading words
  constexpr std::size_t kMaxLength = 256;  // longer ones could take long at each place
  if (names.empty()) return;
  const bool is_fast = std::all_of(names.begin(), names.end(), [](std::string_view name) {
    return name.size() > 1 && name.size() <= kMaxLength;
  });
  if (names.size() > kMaxSearched || !is_fast) {
    names = repeated_words(text, names);
    return;
  }
  for (auto name = names.begin(); name != names.end();) {
    name = is_repeated(text, *name) ? std::next(name) : names.erase(name);
  }
}

}  // namespace

PtxExternals externals_of(std::string_view text) {
  PtxExternals result;
  const auto visible = names_behind(".visible", text);
  result.defined.assign(visible.begin(), visible.end());
  auto wanted = names_behind(".extern", text);
  for (auto name = wanted.begin(); name != wanted.end();) {
    const bool there = visible.count(*name) != 0 || is_provided(*name);
    name = there ? wanted.erase(name) : std::next(name);
  }
  drop_unused(text, wanted);
  result.undefined.assign(wanted.begin(), wanted.end());
  return result;
}

CallEffects PtxFunctions::follow(const std::vector<std::string_view>& names) {
  CallEffects effects;
  for (const auto name : names) effects.add(effects_of(name));
  return effects;
}

void PtxFunctions::find_bodies() {
  constexpr std::string_view kFunction = ".func";
  if (found_) return;
  found_ = true;
  const std::string_view text = text_;
  auto at = find_text(text, kFunction, 0);
  while (at != std::string_view::npos) {
    const auto begin = at + kFunction.size();
    auto end = find_any<';', '{'>(text, begin);
    const bool defined = end < text.size() && text[end] == '{';
    const auto name = name_in(text.substr(begin, end - begin));
    if (defined) {
      const auto body = block_in(text.substr(end));
      bodies_.emplace(name, body);
      end += body.size();
    }
    at = find_text(text, kFunction, end);
  }
}

CallEffects PtxFunctions::effects_of(std::string_view name) {
  CallEffects effects;
  if (is_report(name)) {
    (name == "vprintf" ? effects.prints : effects.asserts) = true;
    return effects;
  }
  // Recursion has no further effects.
  if (!followed_.empty() && followed_.back() == name) return effects;
  find_bodies();
  const auto body = bodies_.find(name);
  if (body == bodies_.end() || followed_.size() == kMaxPtxCallDepth) return unknown_effects();
  // Functions that call each other in a circle remain unknown.
  const auto [known, is_new] = effects_.try_emplace(body->first, unknown_effects());
  if (!is_new) return known->second;
  followed_.push_back(body->first);
  effects = effects_of_ptx(body->second, [this](const auto& names) { return follow(names); });
  followed_.pop_back();
  return effects_[body->first] = effects;
}

}  // namespace archgrid::fatbin
