// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <archgrid/perf_records/gate.hpp>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <mutex>
#include <stdexcept>
#include <utility>

namespace archgrid::perf {
namespace {

constexpr std::size_t kMaxExact = 100;
constexpr std::size_t kMaxPairs = 5000;
constexpr std::size_t kMaxWanted = 100000;
/// The fraction of runs at each end of a distribution that may be outliers.
constexpr double kEnd = 0.1;
/// The minimum share of the change at both ends. It varies more there, as few runs are at an end.
constexpr double kEndShare = 0.35;
/// A change that is certainly larger is not attributed to clocks: a GPU's clock states are closer.
constexpr double kMaxByClocks = 0.2;

/// Returns the value that a standard normal variable exceeds with this probability, by bisection.
double normal_quantile(double tail) {
  double low = 0;
  double high = 40;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (std::erfc(middle / std::sqrt(2.0)) / 2 > tail ? low : high) = middle;
  }
  return low;
}

/// Returns the largest k such that the sum of the ranks of positive signs is below k with a
/// probability of at most `tail`, for equally likely signs. 0: there is none.
std::size_t exact_rank(std::size_t pairs, double tail) {
  // ways[s]: fraction of all sign choices with the sum s
  std::vector<double> ways(pairs * (pairs + 1) / 2 + 1, 0.0);
  ways[0] = 1;
  std::size_t most = 0;
  for (std::size_t rank = 1; rank <= pairs; ++rank) {
    most += rank;
    for (std::size_t sum = most + 1; sum-- > 0;) {
      ways[sum] = (ways[sum] + (sum >= rank ? ways[sum - rank] : 0.0)) / 2;
    }
  }
  double below = 0;
  std::size_t k = 0;
  while (below + ways[k] <= tail) below += ways[k++];
  return k;
}

std::size_t approximate_rank(std::size_t pairs, double tail) {
  const auto n = static_cast<double>(pairs);
  const double mean = n * (n + 1) / 4;
  const double deviation = std::sqrt(n * (n + 1) * (2 * n + 1) / 24);
  return static_cast<std::size_t>(std::max(0.0, mean - normal_quantile(tail) * deviation));
}

std::size_t rank_of(std::size_t pairs, double tail) {
  static std::mutex mutex;
  static std::map<std::pair<std::size_t, double>, std::size_t> known;
  const std::lock_guard<std::mutex> lock(mutex);
  const auto [entry, fresh] = known.try_emplace({pairs, tail}, 0);
  if (fresh) {
    entry->second = pairs <= kMaxExact ? exact_rank(pairs, tail) : approximate_rank(pairs, tail);
  }
  return entry->second;
}

/// Returns the means of every two values, and of each value with itself (Walsh averages).
std::vector<double> means_of_two(const std::vector<double>& values) {
  std::vector<double> means;
  means.reserve(values.size() * (values.size() + 1) / 2);
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = i; j < values.size(); ++j) means.push_back((values[i] + values[j]) / 2);
  }
  return means;
}

double nth(std::vector<double>& values, std::size_t index) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(index);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

double median(std::vector<double>& values) {
  const std::size_t upper = values.size() / 2;
  const double high = nth(values, upper);
  if (values.size() % 2 == 1) return high;
  return (nth(values, upper - 1) + high) / 2;
}

/// Formats a relative change.
std::string percent(double change) {
  char text[32];
  std::snprintf(text, sizeof text, "%+.2f %%", change * 100);
  return text;
}

/// Formats a limit.
std::string plain_percent(double limit) {
  char text[32];
  std::snprintf(text, sizeof text, "%g %%", limit * 100);
  return text;
}

/// Reports whether a clock can show the value. Ratios of two such values are finite, too.
bool is_measured(double value) {
  constexpr double kMost = 1e15;
  return value > 1 / kMost && value < kMost;
}

bool is_measured(const Pair& pair) {
  return is_measured(pair.base_seconds) && is_measured(pair.new_seconds);
}

bool has_clocks(const Pair& pair) {
  return pair.base_mhz && pair.new_mhz && is_measured(*pair.base_mhz) && is_measured(*pair.new_mhz);
}

void check(const Rules& rules) {
  const bool good = rules.negligible >= 0 && rules.tolerance > rules.negligible &&
                    rules.tolerance < 1 && rules.confidence > 0.5 && rules.confidence < 1;
  if (!good) {
    throw std::invalid_argument(
        "the gate needs 0 <= negligible < tolerance < 1 and a confidence between 0.5 and 1");
  }
}

/// Returns the smallest number of pairs with an interval of this confidence.
std::size_t fewest_pairs(const Rules& rules) {
  const double tail = (1 - rules.confidence) / 2;
  const auto least = static_cast<std::size_t>(std::ceil(-std::log2(tail)));
  return std::max(rules.fewest_pairs, least);
}

/// Returns the decision by the interval alone.
Decision decide(const Change& change, const Rules& rules) {
  if (change.low > rules.negligible) return Decision::slower;
  if (change.high < -rules.negligible) return Decision::faster;
  const bool small = change.low > -rules.tolerance && change.high < rules.tolerance;
  return small ? Decision::same : Decision::ambiguous;
}

/// The costs of runs: their times, or their cycles.
struct Costs {
  std::vector<double> base;
  std::vector<double> fresh;
};

Costs costs_of(const std::vector<Pair>& pairs, bool in_cycles) {
  Costs costs;
  for (const Pair& pair : pairs) {
    costs.base.push_back(pair.base_seconds * (in_cycles ? *pair.base_mhz : 1));
    costs.fresh.push_back(pair.new_seconds * (in_cycles ? *pair.new_mhz : 1));
  }
  return costs;
}

std::vector<double> log_ratios(const std::vector<double>& base, const std::vector<double>& fresh) {
  std::vector<double> values;
  for (std::size_t i = 0; i < base.size(); ++i) values.push_back(std::log(fresh[i] / base[i]));
  return values;
}

Change change_of(const Costs& costs, const Rules& rules) {
  return *paired_change(log_ratios(costs.base, costs.fresh), rules.confidence);
}

Change clock_change_of(const std::vector<Pair>& pairs, const Rules& rules) {
  std::vector<double> base;
  std::vector<double> fresh;
  for (const Pair& pair : pairs) {
    base.push_back(*pair.base_mhz);
    fresh.push_back(*pair.new_mhz);
  }
  return *paired_change(log_ratios(base, fresh), rules.confidence);
}

/// Returns the changes at the fast and the slow end of the distributions. Slower code is slower at
/// both ends; a clock that is low more often for one build leaves an end unchanged.
std::pair<double, double> end_changes(Costs costs) {
  const std::size_t size = costs.base.size();
  const auto left_out = static_cast<std::size_t>(kEnd * static_cast<double>(size));
  const auto change = [&](std::size_t index) {
    return nth(costs.fresh, index) / nth(costs.base, index) - 1;
  };
  return {change(left_out), change(size - 1 - left_out)};
}

/// Returns how many more pairs make the interval narrow enough for one side of a limit. Its width
/// falls with the square root of their number.
std::optional<std::size_t> pairs_wanted(const Change& change, std::size_t pairs,
                                        const Rules& rules) {
  const double size = std::abs(change.estimate);
  const double room = std::max(size - rules.negligible, rules.tolerance - size);
  const double width = std::max(change.high - change.estimate, change.estimate - change.low);
  const double total = static_cast<double>(pairs) * (width / room) * (width / room);
  if (!(total < static_cast<double>(kMaxWanted))) return std::nullopt;
  const auto wanted = static_cast<std::size_t>(std::ceil(total));
  return std::max<std::size_t>(wanted, pairs + 1) - pairs;
}

/// Reports whether the clocks of the builds differ by more than chance.
bool differs(const Change& clock, const Rules& rules) {
  return clock.low > rules.negligible || clock.high < -rules.negligible;
}

double width_of(const Change& change) {
  return change.high - change.low;
}

void doubt(GateResult& result, const std::string& reason) {
  result.decision = Decision::ambiguous;
  result.reason = reason + ": lock the clocks";
  result.more_pairs.reset();
}

void doubt_ends(const Costs& costs, const Change& change, GateResult& result) {
  if (change.low > kMaxByClocks || change.high < -kMaxByClocks) return;
  const auto [fast, slow] = end_changes(costs);
  const double least = kEndShare * change.estimate;
  if (fast / least > 1 && slow / least > 1) return;
  doubt(result, "only some of the runs changed (" + percent(fast) + " at the fast end, " +
                    percent(slow) + " at the slow end), as clocks do and code does not");
}

void doubt_clocks(const Rules& rules, GateResult& result) {
  if (!result.clock || !differs(*result.clock, rules)) return;
  if (decide(*result.time, rules) == decide(*result.cycles, rules)) return;
  doubt(result, "the GPU's clock changed by " + percent(result.clock->estimate) +
                    " with the build, time by " + percent(result.time->estimate) +
                    ", and cycles by " + percent(result.cycles->estimate));
}

std::string reason_for(Decision decision, const Rules& rules) {
  switch (decision) {
    case Decision::slower:
      return "slower by more than " + plain_percent(rules.negligible);
    case Decision::faster:
      return "faster by more than " + plain_percent(rules.negligible);
    case Decision::same:
      return "any change is smaller than " + plain_percent(rules.tolerance);
    default:
      return "the runs differ too much to tell";
  }
}

}  // namespace

const char* name_of(Decision decision) {
  switch (decision) {
    case Decision::same:
      return "SAME";
    case Decision::faster:
      return "FASTER";
    case Decision::slower:
      return "SLOWER";
    case Decision::ambiguous:
      return "AMBIGUOUS";
    case Decision::no_baseline:
      return "NO_BASELINE";
    case Decision::no_data:
      break;
  }
  return "NO_DATA";
}

std::optional<Change> paired_change(const std::vector<double>& log_ratios, double confidence) {
  const std::size_t k = rank_of(log_ratios.size(), (1 - confidence) / 2);
  if (log_ratios.empty() || k == 0) return std::nullopt;
  std::vector<double> means = means_of_two(log_ratios);
  Change change;
  change.low = std::expm1(nth(means, k - 1));
  change.high = std::expm1(nth(means, means.size() - k));
  change.estimate = std::expm1(median(means));
  return change;
}

GateResult judge(const std::vector<Pair>& pairs, const Rules& rules) {
  check(rules);
  if (pairs.size() > kMaxPairs) {
    throw std::invalid_argument("the gate judges at most " + std::to_string(kMaxPairs) + " pairs");
  }
  GateResult result;
  result.pairs = pairs.size();
  const auto measured = [](const Pair& pair) { return is_measured(pair); };
  if (!std::all_of(pairs.begin(), pairs.end(), measured)) {
    result.reason = "a run measured nothing";
    return result;
  }
  if (pairs.size() < fewest_pairs(rules)) {
    result.reason = std::to_string(pairs.size()) +
                    " pairs of runs are too few: " + std::to_string(fewest_pairs(rules)) +
                    " are the least";
    return result;
  }
  Costs costs = costs_of(pairs, false);
  result.time = change_of(costs, rules);
  Change change = *result.time;
  if (std::all_of(pairs.begin(), pairs.end(), has_clocks)) {
    Costs in_cycles = costs_of(pairs, true);
    result.clock = clock_change_of(pairs, rules);
    result.cycles = change_of(in_cycles, rules);
    result.by_cycles = width_of(*result.cycles) < width_of(change);
    if (result.by_cycles) {
      costs = std::move(in_cycles);
      change = *result.cycles;
    }
  }
  result.decision = decide(change, rules);
  result.reason = reason_for(result.decision, rules);
  if (result.decision == Decision::ambiguous) {
    result.more_pairs = pairs_wanted(change, pairs.size(), rules);
  } else if (result.decision != Decision::same) {
    doubt_ends(costs, change, result);
  }
  doubt_clocks(rules, result);
  return result;
}

}  // namespace archgrid::perf
