// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_SEED_HPP
#define ARCHGRID_SEED_HPP

#include <cstdint>

namespace archgrid {

/// What every seed of a run is made from, unless it is set.
constexpr std::uint64_t kDefaultSeed = 1;

/// From now on a failed test that asked for a seed prints it. seed() sees to it, too.
void tell_seeds_of_failed_tests();

/// Sets what every later seed of this run is made from.
void set_seed(std::uint64_t base);

/// A seed of the test that runs, made from that of the run, the test's full name and `number`,
/// which tells the seeds of one test apart: which tests run beside it, and in what order, does not
/// matter. A test that asked for one and fails prints the run's seed, with which it fails again;
/// it is also the test's property "archgrid_seed" in GoogleTest's XML and JSON. Outside of tests,
/// the name is empty and nothing is printed.
std::uint64_t seed(std::uint64_t number = 0);

}  // namespace archgrid

#endif
