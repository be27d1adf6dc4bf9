// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "cmake_commands.hpp"

#include <algorithm>
#include <cctype>

namespace archgrid::project {
namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool is_space(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::vector<CMakeCommand> read() {
    std::vector<CMakeCommand> commands;
    for (skip_blanks(); at_ < text_.size(); skip_blanks()) {
      CMakeCommand command;
      command.line = line();
      while (at_ < text_.size() && is_word(text_[at_])) command.name += lower(text_[at_++]);
      skip_blanks();
      if (command.name.empty() || at_ == text_.size() || text_[at_] != '(') break;
      ++at_;
      if (!read_arguments(command.arguments)) break;
      commands.push_back(std::move(command));
    }
    return commands;
  }

 private:
  static char lower(char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }

  [[nodiscard]] std::size_t line() {
    for (; counted_ < at_; ++counted_) line_ += text_[counted_] == '\n' ? 1 : 0;
    return line_;
  }

  /// Returns the number of = in a bracket such as [==[ that begins at `at`, or npos.
  [[nodiscard]] std::size_t bracket_at(std::size_t at) const {
    if (at >= text_.size() || text_[at] != '[') return std::string_view::npos;
    auto end = at + 1;
    while (end < text_.size() && text_[end] == '=') ++end;
    const bool is_bracket = end < text_.size() && text_[end] == '[';
    return is_bracket ? end - at - 1 : std::string_view::npos;
  }

  /// Skips a bracket of `equals` = and returns its text.
  std::string read_bracket(std::size_t equals) {
    at_ += equals + 2;
    const auto close = "]" + std::string(equals, '=') + "]";
    const auto end = std::min(text_.find(close, at_), text_.size());
    std::string text(text_.substr(at_, end - at_));
    at_ = std::min(end + close.size(), text_.size());
    return text;
  }

  void skip_blanks() {
    while (at_ < text_.size()) {
      if (is_space(text_[at_])) {
        ++at_;
      } else if (text_[at_] == '#') {
        ++at_;
        const auto equals = bracket_at(at_);
        if (equals != std::string_view::npos) {
          read_bracket(equals);
        } else {
          at_ = std::min(text_.find('\n', at_), text_.size());
        }
      } else {
        return;
      }
    }
  }

  std::string read_quoted() {
    std::string text;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      text += text_[at_];
    }
    at_ = std::min(at_ + 1, text_.size());
    return text;
  }

  std::string read_unquoted() {
    std::string text;
    while (at_ < text_.size() && !is_space(text_[at_]) && text_[at_] != '(' && text_[at_] != ')' &&
           text_[at_] != '#') {
      if (text_[at_] == '"') {
        text += read_quoted();
        continue;
      }
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      text += text_[at_++];
    }
    return text;
  }

  /// Returns false if the closing parenthesis is missing.
  bool read_arguments(std::vector<std::string>& arguments) {
    std::size_t depth = 1;
    for (skip_blanks(); at_ < text_.size(); skip_blanks()) {
      const auto equals = bracket_at(at_);
      if (equals != std::string_view::npos) {
        arguments.push_back(read_bracket(equals));
      } else if (text_[at_] == '"') {
        arguments.push_back(read_quoted());
      } else if (text_[at_] == '(') {
        ++depth;
        ++at_;
      } else if (text_[at_] == ')') {
        ++at_;
        if (--depth == 0) return true;
      } else {
        arguments.push_back(read_unquoted());
      }
    }
    return false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t counted_ = 0;
  std::size_t line_ = 1;
};

}  // namespace

std::vector<CMakeCommand> cmake_commands_in(std::string_view text) {
  return Reader(text).read();
}

}  // namespace archgrid::project
