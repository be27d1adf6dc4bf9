// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <archgrid/parallel.hpp>
#include <vector>

namespace archgrid {
namespace {

TEST(ParallelFor, DoesEachPieceOnce) {
  constexpr std::size_t kPieces = 10000;
  std::vector<int> done(kPieces);
  parallel_for(kPieces, [&](std::size_t index, std::size_t thread) {
    ++done[index];
    ASSERT_LT(thread, threads_for(kPieces));
  });
  EXPECT_THAT(done, ::testing::Each(1));
}

TEST(ParallelFor, TakesNoMoreThreadsThanPieces) {
  EXPECT_EQ(threads_for(0), 0U);
  EXPECT_EQ(threads_for(1), 1U);
  int done = 0;
  parallel_for(0, [&](std::size_t, std::size_t) { ++done; });
  EXPECT_EQ(done, 0);
  parallel_for(1, [&](std::size_t, std::size_t thread) { done += thread == 0 ? 1 : 0; });
  EXPECT_EQ(done, 1);
}

}  // namespace
}  // namespace archgrid
