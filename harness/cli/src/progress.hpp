// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CLI_PROGRESS_HPP
#define ARCHGRID_CLI_PROGRESS_HPP

#include <archgrid/archive.hpp>
#include <archgrid/system/terminal.hpp>
#include <chrono>
#include <string>

namespace archgrid::cli {

/// Returns the columns of a terminal, or 80 for other descriptors.
std::size_t columns_of(int descriptor);

/// A line on a terminal that shows the progress of long work, and disappears at its end. Does
/// nothing if the descriptor is not a terminal.
class ProgressLine {
 public:
  explicit ProgressLine(int descriptor);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  void show(const archive::Progress& progress);
  /// Replaces the line by a text, cut at the end of the line.
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

/// A progress line for work that may also write to a pipe: there it prints a line at intervals.
class SignsOfLife {
 public:
  explicit SignsOfLife(std::chrono::seconds every)
      : every_(every), line_(system::kStandardOutput) {}

  /// Shows the progress, if an update is due.
  void tick(const std::string& text);
  /// Prints permanent lines.
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
