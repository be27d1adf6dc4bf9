// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs of two builds whose difference is known, under noise that is known, and what the gate and
// others' rules make of them.
#ifndef ARCHGRID_TESTS_PERF_GATE_SIMULATION_HPP
#define ARCHGRID_TESTS_PERF_GATE_SIMULATION_HPP

#include <archgrid/perf/gate.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace archgrid::simulation {

/// When the GPU is in the lower of two clock states.
enum class States {
  one,               ///< never
  independent,       ///< by chance, for each run anew
  sticky,            ///< by chance, and each run keeps it but for one in ten
  with_build,        ///< whenever the new build runs
  mostly_with_build  ///< in four of five runs of the new build and in one of five of its base
};

struct Noise {
  std::string name;
  double sigma = 0.005;  ///< of the Gaussian noise that each run has, relative
  States states = States::one;
  double drift = 0;     ///< from the first run to the last, relative
  double outliers = 0;  ///< the share of runs that take ten times as long
  bool clocks = false;  ///< whether the runs tell their clocks
};

/// Under which 2 % can be told from nothing.
std::vector<Noise> possible_noises();
/// Under which they cannot, but for `clocks`.
std::vector<Noise> impossible_noises();

constexpr double kStateGap = 0.03;

/// Interleaved as `archgrid perf run` does: base, new, new, base, and so on.
std::vector<perf::Pair> pairs_of(const Noise& noise, double slowdown, std::size_t pairs,
                                 std::uint64_t seed);

/// What says whether a build is slower.
struct Rule {
  std::string name;
  perf::Decision (*decide)(const std::vector<perf::Pair>& pairs);
};

/// The gate, a threshold of 5 % on medians and on means, nvbench-compare's legacy and robust rules.
std::vector<Rule> rules();

/// How often each decision was made, as a share of all cases.
struct Shares {
  double slower = 0;
  double faster = 0;
  double same = 0;
  double ambiguous = 0;
  double other = 0;
};

Shares shares_of(const Rule& rule, const Noise& noise, double slowdown, std::size_t pairs,
                 std::size_t cases, std::uint64_t seed);

}  // namespace archgrid::simulation

#endif
