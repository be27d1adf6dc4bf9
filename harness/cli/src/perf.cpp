// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "perf.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <archgrid/perf_report.hpp>

#include "commands.hpp"
#include "outputs.hpp"

namespace archgrid::cli {
namespace {

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

/// What the gate writes, beside the text.
class GateOutputs {
 public:
  GateOutputs(const GateOptions& options, const std::vector<std::string>& inputs)
      : options_(options) {
    documents_.add("--json", options.json);
    documents_.add("--markdown", options.markdown);
    const auto* option = documents_.on_standard_output();
    if (option != nullptr && options.github) {
      throw UsageError(
          fmt::format("--github writes to standard output: name a file for {}", option));
    }
    documents_.spare(inputs);
    documents_.open();
  }

  /// Returns whether all could be written.
  bool write(const report::PerfReport& report) {
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

 private:
  void write_text(const report::PerfReport& report) {
    auto text = report::perf_text(report, report::style_for(STDOUT_FILENO));
    if (options_.github) {
      text = report::without_commands(std::move(text)) + report::perf_annotations(report);
    }
    fmt::print("{}", text);
  }

  const GateOptions& options_;
  Documents documents_;
};

int judge(const perf::File& base, const perf::File& fresh, const perf::CompareOptions& options,
          const GateOptions& gate, GateOutputs& outputs) {
  const report::PerfReport report{perf::compare(base, fresh, options), gate.allow_no_data};
  if (!outputs.write(report)) return kTrouble;
  return perf::passes(report.comparison, gate.allow_no_data) ? kHolds : kFindings;
}

}  // namespace

int run_perf_compare(const PerfCompareOptions& options) {
  const auto rules = compare_options(options.gate, options.by_order);
  GateOutputs outputs(options.gate, {options.base, options.fresh});
  return judge(perf::read_file(options.base), perf::read_file(options.fresh), rules, options.gate,
               outputs);
}

int run_perf_merge(const PerfMergeOptions& options) {
  std::vector<perf::File> files;
  for (const auto& path : options.files) files.push_back(perf::read_file(path));
  const auto text = perf::to_json(perf::merge(files));
  Output output(options.out);
  output.write(text);
  output.finish();
  return kHolds;
}

int run_perf_run(const PerfRunOptions& options) {
  const auto rules = compare_options(options.gate, false);
  GateOutputs outputs(options.gate, {options.base, options.fresh});
  Documents records;
  records.add("--save-base", options.save_base);
  records.add("--save-new", options.save_new);
  records.spare({options.base, options.fresh, options.gate.json, options.gate.markdown});
  records.open();
  const auto both = interleave(options);
  const auto save = [&](const char* option, const perf::File& file) {
    return records.write(option,
                         [&](const report::Sink& sink) { sink(perf::to_json(file.record)); });
  };
  const bool saved = save("--save-base", both.base) & save("--save-new", both.fresh);
  const int outcome = judge(both.base, both.fresh, rules, options.gate, outputs);
  return saved ? outcome : kTrouble;
}

}  // namespace archgrid::cli
