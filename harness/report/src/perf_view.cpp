// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "perf_view.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "style.hpp"

namespace archgrid::report {
namespace {

using perf::Decision;

constexpr const char* kNone = "-";

std::string percent(double change) {
  return fmt::format("{:+.2f} %", 100 * change);
}

std::string seconds(const std::optional<double>& value) {
  return value ? perf::text_of_seconds(*value) : kNone;
}

}  // namespace

bool fails(const PerfReport& report, const perf::BenchmarkComparison& benchmark) {
  const auto decision = benchmark.gate.decision;
  return decision == Decision::slower || (decision == Decision::no_data && !report.allow_no_data);
}

std::vector<std::string> perf_titles() {
  return {"benchmark", "cache", "base", "new", "change", "interval", "pairs", "decision"};
}

std::vector<std::string> cells_of(const perf::BenchmarkComparison& benchmark) {
  const auto& gate = benchmark.gate;
  const auto& change = gate.by_cycles ? gate.cycles : gate.time;
  const auto interval =
      change ? fmt::format("{} to {}", percent(change->low), percent(change->high)) : kNone;
  return {fatbin::printable(benchmark.name),
          perf::name_of(benchmark.cache),
          seconds(benchmark.base_seconds),
          seconds(benchmark.new_seconds),
          change ? percent(change->estimate) : kNone,
          interval,
          std::to_string(gate.pairs),
          perf::name_of(gate.decision)};
}

std::string reason_of(const perf::BenchmarkComparison& benchmark) {
  const auto& gate = benchmark.gate;
  auto text = gate.reason;
  if (gate.by_cycles) text += "; judged in cycles, which vary less";
  if (gate.more_pairs) {
    text += fmt::format("; about {} would decide", count_text(*gate.more_pairs, "more pair"));
  } else if (gate.decision == Decision::ambiguous && gate.clock == std::nullopt) {
    text += "; the runs tell no clocks";
  }
  if (benchmark.throttled > 0 && gate.decision != Decision::no_data) {
    text +=
        fmt::format("; left out: {} with a throttled run", count_text(benchmark.throttled, "pair"));
  }
  if (benchmark.unknown > 0) {
    text += fmt::format("; of {} it is not known whether a run was throttled",
                        count_text(benchmark.unknown, "pair"));
  }
  return fatbin::printable(text);
}

std::string test_line(const PerfReport& report) {
  const auto& comparison = report.comparison;
  const auto& rules = comparison.rules;
  const bool several = comparison.confidence_of_each > rules.confidence;
  const auto together =
      several ? fmt::format("intervals that hold together with {:g} % confidence ({:.6g} % each)",
                            100 * rules.confidence, 100 * comparison.confidence_of_each)
              : fmt::format("interval of {:g} % confidence", 100 * rules.confidence);
  return fmt::format(
      "{}: {}; SLOWER and FASTER are surely beyond {:g} %, SAME is surely within {:g} %",
      perf::kTestName, together, 100 * rules.negligible, 100 * rules.tolerance);
}

std::string closing_line(const PerfReport& report) {
  const auto& comparison = report.comparison;
  const auto verdict = perf::verdict(comparison);
  if (comparison.benchmarks.empty()) return "NO_DATA: no benchmark in either file";
  std::vector<std::string> parts;
  for (const auto decision : {Decision::slower, Decision::no_data, Decision::ambiguous,
                              Decision::no_baseline, Decision::faster, Decision::same}) {
    const auto count = perf::count(comparison, decision);
    if (count > 0) parts.push_back(fmt::format("{} {}", count, perf::name_of(decision)));
  }
  return fmt::format("{}: {}: {}", perf::name_of(verdict),
                     count_text(comparison.benchmarks.size(), "benchmark"), fmt::join(parts, ", "));
}

}  // namespace archgrid::report
