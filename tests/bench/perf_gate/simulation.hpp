// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Simulates runs of two builds with a known difference under known noise, and applies the gate and
// other tools' rules to them.
#ifndef ARCHGRID_TESTS_PERF_GATE_SIMULATION_HPP
#define ARCHGRID_TESTS_PERF_GATE_SIMULATION_HPP

#include <archgrid/perf_records/gate.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace archgrid::simulation {

/// The runs in which the GPU is in the lower of two clock states.
enum class States {
  one,               ///< never
  independent,       ///< by chance, drawn anew for each run
  sticky,            ///< drawn once by chance; changes in one run of ten
  with_build,        ///< every run of the new build
  mostly_with_build  ///< four of five runs of the new build and one of five of its base
};

struct Noise {
  std::string name;
  double sigma = 0.005;  ///< relative sigma of the Gaussian noise of each run
  States states = States::one;
  double drift = 0;     ///< relative, from the first run to the last
  double outliers = 0;  ///< share of runs that take ten times as long
  bool clocks = false;  ///< true if the runs report their clocks
};

/// Noises under which 2 % can be distinguished from no slowdown.
std::vector<Noise> possible_noises();
/// Noises under which 2 % cannot be distinguished from no slowdown, except with `clocks`.
std::vector<Noise> impossible_noises();

constexpr double kStateGap = 0.03;

/// Returns runs interleaved as by `archgrid perf run`: base, new, new, base, and so on.
std::vector<perf::Pair> pairs_of(const Noise& noise, double slowdown, std::size_t pairs,
                                 std::uint64_t seed);

/// A rule that decides if a build is slower.
struct Rule {
  std::string name;
  perf::Decision (*decide)(const std::vector<perf::Pair>& pairs);
};

/// Returns the gate, a threshold of 5 % on medians and on means, and nvbench-compare's legacy and
/// robust rules.
std::vector<Rule> rules();

/// The frequency of each decision, as a share of all cases.
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
