// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "map_legend.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "table.hpp"

namespace archgrid::report {
namespace {

using coverage::State;

// Returns a word that fits a column, so that nine devices and a name fit a screen.
const char* short_word(coverage::Verdict verdict) {
  switch (verdict) {
    case coverage::Verdict::compatible:
      return "compat";
    case coverage::Verdict::ptx_too_new:
      return "too-new";
    case coverage::Verdict::wrong_suffix:
      return "suffix";
    case coverage::Verdict::native:
    case coverage::Verdict::jit:
    case coverage::Verdict::unknown:
    case coverage::Verdict::missing:
    case coverage::Verdict::empty:
      break;
  }
  return coverage::name_of(verdict);
}

const char* meaning_of(coverage::Verdict verdict) {
  switch (verdict) {
    case coverage::Verdict::native:
      return "machine code for just this GPU runs";
    case coverage::Verdict::compatible:
      return "machine code for a lower minor version, or for the family, runs";
    case coverage::Verdict::jit:
      return "the driver compiles PTX when the program starts";
    case coverage::Verdict::unknown:
      return "whether it runs cannot be told";
    case coverage::Verdict::ptx_too_new:
      return "fails: there is only PTX, which the promised driver does not read";
    case coverage::Verdict::wrong_suffix:
      return "fails: the code would fit without its suffix a or f";
    case coverage::Verdict::missing:
      return "fails: there is no code for this GPU";
    case coverage::Verdict::empty:
      break;
  }
  return "does no work: empty here, or only prints, asserts, traps or waits";
}

}  // namespace

Ink ink_of(ViewField field, bool is_refused) {
  if (field.state == State::broken) return Ink::bad;
  if (is_refused && field.state != State::not_promised) return Ink::bad;
  if (field.state == State::ignored || field.state == State::suspect) return Ink::warn;
  return field.verdict == coverage::Verdict::native ? Ink::good : Ink::plain;
}

std::string word_of(ViewField field, bool is_refused) {
  if (field.state == State::not_promised) return "-";
  std::string word = short_word(field.verdict);
  if (field.state == State::broken) {
    std::transform(word.begin(), word.end(), word.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  }
  if (field.state == State::ignored) word = "(" + word + ")";
  if (is_refused && field.state != State::broken) word += '!';
  return word;
}

void Legend::add(const Pattern& pattern) {
  for (const auto field : pattern) {
    states_.insert(field.state);
    if (field.state == State::not_promised) continue;
    auto& words = words_[field.verdict];
    const auto word = word_of(field, false);
    if (field.state == State::suspect) suspects_.insert(word);
    if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
  }
}

std::string Legend::text(bool without_promise, TextStyle style) const {
  std::vector<TableRow> rows;
  const auto row = [&rows](std::string sign, const char* meaning) {
    rows.push_back({{std::move(sign), meaning}, "", Ink::soft});
  };
  for (const auto& [verdict, words] : words_) {
    row(fmt::format("{}", fmt::join(words, ", ")), meaning_of(verdict));
  }
  if (states_.count(State::broken) != 0) {
    row("CAPITALS", without_promise ? "an error, explained below" : "that breaks the promise");
  }
  if (has_refused_) row("!", "the driver does not run it there: an error, explained below");
  if (!suspects_.empty()) {
    row(fmt::format("{}", fmt::join(suspects_, ", ")), "also a suspect, which may be intended");
  }
  if (states_.count(State::ignored) != 0) row("(...)", "ignored, with a reason");
  if (states_.count(State::not_promised) != 0) {
    row("-", without_promise
                 ? "not judged: most kernels of the file have no such code there; PTX may serve it"
                 : "nothing is promised");
  }
  if (rows.empty()) return {};
  const std::vector<Column> columns = {{"", Side::left}, {"", Side::left}};
  return table_text(columns, with_broken_last(columns, rows, 0, style.columns), 0, style.style) +
         '\n';
}

}  // namespace archgrid::report
