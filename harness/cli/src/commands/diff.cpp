// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/promises/gpus.hpp>
#include <archgrid/report/diff.hpp>
#include <archgrid/system/terminal.hpp>
#include <cstdio>

#include "commands/commands.hpp"
#include "inputs.hpp"
#include "options.hpp"
#include "outputs.hpp"
#include "progress.hpp"

namespace archgrid::cli {
namespace {

constexpr const char* kDiffExamples = R"(Examples:
  archgrid diff libx.so.1.0 libx.so.1.1
      for every device that archgrid knows
  archgrid diff dist-1.0 dist-1.1 --gpu 8.0,8.6,9.0 --driver 580
      folders: their files are paired by name, whatever versions are in the names
  archgrid diff old.so new.so --strict --markdown comment.md
      for a pull request that is to keep every kernel

Exit codes: 0 no coverage lost; 1 kernels are served no longer, or less well (compiled when they are
loaded instead of native), or no kernel runs on a device any more; 2 usage, an input that could not
be read (the comparison is then not whole), or nothing to compare.)";

struct DiffOptions {
  std::string before;
  std::string after;
  std::vector<std::string> devices;
  std::string driver;
  bool strict = false;
  bool all = false;
  std::string json;      ///< destination; "-": standard output
  std::string markdown;  ///< likewise
};

coverage::DiffRequest request_of(const DiffOptions& options) {
  coverage::DiffRequest request;
  request.devices = promises::read_gpus(options.devices);
  std::sort(request.devices.begin(), request.devices.end());
  request.devices.erase(std::unique(request.devices.begin(), request.devices.end()),
                        request.devices.end());
  request.driver = parse_driver(options.driver);
  return request;
}

report::DiffReport compare(const DiffOptions& options) {
  const auto request = request_of(options);
  fatbin::ReadOptions reading;
  reading.wants_identities = [](const fatbin::Image&) { return true; };
  const coverage::Release before{options.before, read_inputs({options.before}, reading)};
  const coverage::Release after{options.after, read_inputs({options.after}, reading)};
  report::DiffReport report;
  report.before = options.before;
  report.after = options.after;
  report.diff = coverage::diff(before, after, request);
  report.driver = options.driver;
  report.strict = options.strict;
  report.all = options.all;
  return report;
}

/// Writes all outputs, and returns whether all succeeded.
bool write(const report::DiffReport& report, Documents& documents) {
  if (documents.on_standard_output() == nullptr) {
    print(stdout, report::diff_text(report, report::style_for(system::kStandardOutput),
                                    columns_of(system::kStandardOutput)));
  }
  const bool json =
      documents.write("--json", [&](const report::Sink& sink) { report::diff_json(report, sink); });
  const bool markdown = documents.write(
      "--markdown", [&](const report::Sink& sink) { sink(report::diff_markdown(report)); });
  return json && markdown;
}

int run_diff(const DiffOptions& options) {
  Documents documents;
  documents.add("--json", options.json);
  documents.add("--markdown", options.markdown);
  documents.spare({options.before, options.after});
  documents.open();
  const auto report = compare(options);
  const bool written = write(report, documents);
  for (const auto& error : report.diff.errors) print(stderr, error_lines(error));
  if (!report.diff.errors.empty() || !written) return kTrouble;
  const auto problem = report::incomparable(report);
  if (!problem.empty()) throw UsageError(problem);
  return coverage::is_lost(coverage::totals_of(report.diff), report.strict) ? kFindings : kHolds;
}

}  // namespace

void add_diff(CLI::App& app, Run& run) {
  auto* command =
      app.add_subcommand("diff", "Show what changed: coverage, kernels, what they take, and sizes");
  auto& options = options_of(*command, run, run_diff);
  command->footer(kDiffExamples);
  command->add_option("OLD", options.before, "What was shipped")->required();
  command->add_option("NEW", options.after, "What is to be")->required();
  add_gpus(*command, options.devices,
           "Only coverage of these GPUs, as H100 or 9.0 (all that archgrid knows)");
  add_driver(*command, options.driver, "Judge PTX for this driver");
  command->add_flag("--strict", options.strict, "Kernels and files that are gone are lost too");
  command->add_flag("--all", options.all, "Every kernel a row, in text and Markdown");
  add_json(*command, options.json, "archgrid.diff/1");
  add_color(*command);
  add_markdown(*command, options.markdown);
}

}  // namespace archgrid::cli
