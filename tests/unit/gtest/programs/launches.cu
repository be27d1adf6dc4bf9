// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Fixtures in code that nvcc compiles, with launches.
#include <archgrid/gtest.hpp>

namespace {

__global__ void fill(int* out, int value) {
  *out = value;
}

cudaError_t launch_fill(int* out) {
  fill<<<1, 1>>>(out, 1);
  return cudaGetLastError();
}

TEST(Launches, OfAKernel) {
  const archgrid::DeviceBuffer<int> out(1);
  EXPECT_LAUNCH(fill<<<1, 1>>>(out.data(), 1)) << "the message";
  ASSERT_LAUNCH(fill<<<dim3(1), dim3(1), 0, nullptr>>>(out.data(), 2));
}

TEST(Launches, OfAFunction) {
  const archgrid::DeviceBuffer<int> out(1);
  EXPECT_LAUNCH(launch_fill(out.data())) << "the message";
}

TEST(Unchecked, Launch) {
  const archgrid::DeviceBuffer<int> out(1);
  fill<<<1, 1>>>(out.data(), 1);
}

}  // namespace
