// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <archgrid/gtest/numbers.hpp>
#include <archgrid/gtest/seed.hpp>
#include <atomic>
#include <iostream>
#include <string>

namespace archgrid {
namespace {

std::atomic<std::uint64_t> base_seed{kDefaultSeed};
std::atomic<bool> test_asked{false};

/// Prints the seed of a failed test that called seed().
class FailedSeeds : public ::testing::EmptyTestEventListener {
  void OnTestEnd(const ::testing::TestInfo& test) override {
    if (!test_asked.exchange(false) || !test.result()->Failed()) return;
    std::cout << "archgrid: seed     " << base_seed << " of " << test.test_suite_name() << "."
              << test.name() << "; --archgrid_seed=" << base_seed << " repeats it" << std::endl;
  }
};

/// 64-bit FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/
std::uint64_t hash_of(const std::string& text) {
  std::uint64_t hash = 0xCBF29CE484222325u;
  for (const char letter : text) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001B3u;
  }
  return hash;
}

/// Returns the name of the running test, and records that it called seed().
std::string asking_test() {
  ::testing::UnitTest& program = *::testing::UnitTest::GetInstance();
  const ::testing::TestInfo* test = program.current_test_info();
  if (test == nullptr) return "";
  tell_seeds_of_failed_tests();
  if (!test_asked.exchange(true)) {
    ::testing::Test::RecordProperty("archgrid_seed", std::to_string(base_seed));
  }
  return std::string(test->test_suite_name()) + "." + test->name();
}

}  // namespace

void tell_seeds_of_failed_tests() {
  static const bool listens = [] {
    ::testing::UnitTest::GetInstance()->listeners().Append(new FailedSeeds);
    return true;
  }();
  static_cast<void>(listens);
}

void set_seed(std::uint64_t base) {
  base_seed = base;
}

std::uint64_t seed(std::uint64_t number) {
  RandomBits of_run(base_seed);
  RandomBits of_test(of_run.next() ^ hash_of(asking_test()));
  return RandomBits(of_test.next() ^ number).next();
}

}  // namespace archgrid
