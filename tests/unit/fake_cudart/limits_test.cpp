// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "limits.hpp"

#include <gtest/gtest.h>

namespace archgrid::fake_cudart {
namespace {

// Source: CUDA Programming Guide, "Compute Capabilities".
TEST(Limits, AreThoseOfTheGuide) {
  EXPECT_EQ(limits_of({7, 0}).shared_per_block_optin, 96U * 1024);
  EXPECT_EQ(limits_of({7, 5}).shared_per_block_optin, 64U * 1024);
  EXPECT_EQ(limits_of({8, 0}).shared_per_block_optin, 163U * 1024);
  EXPECT_EQ(limits_of({8, 6}).shared_per_block_optin, 99U * 1024);
  EXPECT_EQ(limits_of({8, 7}).shared_per_block_optin, 163U * 1024);
  EXPECT_EQ(limits_of({8, 9}).shared_per_block_optin, 99U * 1024);
  EXPECT_EQ(limits_of({9, 0}).shared_per_block_optin, 227U * 1024);
  EXPECT_EQ(limits_of({10, 3}).shared_per_block_optin, 227U * 1024);
  EXPECT_EQ(limits_of({12, 1}).shared_per_block_optin, 99U * 1024);
  EXPECT_EQ(limits_of({6, 1}).shared_per_block_optin, 48U * 1024);
  EXPECT_EQ(limits_of({7, 5}).threads_per_multiprocessor, 1024);
  EXPECT_EQ(limits_of({8, 6}).threads_per_multiprocessor, 1536);
  EXPECT_EQ(limits_of({9, 0}).threads_per_multiprocessor, 2048);
}

TEST(Limits, LetABlockHaveAsManyThreadsAsItsRegistersAllow) {
  const auto limits = limits_of({9, 0});
  EXPECT_EQ(threads_for_registers(limits, 0), 1024);
  EXPECT_EQ(threads_for_registers(limits, 64), 1024);
  EXPECT_EQ(threads_for_registers(limits, 65), 896);
  EXPECT_EQ(threads_for_registers(limits, 168), 384);
  EXPECT_EQ(threads_for_registers(limits, 255), 256);
}

TEST(Limits, LetAMultiprocessorHaveAsManyBlocksAsItsScarcestAllows) {
  const auto limits = limits_of({9, 0});
  EXPECT_EQ(blocks_at_once(limits, 1024, 32, 0), 2);
  EXPECT_EQ(blocks_at_once(limits, 32, 32, 0), 32);
  EXPECT_EQ(blocks_at_once(limits, 256, 128, 0), 2);
  EXPECT_EQ(blocks_at_once(limits, 32, 32, 100 * 1024), 2);
  EXPECT_EQ(blocks_at_once(limits, 1024, 255, 0), 0);
}

}  // namespace
}  // namespace archgrid::fake_cudart
