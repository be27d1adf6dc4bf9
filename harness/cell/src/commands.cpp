// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <archgrid/cell.hpp>

#include "words.hpp"

namespace archgrid::cell {
namespace {

std::string_view name_of(std::string_view program) {
  return program.substr(program.rfind('/') + 1);
}

/// Reports whether `word` is a shell keyword before a command, as in `then cd sub`.
bool is_keyword(std::string_view word) {
  for (const auto* keyword :
       {"if", "then", "else", "elif", "while", "until", "do", "{", "!", "time"}) {
    if (word == keyword) return true;
  }
  return false;
}

/// Follows programs that enter a folder and then run another program.
class Launchers {
 public:
  Launchers(std::vector<std::string>& words, std::filesystem::path& folder)
      : words_(words), folder_(folder) {}

  /// Removes the words that enter a folder. If the rest runs text in a shell, returns that text.
  std::string follow() {
    while (at_ < words_.size()) {
      const auto name = name_of(words_[at_]);
      if (name == "cmake" && word(1) == "-E" && word(2) == "chdir") {
        enter(word(3));
        erase(4);
      } else if (name == "cmake" && word(1) == "-E" && word(2) == "env") {
        at_ += 3;
        skip_variables();
      } else if (name == "env") {
        ++at_;
        skip_variables();
      } else if (words_[at_].find('=') != std::string::npos) {
        ++at_;
      } else if (name == "sh" || name == "bash" || name == "dash") {
        return text_for_shell();
      } else {
        return {};
      }
    }
    return {};
  }

 private:
  [[nodiscard]] std::string word(std::size_t index) const {
    return at_ + index < words_.size() ? words_[at_ + index] : std::string();
  }

  void enter(const std::string& folder) { folder_ /= folder; }

  void erase(std::size_t count) {
    const auto begin = words_.begin() + static_cast<std::ptrdiff_t>(at_);
    const auto left = static_cast<std::size_t>(words_.end() - begin);
    words_.erase(begin, begin + static_cast<std::ptrdiff_t>(std::min(count, left)));
  }

  /// Skips options and assignments of env.
  void skip_variables() {
    constexpr std::string_view kChdir = "--chdir=";
    while (at_ < words_.size()) {
      const auto option = words_[at_];
      if (option == "-C" || option == "--chdir") {
        enter(word(1));
        erase(2);
      } else if (starts_with(option, kChdir)) {
        enter(option.substr(kChdir.size()));
        erase(1);
      } else if (starts_with(option, "-C")) {
        enter(option.substr(2));
        erase(1);
      } else if (option == "-u" || option == "--unset") {
        at_ += 2;
      } else if (option[0] == '-' || option.find('=') != std::string::npos) {
        ++at_;
      } else {
        return;
      }
    }
  }

  /// Returns the text after the options of a shell, "-c" or "-eo pipefail -c"; empty if the shell
  /// runs a file.
  [[nodiscard]] std::string text_for_shell() const {
    bool runs_text = false;
    std::size_t index = 1;
    for (; starts_with(word(index), "-"); ++index) {
      const auto option = word(index);
      if (starts_with(option, "--")) continue;
      runs_text |= option.find('c') != std::string::npos;
      if (option.find_first_of("oO") != std::string::npos) ++index;  // the option has a value
    }
    return runs_text ? word(index) : std::string();
  }

  std::vector<std::string>& words_;
  std::filesystem::path& folder_;
  std::size_t at_ = 0;
};

/// Splits one line as a POSIX shell does, without expanding anything.
class Splitter {
 public:
  Splitter(std::string_view line, std::size_t number, std::filesystem::path folder,
           std::vector<Command>& commands)
      : line_(line), number_(number), commands_(commands), folder_(std::move(folder)) {}

  void run() {
    while (at_ < line_.size()) step();
    end_command();
  }

 private:
  void step() {
    const char c = line_[at_];
    if (c == ' ' || c == '\t') {
      end_word();
      ++at_;
    } else if (c == '\'' || c == '"') {
      quoted(c);
    } else if (c == '\\' && at_ + 1 < line_.size()) {
      add(line_[at_ + 1]);
      at_ += 2;
    } else if (c == '&' || c == ';' || c == '|') {
      end_command();
      ++at_;
    } else if (c == '(' || c == ')') {
      parenthesis(c);
      ++at_;
    } else {
      add(c);
      ++at_;
    }
  }

  /// A subshell leaves its folder when it ends. "$(...)" is not expanded.
  void parenthesis(char c) {
    const bool opens = c == '(';
    if (substitutions_ > 0 || (opens && !word_.empty() && word_.back() == '$')) {
      if (opens) ++substitutions_;
      if (!opens) --substitutions_;
      add(c);
      return;
    }
    end_command();
    if (opens) {
      outer_folders_.push_back(folder_);
    } else if (!outer_folders_.empty()) {
      folder_ = outer_folders_.back();
      outer_folders_.pop_back();
    }
  }

  void quoted(char quote) {
    in_word_ = true;
    for (++at_; at_ < line_.size() && line_[at_] != quote; ++at_) {
      const bool escape = quote == '"' && line_[at_] == '\\' && at_ + 1 < line_.size() &&
                          std::string_view("\"\\$`").find(line_[at_ + 1]) != std::string_view::npos;
      if (escape) ++at_;
      word_ += line_[at_];
    }
    ++at_;
  }

  void add(char c) {
    in_word_ = true;
    word_ += c;
  }

  void end_word() {
    if (in_word_) words_.push_back(std::move(word_));
    word_.clear();
    in_word_ = false;
  }

  void end_command() {
    end_word();
    const auto first = std::find_if_not(words_.begin(), words_.end(), is_keyword);
    words_.erase(words_.begin(), first);
    if (words_.size() > 1 && words_[0] == "cd") {
      folder_ /= words_[1];  // redirections may follow
    } else if (!words_.empty()) {
      add_command();
    }
    words_.clear();
  }

  void add_command() {
    auto folder = folder_;
    const auto text = Launchers(words_, folder).follow();
    if (!text.empty()) {
      Splitter(text, number_, folder, commands_).run();
    } else if (!words_.empty()) {
      commands_.push_back({std::move(words_), std::move(folder), number_});
    }
  }

  std::string_view line_;
  std::size_t number_;
  std::vector<Command>& commands_;
  std::size_t at_ = 0;
  std::string word_;
  bool in_word_ = false;
  std::vector<std::string> words_;
  std::filesystem::path folder_;
  std::vector<std::filesystem::path> outer_folders_;  ///< folders of the shells around a subshell
  std::size_t substitutions_ = 0;                     ///< number of open substitutions
};

}  // namespace

std::vector<Command> parse_commands(std::string_view text) {
  std::vector<Command> commands;
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size(); ++number) {
    const auto end = std::min(text.find('\n', at), text.size());
    Splitter(text.substr(at, end - at), number, {}, commands).run();
    at = end + 1;
  }
  return commands;
}

}  // namespace archgrid::cell
