// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Explains errors on the command line in words for people.
#ifndef ARCHGRID_CLI_REFUSAL_HPP
#define ARCHGRID_CLI_REFUSAL_HPP

#include <string>
#include <vector>

#include "command.hpp"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace archgrid::cli {

/// Returns the commands for people.
std::vector<std::string> commands_of(CLI::App& app);

/// Returns the error for a word that is not a command.
UsageError no_command(CLI::App& app, const std::string& word);

/// Rejects empty values, and options as values, as in `--html --json`. Call it before parsing.
void refuse_lost_values(CLI::App& app);

/// Prints help that was requested and returns the exit code; otherwise throws UsageError with the
/// problem and the fix.
int refuse(CLI::App& app, const CLI::ParseError& error);

}  // namespace archgrid::cli

#endif
