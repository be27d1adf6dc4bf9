// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "perf_gate.hpp"

#include <fmt/format.h>

#include <archgrid/report.hpp>
#include <archgrid/system/terminal.hpp>
#include <utility>

#include "options.hpp"

namespace archgrid::cli {

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
  add_markdown(command, gate.markdown);
  command.add_flag("--github", gate.github,
                   "In GitHub Actions: annotate the run, and write its step summary");
}

perf::CompareOptions compare_options(const GateOptions& gate, bool by_order) {
  perf::CompareOptions options;
  options.rules.negligible = gate.negligible / 100;
  options.rules.tolerance = gate.tolerance / 100;
  options.by_order = by_order;
  const bool good = options.rules.negligible >= 0 && options.rules.tolerance < 1 &&
                    options.rules.tolerance > options.rules.negligible;
  if (good) return options;
  throw UsageError(
      fmt::format("--negligible {:g} and --tolerance {:g} make no sense: write percents, of which "
                  "the first is the smaller one and neither is below 0 or above 100",
                  gate.negligible, gate.tolerance));
}

GateOutputs::GateOutputs(const GateOptions& options, const std::vector<std::string>& inputs)
    : options_(options) {
  documents_.add("--json", options.json);
  documents_.add("--markdown", options.markdown);
  const auto* option = documents_.on_standard_output();
  if (option != nullptr && options.github) {
    throw UsageError(fmt::format("--github writes to standard output: name a file for {}", option));
  }
  documents_.spare(inputs);
  documents_.open();
}

bool GateOutputs::write(const report::PerfReport& report) {
  if (documents_.on_standard_output() == nullptr) write_text(report);
  const bool json = documents_.write(
      "--json", [&](const report::Sink& sink) { report::perf_json(report, sink); });
  const bool markdown = documents_.write("--markdown", [&](const report::Sink& sink) {
    sink(report::perf_markdown(report, std::string().max_size()));
  });
  const bool summary = !options_.github || attempt([&] {
    write_summary([&](std::size_t most) { return report::perf_markdown(report, most); });
  });
  return json && markdown && summary;
}

void GateOutputs::write_text(const report::PerfReport& report) {
  auto text = report::perf_text(report, report::style_for(system::kStandardOutput));
  if (!options_.github) return print(stdout, text);
  print(stdout, report::without_commands(std::move(text)));
  fmt::print("{}", report::perf_annotations(report));
}

int judge(const perf::File& base, const perf::File& fresh, const perf::CompareOptions& options,
          const GateOptions& gate, GateOutputs& outputs) {
  const report::PerfReport report{perf::compare(base, fresh, options), gate.allow_no_data};
  if (!outputs.write(report)) return kTrouble;
  return perf::passes(report.comparison, gate.allow_no_data) ? kHolds : kFindings;
}

}  // namespace archgrid::cli
