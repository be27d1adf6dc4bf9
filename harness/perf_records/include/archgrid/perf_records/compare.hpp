// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares the records of two builds, benchmark by benchmark.
#ifndef ARCHGRID_PERF_RECORDS_COMPARE_HPP
#define ARCHGRID_PERF_RECORDS_COMPARE_HPP

#include <archgrid/perf_records/files.hpp>
#include <archgrid/perf_records/gate.hpp>
#include <optional>
#include <string>
#include <vector>

namespace archgrid::perf {

struct CompareOptions {
  Rules rules;  ///< the confidence is that of all benchmarks' intervals together
  /// Pairs the runs of both builds in their order. Otherwise only runs with the same series and
  /// pair number are pairs.
  bool by_order = false;
};

struct BenchmarkComparison {
  std::string name;
  Cache cache = Cache::hot;
  Work work;
  GateResult gate;
  std::optional<double> base_seconds;  ///< median of the judged runs' medians
  std::optional<double> new_seconds;
  std::size_t throttled = 0;  ///< pairs left out because a run was throttled
  std::size_t empty = 0;      ///< pairs left out because a run measured nothing
  std::size_t alone = 0;      ///< runs of either build without a partner
  std::size_t unknown = 0;    ///< judged pairs with an unknown throttling state
};

struct Comparison {
  std::string base_path;
  std::string new_path;
  Key base_key;
  Key new_key;
  Rules rules;
  double confidence_of_each = 0;  ///< confidence of one benchmark's interval
  std::vector<BenchmarkComparison> benchmarks;
};

/// Compares every benchmark of either file. Throws std::invalid_argument for invalid rules.
Comparison compare(const File& base, const File& fresh, const CompareOptions& options = {});

/// Returns the number of benchmarks with that decision.
std::size_t count(const Comparison& comparison, Decision decision);

/// Returns the worst decision: SLOWER, then NO_DATA (also if there is no benchmark), AMBIGUOUS,
/// NO_BASELINE, FASTER, SAME.
Decision verdict(const Comparison& comparison);

/// Reports whether a gate accepts the new build: never with SLOWER, and with NO_DATA only if
/// allowed.
bool passes(const Comparison& comparison, bool allow_no_data);

}  // namespace archgrid::perf

#endif
