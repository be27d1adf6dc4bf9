// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/perf_records/history.hpp>
#include <archgrid/report/perf.hpp>
#include <archgrid/report/perf_page.hpp>

#include "commands/commands.hpp"
#include "options.hpp"
#include "outputs.hpp"
#include "perf_gate.hpp"
#include "version.hpp"

namespace archgrid::cli {
namespace {

constexpr const char* kCompareExamples = R"(Examples:
  archgrid perf compare base.json new.json
      files that archgrid perf run saved, or that archgrid perf merge put together
  archgrid perf compare base.json new.json --tolerance 5 --negligible 1
      for benchmarks in which a small change does not matter
  archgrid perf compare base.json new.json --by-order
      files of runs that something else has interleaved
)";

constexpr const char* kMergeExamples = R"(Examples:
  archgrid perf merge h200.json monday.json tuesday.json
  archgrid perf merge h200.json h200.json today.json
      OUT may be one of the files

Exit codes: 0 merged; 2 usage, a file that could not be read, or files of different keys.)";

struct PerfCompareOptions {
  GateOptions gate;
  std::string base;
  std::string fresh;
  bool by_order = false;
};

struct PerfMergeOptions {
  std::string out;
  std::vector<std::string> files;
};

struct PerfKeepOptions {
  std::string history;
  std::vector<std::string> files;
};

struct PerfReportOptions {
  std::vector<std::string> files;
  std::string history;
  std::string html;      ///< destination; "-": standard output
  std::string markdown;  ///< likewise
};

std::vector<perf::File> read_files(const std::vector<std::string>& paths) {
  std::vector<perf::File> files;
  for (const auto& path : paths) files.push_back(perf::read_file(path));
  return files;
}

/// Returns one record per key, with runs sorted by date.
std::vector<perf::Record> records_of(const PerfReportOptions& options) {
  auto files = read_files(options.files);
  if (!options.history.empty()) {
    const perf::History history(options.history, perf::History::Open::for_reading);
    for (auto& record : history.records()) files.push_back({options.history, std::move(record)});
  }
  std::vector<perf::Record> records;
  while (!files.empty()) {
    const auto key = files.front().record.key;
    const auto others = std::stable_partition(
        files.begin(), files.end(), [&](const auto& file) { return file.record.key == key; });
    records.push_back(perf::merge({files.begin(), others}));
    files.erase(files.begin(), others);
  }
  for (auto& record : records) {
    for (auto& benchmark : record.benchmarks) {
      std::stable_sort(benchmark.runs.begin(), benchmark.runs.end(),
                       [](const auto& left, const auto& right) { return left.date < right.date; });
    }
  }
  return records;
}

int run_perf_compare(const PerfCompareOptions& options) {
  const auto rules = compare_options(options.gate, options.by_order);
  GateOutputs outputs(options.gate, {options.base, options.fresh});
  return judge(perf::read_file(options.base), perf::read_file(options.fresh), rules, options.gate,
               outputs);
}

int run_perf_merge(const PerfMergeOptions& options) {
  const auto text = perf::to_json(perf::merge(read_files(options.files)));
  Output output(options.out);
  output.write(text);
  output.finish();
  return kHolds;
}

int run_perf_keep(const PerfKeepOptions& options) {
  const auto files = read_files(options.files);
  const auto fresh = perf::History(options.history, perf::History::Open::for_writing).keep(files);
  fmt::print("{} new run{} in {}\n", fresh, fresh == 1 ? "" : "s",
             fatbin::printable(options.history));
  return kHolds;
}

int run_perf_report(const PerfReportOptions& options) {
  if (options.files.empty() && options.history.empty()) {
    throw UsageError("perf report: name a FILE, or --history HISTORY");
  }
  if (options.html.empty() && options.markdown.empty()) {
    throw UsageError("perf report: name what to write: --html FILE or --markdown FILE");
  }
  Documents documents;
  documents.add("--html", options.html);
  documents.add("--markdown", options.markdown);
  auto inputs = options.files;
  if (!options.history.empty()) inputs.push_back(options.history);
  documents.spare(inputs);
  documents.open();
  const auto records = records_of(options);
  const bool html = documents.write(
      "--html", [&](const report::Sink& sink) { report::perf_html(records, kVersion, sink); });
  const bool markdown = documents.write("--markdown", [&](const report::Sink& sink) {
    sink(report::perf_records_markdown(records));
  });
  return html && markdown ? kHolds : kTrouble;
}

void add_perf_compare(CLI::App& perf, Run& run) {
  auto* command =
      perf.add_subcommand("compare", "Decide whether a new build is slower than its base");
  auto& options = options_of(*command, run, run_perf_compare);
  command->footer(std::string(kCompareExamples) + kGateExitCodes);
  command->add_option("BASE", options.base, "What was measured of the base, archgrid.perf/1")
      ->required();
  command->add_option("NEW", options.fresh, "What was measured of the new build")->required();
  command->add_flag("--by-order", options.by_order,
                    "Take the runs of both for pairs in their order: they were interleaved so");
  add_gate(*command, options.gate);
}

void add_perf_merge(CLI::App& perf, Run& run) {
  auto* command = perf.add_subcommand("merge", "Put files of one key together");
  auto& options = options_of(*command, run, run_perf_merge);
  command->footer(kMergeExamples);
  command->add_option("OUT", options.out, "File to write; - for standard output")->required();
  command->add_option("FILE", options.files, "Files to read, archgrid.perf/1")->required();
}

void add_perf_keep(CLI::App& perf, Run& run) {
  auto* command = perf.add_subcommand("keep", "Add measurements to a history");
  auto& options = options_of(*command, run, run_perf_keep);
  command->footer(
      "Examples:\n  archgrid perf keep history.db today.json\n\n"
      "Exit codes: 0 kept; 2 usage, or a file that could not be read or written.");
  command->add_option("HISTORY", options.history, "SQLite database; made where there is none")
      ->required();
  command->add_option("FILE", options.files, "Files to keep, archgrid.perf/1")->required();
}

void add_perf_report(CLI::App& perf, Run& run) {
  auto* command =
      perf.add_subcommand("report", "Draw distributions, history and roofline of measurements");
  auto& options = options_of(*command, run, run_perf_report);
  command->footer(
      "Examples:\n  archgrid perf report base.json new.json --html perf.html\n"
      "  archgrid perf report --history history.db --html perf.html --markdown perf.md\n\n"
      "Exit codes: 0 written; 2 usage, or a file that could not be read or written.");
  command->add_option("FILE", options.files, "Files to draw, archgrid.perf/1");
  command->add_option("--history", options.history, "History to draw, of archgrid perf keep")
      ->option_text("HISTORY");
  command->add_option("--html", options.html, "Write one HTML page that needs nothing else")
      ->option_text("FILE");
  add_markdown(*command, options.markdown);
}

}  // namespace

void add_perf(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("perf", "Compare measurements of two builds, and decide");
  command->require_subcommand(1);
  add_perf_compare(*command, run);
  add_perf_merge(*command, run);
  add_perf_run(*command, run);
  add_perf_report(*command, run);
  add_perf_keep(*command, run);
  for (auto* of_perf : command->get_subcommands([](CLI::App*) { return true; })) {
    add_color(*of_perf);
  }
}

}  // namespace archgrid::cli
