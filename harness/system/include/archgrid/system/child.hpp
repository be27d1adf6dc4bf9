// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// On POSIX systems only.
#ifndef ARCHGRID_SYSTEM_CHILD_HPP
#define ARCHGRID_SYSTEM_CHILD_HPP

#include <string>
#include <vector>

namespace archgrid::system {

/// A program that runs beside this one, with all its output in a pipe. Only one at a time: SIGINT,
/// SIGTERM and SIGHUP are forwarded to it, and it must end its own children.
class Child {
 public:
  /// Starts the program, which is looked up in PATH, with its arguments. Throws on failure.
  explicit Child(std::vector<std::string> words);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Reports whether more output may come: true until the pipe is closed and all was read.
  [[nodiscard]] bool runs() const { return output_ >= 0 || !text_.empty(); }

  /// Waits briefly for output and returns complete lines, and at the end the rest.
  std::vector<std::string> read_lines();

  /// Waits for the program to end. Returns its exit code, or 128 plus the signal that killed it.
  int wait();

  /// Returns the last signal that was forwarded to a child, or 0.
  [[nodiscard]] static int passed_signal();

 private:
  void read();

  std::string name_;
  std::string text_;
  int output_ = -1;
  int process_ = 0;
};

}  // namespace archgrid::system

#endif
