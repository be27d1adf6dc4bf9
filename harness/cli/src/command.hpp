// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CLI_COMMAND_HPP
#define ARCHGRID_CLI_COMMAND_HPP

#include <functional>
#include <stdexcept>

namespace archgrid::cli {

constexpr int kHolds = 0;
constexpr int kFindings = 1;
constexpr int kTrouble = 2;

/// A request that cannot be fulfilled as written: exit code 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Runs the command that was given and returns the exit code. Parsing sets it.
using Run = std::function<int()>;

}  // namespace archgrid::cli

#endif
