// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Dispatches commands and maps results to exit codes: 0 the promise holds, 1 findings, 2 usage or
// an unreadable input.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <archgrid/system/memory.hpp>
#include <archgrid/system/process.hpp>
#include <archgrid/system/terminal.hpp>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>

#include "command.hpp"
#include "commands/commands.hpp"
#include "help_text.hpp"
#include "options.hpp"
#include "outputs.hpp"
#include "progress.hpp"
#include "refusal.hpp"
#include "version.hpp"

namespace {

using namespace archgrid::cli;

/// A formatter for help, wrapped to the terminal. An option with an optional value appears as
/// "--json[=FILE]".
class Formatter : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    return wrapped_help(CLI::Formatter::make_help(app, name, mode),
                        columns_of(archgrid::system::kStandardOutput));
  }
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override {
    auto name = CLI::Formatter::make_option_name(option, is_positional);
    return name.substr(0, name.find('{'));
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    const auto& text = option->get_option_text();
    if (option->get_positional()) return option->get_items_expected_max() > 1 ? " ..." : "";
    return text.rfind("[=", 0) == 0 ? text : CLI::Formatter::make_option_opts(option);
  }
};

constexpr const char* kFooter = R"(Examples:
  archgrid audit some.whl --gpu A100,"RTX 4090"
      whether every kernel runs on these GPUs
  archgrid audit pypi:torch --gpu "GTX 1080" --history
      which release on PyPI is the last one that runs there
  archgrid init
      a matrix file and audits for the project in this folder, as a diff

Environment:
  NO_COLOR             any value but an empty one: no colours, on a terminal either
  CLICOLOR_FORCE       any value but an empty one and 0: colours, in a pipe too
  GITHUB_STEP_SUMMARY  the file that --github appends the summary to; GitHub Actions sets it
  ARCHGRID_MODULES     where archgrid's CMake modules are, if not beside the command

Exit codes: 0 all is well; 1 findings; 2 usage, or an input or an output that failed.)";

/// The commands in the order of the help; those after `help` are hidden.
constexpr std::array kCommands = {
    add_audit,          add_list,           add_diff,        add_evidence,  add_matrix,
    add_suggest,        add_lint,           add_init,        add_explain,   add_perf,
    add_report,         add_cmake_dir,      add_completion,  add_man,       add_help,
    add_after_tests,    add_changed_matrix, add_build_cells, add_run_tests, add_prove_cell,
    add_survey_packages};

int dispatch(int argc, char** argv) {
  CLI::App app("Builds, audits and tests CUDA code for every GPU that it promises to support.",
               "archgrid");
  app.set_version_flag("--version", std::string("archgrid ") + archgrid::cli::kVersion);
  app.require_subcommand(1);
  app.allow_windows_style_options(false);  // "/matrix.json" is a path on every system
  add_color(app);
  app.formatter(std::make_shared<Formatter>());
  app.footer(kFooter);
  Run run;
  for (const auto& add : kCommands) add(app, run);
  refuse_lost_values(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return refuse(app, error);
  }
  return run();
}

}  // namespace

int main(int argc, char** argv) {
  archgrid::system::prepare_process();
  archgrid::system::keep_freed_memory();
  try {
    const int outcome = dispatch(argc, argv);
    // A report cut by a full disk is invalid.
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
      throw std::runtime_error(fmt::format("cannot write the output: {}", std::strerror(errno)));
    }
    return outcome;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "archgrid: there is not enough memory: name fewer files at once\n");
    return archgrid::cli::kTrouble;
  } catch (const std::exception& error) {
    archgrid::cli::print(stderr, archgrid::cli::error_lines(error.what()));
    return archgrid::cli::kTrouble;
  }
}
