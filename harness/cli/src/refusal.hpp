// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// What cannot be understood on the command line, in words for people.
#ifndef ARCHGRID_CLI_REFUSAL_HPP
#define ARCHGRID_CLI_REFUSAL_HPP

#include <string>
#include <vector>

#include "commands.hpp"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace archgrid::cli {

/// The commands that people call.
std::vector<std::string> commands_of(CLI::App& app);

/// For a word where a command should stand.
UsageError no_command(CLI::App& app, const std::string& word);

/// Refuses empty values, and options as values, as in `--html --json`. To be called before parsing.
void refuse_lost_values(CLI::App& app);

/// Shows the help that was asked for, and gives the exit code; else throws UsageError with what is
/// wrong and what to write.
int refuse(CLI::App& app, const CLI::ParseError& error);

}  // namespace archgrid::cli

#endif
