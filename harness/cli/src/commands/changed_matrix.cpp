// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <archgrid/cell.hpp>
#include <string>

#include "commands/commands.hpp"
#include "options.hpp"
#include "outputs.hpp"

namespace archgrid::cli {
namespace {

struct ChangedMatrixOptions {
  std::string tree;  ///< the build tree of a matrix
};

/// Prints the matrix file if it has changed since the tree was configured, else nothing.
int run_changed_matrix(const ChangedMatrixOptions& options) {
  const auto changed = cell::changed_matrix(options.tree);
  if (!changed.empty()) print(stdout, changed + '\n');
  return kHolds;
}

}  // namespace

void add_changed_matrix(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("changed-matrix", "Name a matrix file that was edited");
  auto& options = options_of(*command, run, run_changed_matrix);
  command->group("");
  command->add_option("tree", options.tree, "The build tree")->required();
}

}  // namespace archgrid::cli
