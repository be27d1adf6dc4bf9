// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Decides whether a new build is slower than its base, by times that were measured alternately on
// one machine. docs/performance.md describes how reliable that is, and its limits.
#ifndef ARCHGRID_PERF_RECORDS_GATE_HPP
#define ARCHGRID_PERF_RECORDS_GATE_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace archgrid::perf {

enum class Decision {
  same,         ///< no change as large as the tolerance
  faster,       ///< faster by more than the negligible change
  slower,       ///< slower by more than the negligible change: the only one that says a build is
                ///< worse
  ambiguous,    ///< the runs vary too much, or in a way that no code explains
  no_baseline,  ///< no baseline with the same key
  no_data       ///< no measurements, or too few
};

/// Returns "SAME", "FASTER", "SLOWER", "AMBIGUOUS", "NO_BASELINE" or "NO_DATA".
const char* name_of(Decision decision);

/// Two consecutive runs, one of each build.
struct Pair {
  double base_seconds = 0;
  double new_seconds = 0;
  std::optional<double> base_mhz;  ///< the SM clock, if known
  std::optional<double> new_mhz;
};

struct Rules {
  double negligible = 0.001;  ///< a change that is certainly larger is SLOWER or FASTER
  double tolerance = 0.02;    ///< a change that is certainly smaller, and neither of these, is SAME
  double confidence = 0.98;   ///< of the interval; each end is wrong with (1 - confidence) / 2
  std::size_t fewest_pairs = 8;
};

/// A relative change of the new build against its base: 0.02 takes 2 % longer. The estimate is
/// between the ends.
struct Change {
  double low = 0;
  double estimate = 0;
  double high = 0;
};

/// The decision about one benchmark, and its evidence.
struct GateResult {
  Decision decision = Decision::no_data;
  std::string reason;            ///< a clause for people
  std::size_t pairs = 0;         ///< number of judged pairs
  std::optional<Change> time;    ///< nothing if nothing was measured
  std::optional<Change> clock;   ///< change of the SM clock, if known for every run
  std::optional<Change> cycles;  ///< change of time x clock, if known for every run
  bool by_cycles = false;        ///< the decision is on cycles, as they vary less than the times
  /// For AMBIGUOUS: about this many more pairs decide if they vary like these. Nothing if no number
  /// of pairs would.
  std::optional<std::size_t> more_pairs;
};

/// The name of the test.
constexpr const char* kTestName =
    "Wilcoxon signed-rank test on paired log ratios, with the Hodges-Lehmann estimate";

/// Returns the change from base to new: the Hodges-Lehmann estimate, which is the median of the
/// means of all pairs of log ratios, and the interval of changes that Wilcoxon's signed-rank test
/// does not reject (exact up to 100 pairs, then by the normal approximation). Returns nothing if
/// there are too few pairs for an interval of this confidence. Ratios must be finite and positive.
/// Source: Hollander, Wolfe, Chicken, Nonparametric Statistical Methods, 3rd edition, 3.1 to 3.3.
std::optional<Change> paired_change(const std::vector<double>& log_ratios, double confidence);

/// Judges the pairs. Throws std::invalid_argument for invalid rules, and for more than 5000 pairs.
GateResult judge(const std::vector<Pair>& pairs, const Rules& rules = {});

}  // namespace archgrid::perf

#endif
