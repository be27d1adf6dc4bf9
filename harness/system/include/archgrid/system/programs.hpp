// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_SYSTEM_PROGRAMS_HPP
#define ARCHGRID_SYSTEM_PROGRAMS_HPP

#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace archgrid::system {

/// The end of a program, and what it printed.
struct Captured {
  bool good = false;   ///< it ended with 0
  std::string output;  ///< standard output
  std::string errors;  ///< standard error
};

/// The process group in which a program runs. Signals to this program's group, as Ctrl-C sends,
/// do not reach a group of its own.
enum class Group { same, own };

/// A program that cannot be started. The message names it and the fix.
struct CannotStart : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Runs a program of PATH with arguments, and waits for its end. Throws CannotStart.
Captured capture(std::vector<std::string> words, Group group = Group::same);

/// The end of a program.
struct Ended {
  enum class How { exited, killed, not_started, lost };
  How how = How::not_started;
  int code = 0;         ///< the exit code, or the signal
  std::string problem;  ///< why it could not be started, or waited for

  [[nodiscard]] bool good() const { return how == How::exited && code == 0; }
};

using Variable = std::pair<std::string, std::string>;

/// Runs a program of PATH without input, with its output and errors in `log`, and waits for its
/// end. Its environment is that of this process with `variables` in addition.
Ended run_logged(std::vector<std::string> words, const std::filesystem::path& log,
                 const std::vector<Variable>& variables = {});

}  // namespace archgrid::system

#endif
