// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CLI_CHILD_HPP
#define ARCHGRID_CLI_CHILD_HPP

#include <sys/types.h>

#include <string>
#include <vector>

namespace archgrid::cli {

/// A program that runs beside this one, with all that it prints in a pipe. One at a time: SIGINT,
/// SIGTERM and SIGHUP are passed on to it, which then is to end what it runs.
class Child {
 public:
  /// Starts the program, which PATH may have, with its arguments. Throws where that fails.
  explicit Child(std::vector<std::string> words);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Reports whether it may still print: no longer once the pipe is closed and all was read.
  [[nodiscard]] bool runs() const { return output_ >= 0 || !text_.empty(); }

  /// Waits a moment for output; returns the lines that are whole, and in the end what is left.
  std::vector<std::string> read_lines();

  /// Waits for its end; returns its exit code, 128 and the signal if one has killed it.
  int wait();

  /// Returns the last signal that was passed on to a child, 0 if none was.
  [[nodiscard]] static int passed_signal();

 private:
  void read();

  std::string name_;
  std::string text_;
  int output_ = -1;
  pid_t process_ = 0;
};

}  // namespace archgrid::cli

#endif
