// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_GTEST_SEED_HPP
#define ARCHGRID_GTEST_SEED_HPP

#include <cstdint>

namespace archgrid {

/// The base of every seed of a run, unless set otherwise.
constexpr std::uint64_t kDefaultSeed = 1;

/// Makes every failed test that called seed() print the run's seed from now on. seed() calls this,
/// too.
void tell_seeds_of_failed_tests();

/// Sets the base of every later seed of this run.
void set_seed(std::uint64_t base);

/// Returns a seed for the running test, derived from the run's seed, the test's full name and
/// `number`, which distinguishes several seeds of one test. It does not depend on which other tests
/// run, or in what order. A test that called this and fails prints the run's seed, with which it
/// fails again; the seed is also the test's property "archgrid_seed" in GoogleTest's XML and JSON.
/// Outside of tests, the name is empty and nothing is printed.
std::uint64_t seed(std::uint64_t number = 0);

}  // namespace archgrid

#endif
