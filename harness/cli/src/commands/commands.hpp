// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The registrations of all commands. Each adds a command with its options; if the command is given,
// parsing sets `run`.
#ifndef ARCHGRID_CLI_COMMANDS_HPP
#define ARCHGRID_CLI_COMMANDS_HPP

#include "command.hpp"

namespace CLI {
class App;
}  // namespace CLI

namespace archgrid::cli {

void add_audit(CLI::App& app, Run& run);
void add_list(CLI::App& app, Run& run);
void add_diff(CLI::App& app, Run& run);
void add_matrix(CLI::App& app, Run& run);
void add_evidence(CLI::App& app, Run& run);
void add_suggest(CLI::App& app, Run& run);
void add_lint(CLI::App& app, Run& run);
void add_init(CLI::App& app, Run& run);
void add_explain(CLI::App& app, Run& run);
void add_perf(CLI::App& app, Run& run);
/// Adds `run` to the group `perf`.
void add_perf_run(CLI::App& perf, Run& run);
/// Adds the group `report`.
void add_report(CLI::App& app, Run& run);
/// Adds `cmake-dir`.
void add_cmake_dir(CLI::App& app, Run& run);
void add_completion(CLI::App& app, Run& run);
void add_man(CLI::App& app, Run& run);
void add_help(CLI::App& app, Run& run);

/// Adds a command hidden from help, like the next five: only ctest (CTEST_CUSTOM_POST_TEST and the
/// tests of a tree) and builds call them.
void add_after_tests(CLI::App& app, Run& run);
void add_changed_matrix(CLI::App& app, Run& run);
void add_survey_packages(CLI::App& app, Run& run);
void add_build_cells(CLI::App& app, Run& run);
void add_run_tests(CLI::App& app, Run& run);
void add_prove_cell(CLI::App& app, Run& run);

}  // namespace archgrid::cli

#endif
