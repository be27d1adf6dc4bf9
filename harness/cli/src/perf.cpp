// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "perf.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <archgrid/perf_records/history.hpp>
#include <archgrid/report/perf.hpp>
#include <archgrid/report/perf_page.hpp>

#include "commands.hpp"
#include "outputs.hpp"
#include "version.hpp"

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

/// The outputs of the gate besides text.
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

  /// Writes all outputs, and returns whether all succeeded.
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
    if (!options_.github) return print(stdout, text);
    print(stdout, report::without_commands(std::move(text)));
    fmt::print("{}", report::perf_annotations(report));
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

}  // namespace

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
  const bool saved_base = save("--save-base", both.base);
  const bool saved_new = save("--save-new", both.fresh);
  const int outcome = judge(both.base, both.fresh, rules, options.gate, outputs);
  return saved_base && saved_new ? outcome : kTrouble;
}

}  // namespace archgrid::cli
