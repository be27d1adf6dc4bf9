// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <archgrid/cell.hpp>

namespace archgrid::cell {
namespace {

/// Splits one line as a POSIX shell does, without expanding anything.
class Splitter {
 public:
  Splitter(std::string_view line, std::size_t number, std::vector<Command>& commands)
      : line_(line), number_(number), commands_(commands) {}

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
    } else {
      add(c);
      ++at_;
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
    if (words_.size() == 2 && words_[0] == "cd") {
      folder_ = words_[1];
    } else if (!words_.empty()) {
      commands_.push_back({std::move(words_), folder_, number_});
    }
    words_.clear();
  }

  std::string_view line_;
  std::size_t number_;
  std::vector<Command>& commands_;
  std::size_t at_ = 0;
  std::string word_;
  bool in_word_ = false;
  std::vector<std::string> words_;
  std::filesystem::path folder_;
};

}  // namespace

std::vector<Command> parse_commands(std::string_view text) {
  std::vector<Command> commands;
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size(); ++number) {
    const auto end = std::min(text.find('\n', at), text.size());
    Splitter(text.substr(at, end - at), number, commands).run();
    at = end + 1;
  }
  return commands;
}

}  // namespace archgrid::cell
