// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>

#include "arguments.hpp"

namespace archgrid::cli {
namespace {

constexpr const char* kGateExitCodes = R"(
Exit codes: 0 no benchmark is SLOWER; 1 one is, or one has NO_DATA (unless --allow-no-data); 2 usage,
or a file or a run that failed. AMBIGUOUS and NO_BASELINE do not fail.)";

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

constexpr const char* kRunExamples = R"(Examples:
  archgrid perf run --base old/gemm_perf --new new/gemm_perf
  archgrid perf run --base old/gemm_perf --new new/gemm_perf --pairs 60 -- --gtest_filter='Gemm*'
      ARG are arguments of both programs
  archgrid perf run --base old/gemm_perf --new new/gemm_perf --save-base base.json --save-new new.json

Each run gets the name of a file in ARCHGRID_PERF_RECORD and writes archgrid.perf/1 to it. The order
is base, new, new, base, and so on.
)";

void add_gate(CLI::App& command, GateOptions& gate) {
  command
      .add_option("--negligible", gate.negligible,
                  "A change that is surely bigger is SLOWER or FASTER, in percent (0.1)")
      ->option_text("PERCENT");
  command
      .add_option("--tolerance", gate.tolerance,
                  "A change that is surely smaller, and not one of those, is SAME, in percent (2)")
      ->option_text("PERCENT");
  command.add_flag("--allow-no-data", gate.allow_no_data,
                   "Do not fail where a benchmark has NO_DATA");
  add_json(command, gate.json, "archgrid.perf-compare/1");
  command.add_option("--markdown", gate.markdown, "Write Markdown")->option_text("FILE");
  command.add_flag("--github", gate.github,
                   "In GitHub Actions: annotate the run, and write its step summary");
}

void add_perf_compare(CLI::App& perf, PerfCompareOptions& options) {
  auto* command =
      perf.add_subcommand("compare", "Decide whether a new build is slower than its base");
  command->footer(std::string(kCompareExamples) + kGateExitCodes);
  command->add_option("BASE", options.base, "What was measured of the base, archgrid.perf/1")
      ->required();
  command->add_option("NEW", options.fresh, "What was measured of the new build")->required();
  command->add_flag("--by-order", options.by_order,
                    "Take the runs of both for pairs in their order: they were interleaved so");
  add_gate(*command, options.gate);
}

void add_perf_merge(CLI::App& perf, PerfMergeOptions& options) {
  auto* command = perf.add_subcommand("merge", "Put files of one key together");
  command->footer(kMergeExamples);
  command->add_option("OUT", options.out, "File to write; - for standard output")->required();
  command->add_option("FILE", options.files, "Files to read, archgrid.perf/1")->required();
}

void add_perf_run(CLI::App& perf, PerfRunOptions& options) {
  auto* command = perf.add_subcommand("run", "Run two builds of a benchmark in turn, and decide");
  command->footer(std::string(kRunExamples) + kGateExitCodes);
  command->add_option("--base", options.base, "The base's program")
      ->option_text("PROGRAM")
      ->required();
  command->add_option("--new", options.fresh, "The new build's program")
      ->option_text("PROGRAM")
      ->required();
  command->add_option("--pairs", options.pairs, "How often each is run (30)")
      ->option_text("N")
      ->check(positive("pairs"));
  command->add_option("--save-base", options.save_base, "Write what was measured of the base")
      ->option_text("FILE");
  command->add_option("--save-new", options.save_new, "Write what was measured of the new build")
      ->option_text("FILE");
  add_gate(*command, options.gate);
  command->add_option("ARG", options.arguments, "Arguments of both programs, after --");
}

void add_perf_keep(CLI::App& perf, PerfKeepOptions& options) {
  auto* command = perf.add_subcommand("keep", "Add measurements to a history");
  command->footer(
      "Examples:\n  archgrid perf keep history.db today.json\n\n"
      "Exit codes: 0 kept; 2 usage, or a file that could not be read or written.");
  command->add_option("HISTORY", options.history, "SQLite database; made where there is none")
      ->required();
  command->add_option("FILE", options.files, "Files to keep, archgrid.perf/1")->required();
}

void add_perf_report(CLI::App& perf, PerfReportOptions& options) {
  auto* command =
      perf.add_subcommand("report", "Draw distributions, history and roofline of measurements");
  command->footer(
      "Examples:\n  archgrid perf report base.json new.json --html perf.html\n"
      "  archgrid perf report --history history.db --html perf.html --markdown perf.md\n\n"
      "Exit codes: 0 written; 2 usage, or a file that could not be read or written.");
  command->add_option("FILE", options.files, "Files to draw, archgrid.perf/1");
  command->add_option("--history", options.history, "History to draw, of archgrid perf keep")
      ->option_text("HISTORY");
  command->add_option("--html", options.html, "Write one HTML page that needs nothing else")
      ->option_text("FILE");
  command->add_option("--markdown", options.markdown, "Write Markdown")->option_text("FILE");
}

}  // namespace

CLI::App* add_perf(CLI::App& app, PerfOptions& options) {
  auto* command = app.add_subcommand("perf", "Compare measurements of two builds, and decide");
  command->require_subcommand(1);
  add_perf_compare(*command, options.compare);
  add_perf_merge(*command, options.merge);
  add_perf_run(*command, options.run);
  add_perf_report(*command, options.report);
  add_perf_keep(*command, options.keep);
  for (auto* of_perf : command->get_subcommands([](CLI::App*) { return true; }))
    add_color(*of_perf);
  return command;
}

}  // namespace archgrid::cli
