// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CLI_CAPTURE_HPP
#define ARCHGRID_CLI_CAPTURE_HPP

#include <string>
#include <vector>

namespace archgrid::cli {

/// The end of a program, and what it printed.
struct Captured {
  bool good = false;   ///< it ended with 0
  std::string output;  ///< standard output
  std::string errors;  ///< standard error
};

/// The process group in which a program runs. Signals to this program's group, as Ctrl-C sends,
/// do not reach a group of its own.
enum class Group { same, own };

/// Reads a descriptor to its end, or to an error.
std::string read_to_end(int descriptor);

/// Runs a program of PATH with arguments, and waits for its end. Throws UsageError if it cannot be
/// started.
Captured capture(std::vector<std::string> words, Group group = Group::same);

}  // namespace archgrid::cli

#endif
