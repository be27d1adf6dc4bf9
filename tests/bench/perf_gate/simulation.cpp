// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "simulation.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

namespace archgrid::simulation {
namespace {

using perf::Decision;
using perf::Pair;

constexpr double kOutlier = 10;
constexpr double kBaseMhz = 1980;
constexpr double kLeaveState = 0.1;
constexpr double kMostly = 0.8;

/// A random generator with the same numbers in every standard library. std::normal_distribution
/// does not promise that.
class Chance {
 public:
  explicit Chance(std::uint64_t seed) : engine_(seed) {}

  /// Returns a number in [0, 1).
  double uniform() { return static_cast<double>(engine_() >> 11U) * 0x1p-53; }
  bool is(double probability) { return uniform() < probability; }
  double gaussian() {
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

 private:
  std::mt19937_64 engine_;
};

/// A simulated GPU that executes one run after another.
class Machine {
 public:
  Machine(const Noise& noise, std::size_t runs, std::uint64_t seed)
      : noise_(noise), runs_(static_cast<double>(runs)), chance_(seed), is_low_(chance_.is(0.5)) {}

  struct Result {
    double seconds;
    double mhz;
  };

  Result run(double seconds, bool is_new) {
    change_state(is_new);
    const double state = is_low_ ? 1 + kStateGap : 1;
    seconds *= state * std::exp(noise_.sigma * chance_.gaussian());
    seconds *= 1 + noise_.drift * done_++ / runs_;
    if (noise_.outliers > 0 && chance_.is(noise_.outliers)) seconds *= kOutlier;
    return {seconds, kBaseMhz / state};
  }

 private:
  void change_state(bool is_new) {
    switch (noise_.states) {
      case States::one:
        is_low_ = false;
        break;
      case States::independent:
        is_low_ = chance_.is(0.5);
        break;
      case States::sticky:
        is_low_ = is_low_ != chance_.is(kLeaveState);
        break;
      case States::with_build:
        is_low_ = is_new;
        break;
      case States::mostly_with_build:
        is_low_ = chance_.is(is_new ? kMostly : 1 - kMostly);
        break;
    }
  }

  const Noise& noise_;
  double runs_;
  double done_ = 0;
  Chance chance_;
  bool is_low_;
};

struct Summary {
  double minimum, q1, median, q3, mean, deviation;
};

/// Interpolates between the two neighbours in a sorted list.
double quantile(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const auto above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

Summary summarise(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {values.front(),
          quantile(values, 0.25),
          quantile(values, 0.5),
          quantile(values, 0.75),
          mean,
          std::sqrt(squares / (count - 1))};
}

template <typename Value>
Summary base_of(const std::vector<Pair>& pairs, const Value& value) {
  std::vector<double> values;
  for (const auto& pair : pairs) values.push_back(value(pair.base_seconds, *pair.base_mhz));
  return summarise(std::move(values));
}

template <typename Value>
Summary new_of(const std::vector<Pair>& pairs, const Value& value) {
  std::vector<double> values;
  for (const auto& pair : pairs) values.push_back(value(pair.new_seconds, *pair.new_mhz));
  return summarise(std::move(values));
}

double seconds_of(double seconds, double /*mhz*/) {
  return seconds;
}

double cycles_of(double seconds, double mhz) {
  return seconds * mhz;
}

Decision beyond(double change, double limit) {
  if (std::abs(change) <= limit) return Decision::same;
  return change > 0 ? Decision::slower : Decision::faster;
}

constexpr double kThreshold = 0.05;

Decision threshold_on_medians(const std::vector<Pair>& pairs) {
  return beyond(new_of(pairs, seconds_of).median / base_of(pairs, seconds_of).median - 1,
                kThreshold);
}

Decision threshold_on_means(const std::vector<Pair>& pairs) {
  return beyond(new_of(pairs, seconds_of).mean / base_of(pairs, seconds_of).mean - 1, kThreshold);
}

/// Compares the change of the means with the smaller of the two noises, which are relative
/// standard deviations. Source: nvbench, python/scripts/nvbench_compare_legacy.py.
Decision nvbench_legacy(const std::vector<Pair>& pairs) {
  const auto base = base_of(pairs, seconds_of);
  const auto fresh = new_of(pairs, seconds_of);
  return beyond(fresh.mean / base.mean - 1,
                std::min(base.deviation / base.mean, fresh.deviation / fresh.mean));
}

// Limits of nvbench's robust rule, default preset. Source: docs/nvbench_compare_robust.md in
// nvbench.
constexpr double kClearGap = 0.005;
constexpr double kCenter = 0.005;
constexpr double kOverlap = 0.5;
constexpr double kDispersion = 0.02;

/// Returns SLOWER or FASTER for a clear gap between the intervals [min, q3], else AMBIGUOUS.
Decision clear_gap(const Summary& base, const Summary& fresh) {
  if (fresh.minimum / base.q3 - 1 >= kClearGap) return Decision::slower;
  if (base.minimum / fresh.q3 - 1 >= kClearGap) return Decision::faster;
  return Decision::ambiguous;
}

bool is_compatible(const Summary& base, const Summary& fresh) {
  const auto dispersion = [](const Summary& side) { return (side.q3 - side.q1) / side.median; };
  const double overlap = std::min(base.q3, fresh.q3) - std::max(base.minimum, fresh.minimum);
  const double narrower = std::min(base.q3 - base.minimum, fresh.q3 - fresh.minimum);
  return std::max(dispersion(base), dispersion(fresh)) <= kDispersion &&
         std::abs(base.median - fresh.median) / std::min(base.median, fresh.median) <= kCenter &&
         overlap >= kOverlap * narrower;
}

Decision nvbench_robust(const std::vector<Pair>& pairs) {
  const auto base = base_of(pairs, seconds_of);
  const auto fresh = new_of(pairs, seconds_of);
  const auto base_cycles = base_of(pairs, cycles_of);
  const auto new_cycles = new_of(pairs, cycles_of);
  const auto gap = clear_gap(base, fresh);
  if (gap != Decision::ambiguous) {
    return gap == clear_gap(base_cycles, new_cycles) ? gap : Decision::ambiguous;
  }
  const bool same = is_compatible(base, fresh) && is_compatible(base_cycles, new_cycles);
  return same ? Decision::same : Decision::ambiguous;
}

Decision gate(const std::vector<Pair>& pairs) {
  return perf::judge(pairs).decision;
}

/// Hides the clocks from the gate, for runs that do not report them.
std::vector<Pair> without_clocks(std::vector<Pair> pairs) {
  for (auto& pair : pairs) pair.base_mhz = pair.new_mhz = std::nullopt;
  return pairs;
}

void count(Decision decision, Shares& shares) {
  switch (decision) {
    case Decision::slower:
      ++shares.slower;
      break;
    case Decision::faster:
      ++shares.faster;
      break;
    case Decision::same:
      ++shares.same;
      break;
    case Decision::ambiguous:
      ++shares.ambiguous;
      break;
    default:
      ++shares.other;
  }
}

}  // namespace

std::vector<Noise> possible_noises() {
  return {{"Gaussian 0.5 %", 0.005, States::one, 0, 0, false},
          {"Gaussian 1 %", 0.01, States::one, 0, 0, false},
          {"two clock states, each run anew", 0.005, States::independent, 0, 0, false},
          {"two clock states, sticky", 0.005, States::sticky, 0, 0, false},
          {"drift of 2 %", 0.005, States::one, 0.02, 0, false},
          {"1 % outliers, tenfold", 0.005, States::one, 0, 0.01, false},
          {"all together, states sticky", 0.01, States::sticky, 0.02, 0.01, false},
          {"all together, states anew, clocks known", 0.01, States::independent, 0.02, 0.01, true}};
}

std::vector<Noise> impossible_noises() {
  return {
      {"low clock with the new build, clocks known", 0.005, States::with_build, 0, 0, true},
      {"low clock with the new build, clocks unknown", 0.005, States::with_build, 0, 0, false},
      {"low clock mostly with it, clocks known", 0.005, States::mostly_with_build, 0, 0, true},
      {"low clock mostly with it, clocks unknown", 0.005, States::mostly_with_build, 0, 0, false},
      {"all together, states anew, clocks unknown", 0.01, States::independent, 0.02, 0.01, false},
      {"Gaussian 5 %", 0.05, States::one, 0, 0, false}};
}

std::vector<Pair> pairs_of(const Noise& noise, double slowdown, std::size_t pairs,
                           std::uint64_t seed) {
  Machine machine(noise, 2 * pairs, seed);
  std::vector<Pair> result;
  for (std::size_t i = 0; i < pairs; ++i) {
    const bool base_first = i % 2 == 0;
    Machine::Result base{};
    if (base_first) base = machine.run(1, false);
    const auto fresh = machine.run(1 + slowdown, true);
    if (!base_first) base = machine.run(1, false);
    result.push_back({base.seconds, fresh.seconds, base.mhz, fresh.mhz});
  }
  return result;
}

std::vector<Rule> rules() {
  return {{"archgrid", gate},
          {"5 % on medians", threshold_on_medians},
          {"5 % on means", threshold_on_means},
          {"nvbench legacy", nvbench_legacy},
          {"nvbench robust", nvbench_robust}};
}

Shares shares_of(const Rule& rule, const Noise& noise, double slowdown, std::size_t pairs,
                 std::size_t cases, std::uint64_t seed) {
  Shares shares;
  const bool hides_clocks = rule.decide == gate && !noise.clocks;
  for (std::size_t i = 0; i < cases; ++i) {
    auto runs = pairs_of(noise, slowdown, pairs, seed + i);
    if (hides_clocks) runs = without_clocks(std::move(runs));
    count(rule.decide(runs), shares);
  }
  for (double* share :
       {&shares.slower, &shares.faster, &shares.same, &shares.ambiguous, &shares.other}) {
    *share /= static_cast<double>(cases);
  }
  return shares;
}

}  // namespace archgrid::simulation
