// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <archgrid/perf_records/compare.hpp>
#include <map>
#include <utility>

namespace archgrid::perf {
namespace {

using RunPair = std::pair<const Run*, const Run*>;

const Benchmark* find(const Record& record, const Benchmark& wanted) {
  for (const auto& benchmark : record.benchmarks) {
    if (benchmark.name == wanted.name && benchmark.cache == wanted.cache) return &benchmark;
  }
  return nullptr;
}

BenchmarkComparison undecided(const Benchmark& benchmark, Decision decision, std::string reason) {
  BenchmarkComparison result{benchmark.name, benchmark.cache, benchmark.work, {}, {}, {}};
  result.gate.decision = decision;
  result.gate.reason = std::move(reason);
  return result;
}

std::vector<RunPair> pairs_by_order(const Benchmark& base, const Benchmark& fresh,
                                    std::size_t& alone) {
  std::vector<RunPair> pairs;
  const auto both = std::min(base.runs.size(), fresh.runs.size());
  for (std::size_t i = 0; i < both; ++i) pairs.emplace_back(&base.runs[i], &fresh.runs[i]);
  alone = base.runs.size() + fresh.runs.size() - 2 * both;
  return pairs;
}

std::vector<RunPair> pairs_by_number(const Benchmark& base, const Benchmark& fresh,
                                     std::size_t& alone) {
  std::map<std::pair<std::string, std::uint64_t>, const Run*> partners;
  alone = base.runs.size() + fresh.runs.size();
  for (const auto& run : base.runs) {
    if (run.pair) partners[{run.series, *run.pair}] = &run;
  }
  std::vector<RunPair> pairs;
  for (const auto& run : fresh.runs) {
    if (!run.pair) continue;
    const auto partner = partners.find({run.series, *run.pair});
    if (partner == partners.end()) continue;
    pairs.emplace_back(partner->second, &run);
    partners.erase(partner);
  }
  alone -= 2 * pairs.size();
  return pairs;
}

double median_of(const Run& run) {
  return summarise(run.seconds).median;
}

bool is_throttled(const RunPair& runs) {
  return runs.first->throttled.value_or(false) || runs.second->throttled.value_or(false);
}

bool is_empty(const RunPair& runs) {
  return runs.first->seconds.empty() || runs.second->seconds.empty();
}

/// Returns the pairs that may be judged.
std::vector<Pair> judged(const std::vector<RunPair>& runs, BenchmarkComparison& result) {
  std::vector<Pair> pairs;
  for (const auto& both : runs) {
    if (is_throttled(both)) {
      ++result.throttled;
    } else if (is_empty(both)) {
      ++result.empty;
    } else {
      if (!both.first->throttled || !both.second->throttled) ++result.unknown;
      pairs.push_back({median_of(*both.first), median_of(*both.second), both.first->sm_clock_mhz,
                       both.second->sm_clock_mhz});
    }
  }
  return pairs;
}

/// Returns the omitted pairs, for a message that there are too few.
std::string left_out(const BenchmarkComparison& result) {
  std::string text;
  if (result.throttled > 0) text += fmt::format(", {} throttled", result.throttled);
  if (result.empty > 0) text += fmt::format(", {} without a sample", result.empty);
  if (result.alone > 0) text += fmt::format(", {} runs without a partner", result.alone);
  return text;
}

void note_medians(const std::vector<Pair>& pairs, BenchmarkComparison& result) {
  if (pairs.empty()) return;
  std::vector<double> base;
  std::vector<double> fresh;
  for (const auto& pair : pairs) {
    base.push_back(pair.base_seconds);
    fresh.push_back(pair.new_seconds);
  }
  result.base_seconds = summarise(std::move(base)).median;
  result.new_seconds = summarise(std::move(fresh)).median;
}

/// Bounds the probability that any of `count` intervals is wrong by that of a single one
/// (Bonferroni's inequality): a gate over a hundred benchmarks raises no more false alarms than a
/// gate over one.
Rules rules_for_each(Rules rules, std::size_t count) {
  rules.confidence =
      1 - (1 - rules.confidence) / static_cast<double>(std::max<std::size_t>(count, 1));
  return rules;
}

std::size_t count_of_common(const Record& base, const Record& fresh) {
  const auto& all = fresh.benchmarks;
  return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [&](const auto& benchmark) {
    return find(base, benchmark) != nullptr;
  }));
}

BenchmarkComparison compare(const Benchmark& base, const Benchmark& fresh,
                            const CompareOptions& options) {
  BenchmarkComparison result{fresh.name, fresh.cache, fresh.work, {}, {}, {}};
  if (base.work.bytes != fresh.work.bytes || base.work.flops != fresh.work.flops) {
    return undecided(fresh, Decision::no_baseline,
                     "it does other work than its base: give it another name");
  }
  const auto runs = options.by_order ? pairs_by_order(base, fresh, result.alone)
                                     : pairs_by_number(base, fresh, result.alone);
  const auto pairs = judged(runs, result);
  result.gate = judge(pairs, options.rules);
  note_medians(pairs, result);
  if (result.gate.decision == Decision::no_data) {
    result.gate.reason += left_out(result);
    if (runs.empty() && result.alone > 0) {
      result.gate.reason =
          "the builds' runs were not interleaved: measure both with archgrid perf run";
    }
  }
  return result;
}

/// Reports whether the key is from archgrid's fake CUDA runtime, by its names of GPUs:
/// docs/fake-cudart.md.
bool is_fake(const Key& key) {
  return key.gpu.rfind("Fake ", 0) == 0;
}

}  // namespace

Comparison compare(const File& base, const File& fresh, const CompareOptions& options) {
  Comparison result{base.path, fresh.path, base.record.key, fresh.record.key, options.rules, 0, {}};
  auto each = options;
  each.rules = rules_for_each(options.rules, count_of_common(base.record, fresh.record));
  result.confidence_of_each = each.rules.confidence;
  const auto different = difference(base.record.key, fresh.record.key);
  for (const auto& benchmark : fresh.record.benchmarks) {
    const auto* baseline = find(base.record, benchmark);
    if (is_fake(base.record.key) || is_fake(fresh.record.key)) {
      result.benchmarks.push_back(
          undecided(benchmark, Decision::no_data, "times of a fake GPU are made up"));
    } else if (!different.empty()) {
      result.benchmarks.push_back(
          undecided(benchmark, Decision::no_baseline, "the base has another key: " + different));
    } else if (baseline == nullptr) {
      result.benchmarks.push_back(
          undecided(benchmark, Decision::no_baseline, "the base has no such benchmark"));
    } else {
      result.benchmarks.push_back(compare(*baseline, benchmark, each));
    }
  }
  for (const auto& benchmark : base.record.benchmarks) {
    if (find(fresh.record, benchmark) != nullptr) continue;
    result.benchmarks.push_back(
        undecided(benchmark, Decision::no_data, "the new build did not measure it"));
  }
  return result;
}

std::size_t count(const Comparison& comparison, Decision decision) {
  return static_cast<std::size_t>(
      std::count_if(comparison.benchmarks.begin(), comparison.benchmarks.end(),
                    [&](const auto& item) { return item.gate.decision == decision; }));
}

Decision verdict(const Comparison& comparison) {
  if (comparison.benchmarks.empty()) return Decision::no_data;
  for (const auto decision : {Decision::slower, Decision::no_data, Decision::ambiguous,
                              Decision::no_baseline, Decision::faster}) {
    if (count(comparison, decision) > 0) return decision;
  }
  return Decision::same;
}

bool passes(const Comparison& comparison, bool allow_no_data) {
  if (count(comparison, Decision::slower) > 0) return false;
  return allow_no_data || verdict(comparison) != Decision::no_data;
}

}  // namespace archgrid::perf
