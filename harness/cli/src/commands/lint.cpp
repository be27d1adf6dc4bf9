// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <archgrid/project/lint.hpp>
#include <archgrid/promises/matrix.hpp>
#include <archgrid/promises/project_promise.hpp>
#include <archgrid/promises/pyproject.hpp>
#include <archgrid/system/terminal.hpp>
#include <filesystem>

#include "commands/commands.hpp"
#include "options.hpp"
#include "outputs.hpp"
#include "progress.hpp"

namespace archgrid::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLintExamples = R"(Examples:
  archgrid lint
      the arch lists in this folder's CMake files, Dockerfiles, workflows and setup.py
  archgrid lint ~/src/mylib --matrix ~/src/mylib/matrices/default.json
      whether each list keeps the promises of a matrix file

Exit codes: 0 the lists agree or keep the promise, or there are none; 1 some lack a GPU, have an
arch that the toolkit of their Dockerfile cannot compile for, or have no effect; 2 usage, or a file
that cannot be read.)";

struct LintOptions {
  std::string folder = ".";
  std::string matrix;
  std::string json;  ///< destination; "-": standard output
};

/// The promises that the lists have to keep, and their file.
struct LintPromises {
  std::vector<coverage::Promise> promises;
  std::string file;
};

LintPromises lint_promises(const LintOptions& options) {
  auto file = options.matrix;
  const auto project = fs::path(options.folder) / "pyproject.toml";
  if (file.empty() && promises::mentions_archgrid(project) &&
      promises::Pyproject(project).has_promise()) {
    file = project.string();
  }
  if (file.empty()) return {};
  const auto found = promises::find_project_promise({{}, file, false});
  const auto matrix = found.matrix ? *found.matrix : coverage::read_matrix(file);
  return {promises::promises_of(matrix, std::nullopt), fs::path(file).filename().string()};
}

int run_lint(const LintOptions& options) {
  if (!fs::is_directory(options.folder)) {
    throw UsageError(fmt::format("{}: is no folder: name the folder of a project", options.folder));
  }
  auto document = json_document(options.json, {options.matrix});
  const auto promised = lint_promises(options);
  const auto lint = project::lint(project::find_project_archs(options.folder), promised.promises);
  if (document.on_standard_output() == nullptr) {
    print(stdout, project::lint_text(lint, promised.file, columns_of(system::kStandardOutput)));
  }
  const bool written =
      document.write("--json", [&](const report::Sink& sink) { sink(project::lint_json(lint)); });
  if (!written) return kTrouble;
  return lint.faults() == 0 ? kHolds : kFindings;
}

}  // namespace

void add_lint(CLI::App& app, Run& run) {
  auto* command =
      app.add_subcommand("lint", "Compare the arch lists in the build files of a project");
  auto& options = options_of(*command, run, run_lint);
  command->footer(kLintExamples);
  command->add_option("FOLDER", options.folder, "Folder of the project (the current one)");
  add_matrix_file(*command, options.matrix,
                  ", or pyproject.toml with [tool.archgrid]; the folder's own is found");
  add_json(*command, options.json, "archgrid.lint/1");
}

}  // namespace archgrid::cli
