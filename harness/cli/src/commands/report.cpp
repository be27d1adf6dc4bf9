// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <archgrid/report/merge.hpp>
#include <archgrid/system/terminal.hpp>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "commands/commands.hpp"
#include "options.hpp"
#include "outputs.hpp"
#include "progress.hpp"
#include "result_files.hpp"
#include "version.hpp"

namespace archgrid::cli {
namespace {

constexpr const char* kMergeReportExamples = R"(Examples:
  archgrid report merge artifacts
      artifacts has a folder for each job: artifacts/junit-sm90/junit.xml, ...
  archgrid report merge artifacts --expect plan.json --html report.html --github
      plan.json is from archgrid matrix FILE --json; its jobs without results are lost
  archgrid report merge artifacts --allow-not-run cpu
      the job cpu has no GPU, and skips its GPU tests

Reads archgrid.gpu-runs/1 (Testing/gpu-tests.json), archgrid.gpu-tests/1, archgrid.audit/1,
archgrid.perf-compare/1, and JUnit of ctest, GoogleTest, audits and other programs. Other files in a
folder are not read. A folder with results of its own is one job; otherwise each folder in it is.
Passes on the fake CUDA runtime are "not run", as are jobs whose GPU tests were all skipped.

Exit codes: 0 passed; 1 a case failed, a job is lost or not run, or nothing passed; 2 usage, or an
input that could not be read. Outputs are written in any case but wrong usage.)";

struct MergeReportOptions {
  std::vector<std::string> inputs;
  std::string plan;
  std::vector<std::string> may_not_run;
  std::string html;     ///< destination; "-": standard output
  std::string summary;  ///< likewise
  std::string json;     ///< likewise
  bool github = false;
};

std::string read_result_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw std::runtime_error(fmt::format("cannot open: {}", std::strerror(errno)));
  std::string text(std::istreambuf_iterator<char>(stream), {});
  if (stream.bad()) throw std::runtime_error(fmt::format("cannot read: {}", std::strerror(errno)));
  return text;
}

report::MergeRequest request_of(const MergeReportOptions& options) {
  report::MergeRequest request;
  request.may_not_run = {options.may_not_run.begin(), options.may_not_run.end()};
  if (options.plan.empty()) return request;
  try {
    request.planned = report::planned_jobs(read_result_file(options.plan));
  } catch (const std::runtime_error& error) {
    throw UsageError(fmt::format("{}: {}", options.plan, error.what()));
  }
  return request;
}

Documents documents_of(const MergeReportOptions& options,
                       const std::vector<report::ResultFile>& files) {
  Documents documents;
  documents.add("--json", options.json);
  documents.add("--html", options.html);
  documents.add("--summary", options.summary);
  const auto* option = documents.on_standard_output();
  if (option != nullptr && options.github) {
    throw UsageError(fmt::format("--github writes to standard output: name a file for {} ({}=FILE)",
                                 option, option));
  }
  std::vector<std::string> inputs;
  for (const auto& file : files) inputs.push_back(file.path);
  if (!options.plan.empty()) inputs.push_back(options.plan);
  documents.spare(inputs);
  documents.open();
  return documents;
}

void write_screen(const report::MergedReport& merged, bool github) {
  auto text = report::merge_text(merged, {report::style_for(system::kStandardOutput), false, false,
                                          columns_of(system::kStandardOutput), false});
  if (!github) return print(stdout, text);
  print(stdout, report::without_commands(std::move(text)));
  fmt::print("{}", report::merge_annotations(merged));
}

bool write_report(const report::MergedReport& merged, bool github, Documents& documents) {
  using report::Sink;
  if (documents.on_standard_output() == nullptr) write_screen(merged, github);
  bool written = documents.write(
      "--json", [&](const Sink& sink) { report::merge_json(merged, kVersion, sink); });
  written = documents.write("--html", [&](const Sink& sink) {
    report::merge_html(merged, kVersion, sink);
  }) && written;
  written = documents.write("--summary", [&](const Sink& sink) {
    sink(report::merge_markdown(merged, kMaxSummary));
  }) && written;
  if (!github) return written;
  return attempt([&] {
           write_summary([&](std::size_t most) { return report::merge_markdown(merged, most); });
         }) &&
         written;
}

int run_merge_report(const MergeReportOptions& options) {
  auto request = request_of(options);
  auto found = find_result_files(options.inputs);
  auto documents = documents_of(options, found.files);
  request.errors = std::move(found.errors);
  const auto merged = report::merge_results(found.files, read_result_file, request);
  if (!write_report(merged, options.github, documents)) return kTrouble;
  if (!merged.errors.empty()) return kTrouble;
  return merged.outcome == report::Outcome::holds ? kHolds : kFindings;
}

void add_merge_report(CLI::App& group, Run& run) {
  auto* command = group.add_subcommand("merge", "Merge the results of CI jobs into one verdict");
  auto& options = options_of(*command, run, run_merge_report);
  command->footer(kMergeReportExamples);
  command->add_option("INPUT", options.inputs, "Folders of jobs, or files with results")
      ->required();
  command
      ->add_option("--expect", options.plan,
                   "Plan, archgrid.plan/1 or archgrid.jobs/1: its GPU jobs without results are "
                   "lost, and must have run on their GPUs")
      ->option_text("PLAN");
  add_values(*command, "--allow-not-run", options.may_not_run, "JOB,...",
             "Jobs whose GPU tests may all be skipped");
  add_json(*command, options.json, "archgrid.report/1")->group("Output");
  command->add_option("--html", options.html, "Write one HTML page that needs nothing else")
      ->option_text("FILE")
      ->group("Output");
  command
      ->add_option("--summary,--markdown", options.summary,
                   "Write Markdown that GitHub takes as a step summary: less than 1 MiB")
      ->option_text("FILE")
      ->group("Output");
  command
      ->add_flag("--github", options.github,
                 "In GitHub Actions: annotate the run, and write its step summary")
      ->group("Output");
  add_color(*command);
}

}  // namespace

void add_report(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("report", "Merge the results of CI jobs");
  command->require_subcommand(1);
  add_merge_report(*command, run);
}

}  // namespace archgrid::cli
