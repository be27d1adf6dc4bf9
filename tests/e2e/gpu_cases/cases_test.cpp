// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <archgrid/gtest.hpp>
#include <chrono>
#include <csignal>
#include <thread>

void launch_fill(float* out);

namespace {

TEST(Shapes, Small) {
  const archgrid::DeviceBuffer<float> out(32);
  launch_fill(out.data());
  EXPECT_CUDA(cudaDeviceSynchronize());
}

TEST(Shapes, Big) {
  launch_fill(nullptr);
  FAIL() << "as it is meant to";
}

TEST(Shapes, Empty) {}

TEST(Shapes, Skips) {
  GTEST_SKIP() << "no frobnicator";
}

TEST(Ends, Crashes) {
  std::raise(SIGSEGV);
}

TEST(Ends, Never) {
  for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
}

TEST(Last, IsReached) {
  launch_fill(nullptr);
}

}  // namespace
