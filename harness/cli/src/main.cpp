// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Dispatches commands and maps results to exit codes: 0 the promise holds, 1 findings, 2 usage or
// an unreadable input.
#include <fmt/format.h>
#include <malloc.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <archgrid/fatbin.hpp>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>

#include "arguments.hpp"
#include "command_line.hpp"
#include "commands.hpp"
#include "outputs.hpp"
#include "refusal.hpp"
#include "version.hpp"

namespace {

using namespace archgrid::cli;

/// A formatter for help. An option with an optional value appears as "--json[=FILE]".
class Formatter : public CLI::Formatter {
 public:
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

constexpr const char* kEnvironment = R"(Environment:
  NO_COLOR             any value but an empty one: no colours, on a terminal either
  CLICOLOR_FORCE       any value but an empty one and 0: colours, in a pipe too
  GITHUB_STEP_SUMMARY  the file that --github appends the summary to; GitHub Actions sets it
  ARCHGRID_MODULES     where archgrid's CMake modules are, if not beside the command

Exit codes: 0 all is well; 1 findings; 2 usage, or an input or an output that failed.)";

int run_perf(const CLI::App& perf, const PerfOptions& options) {
  if (perf.got_subcommand("compare")) return run_perf_compare(options.compare);
  if (perf.got_subcommand("merge")) return run_perf_merge(options.merge);
  if (perf.got_subcommand("report")) return run_perf_report(options.report);
  if (perf.got_subcommand("keep")) return run_perf_keep(options.keep);
  return run_perf_run(options.run);
}

int show_help(CLI::App& app, const std::string& topic) {
  const auto names = commands_of(app);
  app.clear();  // otherwise the help of `help` is shown
  if (topic.empty()) {
    fmt::print("{}", app.help());
  } else if (std::find(names.begin(), names.end(), topic) != names.end()) {
    fmt::print("{}", app.get_subcommand(topic)->help(app.get_name()));
  } else {
    throw no_command(app, topic);
  }
  return kHolds;
}

int dispatch(int argc, char** argv) {
  CLI::App app("Builds, audits and tests CUDA code for every GPU that it promises to support.",
               "archgrid");
  app.set_version_flag("--version", std::string("archgrid ") + archgrid::cli::kVersion);
  app.require_subcommand(1);
  add_color(app);
  AuditOptions audit;
  ListOptions list;
  DiffOptions diff;
  MatrixOptions matrix;
  SuggestOptions suggest;
  PerfOptions perf;
  BuildCellsOptions build_cells;
  RunTestsOptions run_tests;
  ProveCellOptions prove_cell;
  SurveyPackagesOptions survey_packages;
  std::string tested_tree;
  std::string shell;
  std::string topic;
  app.formatter(std::make_shared<Formatter>());
  app.footer(kEnvironment);
  const auto* audit_command = add_audit(app, audit);
  const auto* list_command = add_list(app, list);
  const auto* diff_command = add_diff(app, diff);
  add_matrix(app, matrix);
  const auto* suggest_command = add_suggest(app, suggest);
  const auto* perf_command = add_perf(app, perf);
  const auto* after_tests_command = add_after_tests(app, tested_tree);
  const auto* build_cells_command = add_build_cells(app, build_cells);
  const auto* run_tests_command = add_run_tests(app, run_tests);
  const auto* prove_cell_command = add_prove_cell(app, prove_cell);
  const auto* survey_packages_command = add_survey_packages(app, survey_packages);
  const auto* completion_command = add_completion(app, shell);
  const auto* man_command = add_man(app);
  const auto* help_command = add_help(app, topic);
  refuse_lost_values(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return refuse(app, error);
  }
  if (help_command->parsed()) return show_help(app, topic);
  if (completion_command->parsed()) {
    fmt::print("{}", completion_script(read_command_line(app), shell));
    return kHolds;
  }
  if (man_command->parsed()) {
    fmt::print("{}", manual_page(read_command_line(app), kVersion));
    return kHolds;
  }
  if (audit_command->parsed()) return run_audit(audit);
  if (list_command->parsed()) return run_list(list);
  if (diff_command->parsed()) return run_diff(diff);
  if (suggest_command->parsed()) return run_suggest(suggest);
  if (perf_command->parsed()) return run_perf(*perf_command, perf);
  if (build_cells_command->parsed()) return run_build_cells(build_cells);
  if (run_tests_command->parsed()) return run_run_tests(run_tests);
  if (prove_cell_command->parsed()) return run_prove_cell(prove_cell);
  if (survey_packages_command->parsed()) return run_survey_packages(survey_packages);
  if (after_tests_command->parsed()) return run_after_tests(tested_tree);
  return run_matrix(matrix);
}

/// Returns an error's text, safe for a terminal. A fix may be on its own line.
std::string error_lines(const std::string& text) {
  std::string lines;
  for (std::size_t at = 0; at <= text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    lines += archgrid::fatbin::printable(text.substr(at, end - at)) + '\n';
    at = end + 1;
  }
  return lines;
}

// Keeps freed memory in the process: memory that returns to the system is zeroed when allocated
// again, and large files allocate and free hundreds of megabytes.
void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int kLargestThatItTakes = 32 << 20;
  ::mallopt(M_MMAP_THRESHOLD, kLargestThatItTakes);
  ::mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
#endif
}

}  // namespace

int main(int argc, char** argv) {
  keep_freed_memory();
  std::signal(SIGXFSZ, SIG_IGN);  // exceeding the file size limit is an error like a full disk
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
    archgrid::cli::print(stderr, fmt::format("archgrid: {}", error_lines(error.what())));
    return archgrid::cli::kTrouble;
  }
}
