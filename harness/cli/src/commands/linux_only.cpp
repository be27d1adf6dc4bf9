// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Stands in, on other systems, for the commands that build and test the cells of a matrix.
#include <CLI/CLI.hpp>
#include <string>

#include "commands/commands.hpp"

namespace archgrid::cli {
namespace {

void add_refusal(CLI::App& app, Run& run, const std::string& name) {
  auto* command = app.add_subcommand(name, "")->group("")->prefix_command();
  command->callback(
      [&run, name] { run = [name]() -> int { throw UsageError(name + " runs on Linux only"); }; });
}

}  // namespace

void add_after_tests(CLI::App& app, Run& run) {
  add_refusal(app, run, "after-tests");
}

void add_build_cells(CLI::App& app, Run& run) {
  add_refusal(app, run, "build-cells");
}

void add_prove_cell(CLI::App& app, Run& run) {
  add_refusal(app, run, "prove-cell");
}

void add_run_tests(CLI::App& app, Run& run) {
  add_refusal(app, run, "run-tests");
}

}  // namespace archgrid::cli
