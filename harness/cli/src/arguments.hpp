// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Defines the options and help of each command. Runs nothing.
#ifndef ARCHGRID_CLI_ARGUMENTS_HPP
#define ARCHGRID_CLI_ARGUMENTS_HPP

#include <string>

#include "commands.hpp"
#include "perf.hpp"

namespace CLI {
class App;
class Option;
class Validator;
}  // namespace CLI

namespace archgrid::cli {

CLI::App* add_audit(CLI::App& app, AuditOptions& options);
CLI::App* add_list(CLI::App& app, ListOptions& options);
CLI::App* add_diff(CLI::App& app, DiffOptions& options);
CLI::App* add_matrix(CLI::App& app, MatrixOptions& options);
CLI::App* add_suggest(CLI::App& app, SuggestOptions& options);

struct PerfOptions {
  PerfKeepOptions keep;
  PerfReportOptions report;
  PerfCompareOptions compare;
  PerfMergeOptions merge;
  PerfRunOptions run;
};

/// Adds `perf`, a group of commands.
CLI::App* add_perf(CLI::App& app, PerfOptions& options);

/// Adds a command hidden from help, like the next four: only ctest (CTEST_CUSTOM_POST_TEST) and
/// builds call them.
CLI::App* add_after_tests(CLI::App& app, std::string& tree);
CLI::App* add_survey_packages(CLI::App& app, SurveyPackagesOptions& options);
CLI::App* add_build_cells(CLI::App& app, BuildCellsOptions& options);
CLI::App* add_run_tests(CLI::App& app, RunTestsOptions& options);
CLI::App* add_prove_cell(CLI::App& app, ProveCellOptions& options);
CLI::App* add_completion(CLI::App& app, std::string& shell);
CLI::App* add_man(CLI::App& app);
CLI::App* add_help(CLI::App& app, std::string& topic);

/// Adds "--json[=FILE]", which is the same for all commands.
CLI::Option* add_json(CLI::App& command, std::string& path, const std::string& schema);

/// Adds "--color WHEN", before and after the command.
void add_color(CLI::App& command);

/// Returns a validator for whole numbers from 1 on, in units of `what`.
CLI::Validator positive(const std::string& what);

}  // namespace archgrid::cli

#endif
