// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Two builds' records, benchmark by benchmark.
#ifndef ARCHGRID_PERF_COMPARE_HPP
#define ARCHGRID_PERF_COMPARE_HPP

#include <archgrid/perf/files.hpp>
#include <archgrid/perf/gate.hpp>
#include <optional>
#include <string>
#include <vector>

namespace archgrid::perf {

struct CompareOptions {
  Rules rules;  ///< the confidence is that of all benchmarks' intervals together
  /// Take the runs of both builds in their order for pairs. Without it only those are pairs that
  /// tell so themselves, by series and number.
  bool by_order = false;
};

struct BenchmarkComparison {
  std::string name;
  Cache cache = Cache::hot;
  Work work;
  Judgement judgement;
  std::optional<double> base_seconds;  ///< the median of the judged runs' medians
  std::optional<double> new_seconds;
  std::size_t throttled = 0;  ///< pairs that were left out because a run was throttled
  std::size_t empty = 0;      ///< or measured nothing
  std::size_t alone = 0;      ///< runs of either build without a partner
  std::size_t unknown = 0;    ///< judged pairs of which nobody knows whether they were throttled
};

struct Comparison {
  std::string base_path;
  std::string new_path;
  Key base_key;
  Key new_key;
  Rules rules;
  double confidence_of_each = 0;  ///< of one benchmark's interval
  std::vector<BenchmarkComparison> benchmarks;
};

/// Every benchmark of either file. Throws std::invalid_argument for rules that make no sense.
Comparison compare(const File& base, const File& fresh, const CompareOptions& options = {});

/// How many benchmarks a decision was made for.
std::size_t count(const Comparison& comparison, Decision decision);

/// What all of it comes to: the worst. SLOWER, then NO_DATA (also where there is no benchmark),
/// AMBIGUOUS, NO_BASELINE, FASTER, SAME.
Decision verdict(const Comparison& comparison);

/// Whether a gate lets the new build through: SLOWER never does, and NO_DATA only where it is
/// allowed.
bool passes(const Comparison& comparison, bool allow_no_data);

}  // namespace archgrid::perf

#endif
