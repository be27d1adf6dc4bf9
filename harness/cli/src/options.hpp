// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Options that several commands have: adds them to a command, and reads their values. Errors are
// UsageErrors that name the option and a correct value.
#ifndef ARCHGRID_CLI_OPTIONS_HPP
#define ARCHGRID_CLI_OPTIONS_HPP

#include <CLI/CLI.hpp>
#include <archgrid/coverage.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command.hpp"

namespace archgrid::cli {

/// Returns the options of a command, to be bound to names, and lets `body` run with their values if
/// the command is given.
template <typename Options>
Options& options_of(CLI::App& command, Run& run, int (*body)(const Options&)) {
  const auto options = std::make_shared<Options>();
  command.callback([options, body, &run] { run = [options, body] { return body(*options); }; });
  return *options;
}

/// Adds an option with several values, separated by commas.
CLI::Option* add_values(CLI::App& command, const char* names, std::vector<std::string>& values,
                        const char* text, const char* what);

CLI::Option* add_gpus(CLI::App& command, std::vector<std::string>& gpus, const char* what);
CLI::Option* add_accept(CLI::App& command, std::vector<std::string>& verdicts);
CLI::Option* add_matrix_file(CLI::App& command, std::string& matrix, const std::string& more = "");
CLI::Option* add_toolkit(CLI::App& command, std::string& toolkit, const char* what);
CLI::Option* add_driver(CLI::App& command, std::string& driver, const std::string& what);

/// Adds "--json[=FILE]", which is the same for all commands.
CLI::Option* add_json(CLI::App& command, std::string& path, const std::string& schema);

CLI::Option* add_markdown(CLI::App& command, std::string& path);

/// Adds "--color WHEN", before and after the command.
void add_color(CLI::App& command);

/// An option that excludes all others of its command, except those whose name or group is in
/// `allowed`.
struct Exclusive {
  CLI::Option* option;
  std::vector<std::string> allowed;
};

/// Throws UsageError if such an option is given beside one that it excludes.
void refuse_excluded(CLI::App& command, std::vector<Exclusive> exclusive);

/// Lets shells complete a value by these words. Other values may be valid, too.
CLI::Option* complete_by(CLI::Option* option, const std::vector<std::string>& words);

/// Returns the words of complete_by().
std::vector<std::string> completions_of(CLI::Option& option);

/// Accepts only these words, each of which is a `what`.
CLI::Option* accept_only(CLI::Option* option, const std::string& what,
                         const std::vector<std::string>& words);

/// Returns the archs of the data table: "90", "90a", ...
std::vector<std::string> arch_names();

/// Returns a validator for whole numbers from 1 on, in units of `what`.
CLI::Validator positive(const std::string& what);

/// Returns nothing if the text is empty.
std::optional<coverage::Driver> parse_driver(const std::string& text);
std::optional<coverage::Version> parse_toolkit(const std::string& text);

}  // namespace archgrid::cli

#endif
