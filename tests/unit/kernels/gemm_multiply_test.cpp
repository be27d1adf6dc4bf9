// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Which variant multiply launches. The variants are stand-ins here that return who they are: what
// the real ones compute is the same, and would not tell.
#include <gtest/gtest.h>

#include "gemm/gemm.h"

namespace archgrid::gemm {
namespace {

constexpr cudaError_t kTile16 = 16;
constexpr cudaError_t kTile64 = 64;
constexpr cudaError_t kTile128 = 128;

/// Of the problem and the stream that the stand-in was given.
const Problem* given_problem = nullptr;
cudaStream_t given_stream = nullptr;

cudaError_t note(const Problem& problem, cudaStream_t stream, cudaError_t answer) {
  given_problem = &problem;
  given_stream = stream;
  return answer;
}

}  // namespace

cudaError_t tile_16x16(const Problem& problem, cudaStream_t stream) {
  return note(problem, stream, kTile16);
}
cudaError_t tile_64x64(const Problem& problem, cudaStream_t stream) {
  return note(problem, stream, kTile64);
}
cudaError_t tile_128x128(const Problem& problem, cudaStream_t stream) {
  return note(problem, stream, kTile128);
}

namespace {

cudaError_t launched_for(int m, int n) {
  Problem problem;
  problem.m = m;
  problem.n = n;
  return multiply(problem, nullptr);
}

TEST(Multiply, PicksTheVariantByTheShorterSideOfC) {
  EXPECT_EQ(launched_for(0, 0), kTile16);
  EXPECT_EQ(launched_for(63, 63), kTile16);
  EXPECT_EQ(launched_for(64, 64), kTile64);
  EXPECT_EQ(launched_for(511, 511), kTile64);
  EXPECT_EQ(launched_for(512, 512), kTile128);
  EXPECT_EQ(launched_for(63, 5000), kTile16);
  EXPECT_EQ(launched_for(5000, 63), kTile16);
  EXPECT_EQ(launched_for(511, 5000), kTile64);
  EXPECT_EQ(launched_for(5000, 511), kTile64);
  EXPECT_EQ(launched_for(512, 5000), kTile128);
  EXPECT_EQ(launched_for(5000, 512), kTile128);
}

TEST(Multiply, HandsOnTheProblemAndTheStream) {
  const Problem problem;
  int stream = 0;
  multiply(problem, &stream);
  EXPECT_EQ(given_problem, &problem);
  EXPECT_EQ(given_stream, &stream);
}

}  // namespace
}  // namespace archgrid::gemm
