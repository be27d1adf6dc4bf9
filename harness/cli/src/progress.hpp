// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CLI_PROGRESS_HPP
#define ARCHGRID_CLI_PROGRESS_HPP

#include <unistd.h>

#include <archgrid/archive.hpp>
#include <chrono>
#include <string>

namespace archgrid::cli {

/// Returns the columns of a terminal; 80 where the descriptor is none.
std::size_t columns_of(int descriptor);

/// A line on a terminal that says how far long work is, and is gone when the work is done. Where
/// the descriptor is no terminal, nothing.
class ProgressLine {
 public:
  explicit ProgressLine(int descriptor);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  void show(const archive::Progress& progress);
  /// Shows a text, cut where the line ends, in place of the last one.
  void show(std::string text);
  void erase();

  [[nodiscard]] bool is_on_terminal() const { return terminal_; }

 private:
  void write(const std::string& text) const;

  int descriptor_;
  bool terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// The same for work that is also run in pipes: there, a line now and then that says it lives.
class SignsOfLife {
 public:
  explicit SignsOfLife(std::chrono::seconds every) : every_(every), line_(STDOUT_FILENO) {}

  /// Says how far the work is, where that is due.
  void tick(const std::string& text);
  /// Prints lines that stay.
  void print_lines(const std::string& text);
  void end() { line_.erase(); }

  [[nodiscard]] std::chrono::seconds elapsed() const;

 private:
  using Clock = std::chrono::steady_clock;

  std::chrono::seconds every_;
  ProgressLine line_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point last_ = begin_;
};

}  // namespace archgrid::cli

#endif
