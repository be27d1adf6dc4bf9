// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <archgrid/gtest/seed.hpp>
#include <cstdint>
#include <set>

namespace archgrid {
namespace {

/// Restores the run's seed for other tests.
class Seed : public ::testing::Test {
 protected:
  ~Seed() override { set_seed(kDefaultSeed); }
};

TEST_F(Seed, IsTheSameForATestHoweverOftenItAsks) {
  EXPECT_EQ(seed(), seed());
  EXPECT_EQ(seed(), seed(0));
  std::set<std::uint64_t> seeds;
  for (std::uint64_t number = 0; number < 1000; ++number) seeds.insert(seed(number));
  EXPECT_EQ(seeds.size(), 1000u);
}

TEST_F(Seed, ComesFromTheSeedOfTheRun) {
  const std::uint64_t of_default = seed();
  set_seed(42);
  const std::uint64_t of_42 = seed();
  EXPECT_NE(of_42, of_default);
  set_seed(kDefaultSeed);
  EXPECT_EQ(seed(), of_default);
}

// The seeds of these names must never change, whatever the order or the filter.
TEST_F(Seed, ComesFromTheName) {
  EXPECT_EQ(seed(), 0xAA281EEF40BCD0Au);
}
TEST_F(Seed, DiffersForAnotherName) {
  EXPECT_EQ(seed(), 0x6E5AE4C78614DFEAu);
}

}  // namespace
}  // namespace archgrid
