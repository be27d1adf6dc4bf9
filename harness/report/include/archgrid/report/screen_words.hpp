// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The words and signs of an audit's table and last line, for `archgrid explain`.
#ifndef ARCHGRID_REPORT_SCREEN_WORDS_HPP
#define ARCHGRID_REPORT_SCREEN_WORDS_HPP

#include <archgrid/report.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace archgrid::report {

/// A word or sign that an audit or `archgrid list` prints. "native" and "suffix" are a code and a
/// rule, too.
struct ScreenWord {
  std::string_view word;     ///< "runs in part", "*"
  std::string_view meaning;  ///< a sentence
  std::string_view advice;   ///< what to do
  bool of_list = false;      ///< `archgrid list` prints it
};

/// Returns the words of `archgrid list`.
std::vector<ScreenWord> list_words();

/// Returns all words, those of the table of an audit first.
const std::vector<ScreenWord>& screen_words();

/// Returns what explains the text as a screen has it: "all" and "*" for "all*", "%" for "<1%",
/// "runs in part" for "runs in part on 8.0", "coverage uneven" for "uneven". "-" means one thing in
/// an audit and another in a list. Capitals do not matter. Empty if nothing explains it.
std::vector<ScreenWord> find_screen_words(std::string_view text);

/// Reports whether the text is just a word of the list; capitals do not matter.
bool is_screen_word(std::string_view text);

/// Returns the word, its meaning and the advice, for terminals.
std::string screen_word_text(const ScreenWord& word, Style style, std::size_t columns);

}  // namespace archgrid::report

#endif
