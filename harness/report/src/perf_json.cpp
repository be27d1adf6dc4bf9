// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "dump_json.hpp"
#include "perf_view.hpp"

namespace archgrid::report {
namespace {

using nlohmann::ordered_json;

template <typename Value>
ordered_json or_null(const std::optional<Value>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

ordered_json json_of(const std::optional<perf::Change>& change) {
  if (!change) return nullptr;
  return {{"low", change->low}, {"estimate", change->estimate}, {"high", change->high}};
}

ordered_json json_of(const perf::Key& key) {
  return {{"gpu", key.gpu},
          {"compute_capability", key.compute_capability},
          {"driver", key.driver},
          {"toolkit", key.toolkit},
          {"clocks", key.clocks}};
}

ordered_json json_of(const PerfReport& report, const perf::BenchmarkComparison& benchmark) {
  const auto& gate = benchmark.gate;
  return {{"name", benchmark.name},
          {"cache", perf::name_of(benchmark.cache)},
          {"decision", perf::name_of(gate.decision)},
          {"fails", fails(report, benchmark)},
          {"reason", reason_of(benchmark)},
          {"pairs", gate.pairs},
          {"more_pairs", or_null(gate.more_pairs)},
          {"base_seconds", or_null(benchmark.base_seconds)},
          {"new_seconds", or_null(benchmark.new_seconds)},
          {"time", json_of(gate.time)},
          {"clock", json_of(gate.clock)},
          {"cycles", json_of(gate.cycles)},
          {"by_cycles", gate.by_cycles},
          {"throttled", benchmark.throttled},
          {"empty", benchmark.empty},
          {"alone", benchmark.alone},
          {"unknown", benchmark.unknown}};
}

ordered_json side_json(const std::string& path, const perf::Key& key) {
  return {{"path", path}, {"key", json_of(key)}};
}

}  // namespace

void perf_json(const PerfReport& report, const Sink& sink) {
  const auto& comparison = report.comparison;
  const auto& rules = comparison.rules;
  sink("{\n\"schema\": \"archgrid.perf-compare/1\",\n\"decision\": \"" +
       std::string(perf::name_of(perf::verdict(comparison))) +
       "\",\n\"passes\": " + (perf::passes(comparison, report.allow_no_data) ? "true" : "false") +
       ",\n\"base\": " + dump(side_json(comparison.base_path, comparison.base_key)) +
       ",\n\"new\": " + dump(side_json(comparison.new_path, comparison.new_key)) +
       ",\n\"test\": " + dump(perf::kTestName) + ",\n\"rules\": " +
       dump({{"negligible", rules.negligible},
             {"tolerance", rules.tolerance},
             {"confidence", rules.confidence},
             {"confidence_of_each", comparison.confidence_of_each},
             {"fewest_pairs", rules.fewest_pairs}}) +
       ",\n\"benchmarks\": [");
  const char* gap = "\n  ";
  for (const auto& benchmark : comparison.benchmarks) {
    sink(gap + dump(json_of(report, benchmark)));
    gap = ",\n  ";
  }
  sink("],\n\"verdict\": " + dump(closing_line(report)) + "\n}\n");
}

}  // namespace archgrid::report
