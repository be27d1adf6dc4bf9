// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether a new build is slower than its base, decided by times that were measured in turn on one
// machine. docs/performance.md tells how well, and where it cannot be told.
#ifndef ARCHGRID_PERF_GATE_HPP
#define ARCHGRID_PERF_GATE_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace archgrid::perf {

enum class Decision {
  same,       ///< no change as big as the tolerance
  faster,     ///< faster, by more than what is negligible
  slower,     ///< slower, by more than what is negligible: the only one that says a build is worse
  ambiguous,  ///< the runs differ too much to tell, or in a way that no code explains
  no_baseline,  ///< nothing of the same key to compare with
  no_data       ///< nothing, or too little, was measured
};

/// "SAME", "FASTER", "SLOWER", "AMBIGUOUS", "NO_BASELINE", "NO_DATA"
const char* name_of(Decision decision);

/// Two runs, one of each build, that followed each other.
struct Pair {
  double base_seconds = 0;
  double new_seconds = 0;
  std::optional<double> base_mhz;  ///< the SM clock, where it is known
  std::optional<double> new_mhz;
};

struct Rules {
  double negligible = 0.001;  ///< a change that is surely bigger is SLOWER or FASTER
  double tolerance = 0.02;    ///< a change that is surely smaller, and not one of those, is SAME
  double confidence = 0.98;   ///< of the interval: each end is wrong in half of the rest
  std::size_t fewest_pairs = 8;
};

/// A relative change, of the new build against its base: 0.02 takes 2 % longer. The estimate is
/// between the ends.
struct Change {
  double low = 0;
  double estimate = 0;
  double high = 0;
};

struct Judgement {
  Decision decision = Decision::no_data;
  std::string reason;            ///< a clause for people
  std::size_t pairs = 0;         ///< that were judged
  std::optional<Change> time;    ///< nothing where nothing was measured
  std::optional<Change> clock;   ///< of the SM clock, where it is known for every run
  std::optional<Change> cycles;  ///< of time x clock, likewise
  bool by_cycles = false;        ///< they were judged, as they vary less than the times
  /// Of AMBIGUOUS: about so many pairs more decide, if they vary as these do. Nothing where no
  /// number of them would.
  std::optional<std::size_t> more_pairs;
};

/// What the test is called.
constexpr const char* kTestName =
    "Wilcoxon signed-rank test on paired log ratios, with the Hodges-Lehmann estimate";

/// The change from base to new: Hodges and Lehmann's estimate, the median of all means of two log
/// ratios, and the interval of those that Wilcoxon's signed-rank test does not refuse (exact up to
/// 100 pairs, then by the normal approximation). Nothing where there are too few pairs for an
/// interval of this confidence. Ratios are finite and above 0.
/// Source: Hollander, Wolfe, Chicken, Nonparametric Statistical Methods, 3rd edition, 3.1 to 3.3.
std::optional<Change> paired_change(const std::vector<double>& log_ratios, double confidence);

/// Throws std::invalid_argument for rules that make no sense, and for more than 5000 pairs.
Judgement judge(const std::vector<Pair>& pairs, const Rules& rules = {});

}  // namespace archgrid::perf

#endif
