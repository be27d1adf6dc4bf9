// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <archgrid/gtest.hpp>

void launch_fill(float* out, float value);

TEST(Fill, IsLaunched) {
  const archgrid::DeviceBuffer<float> out(32);
  launch_fill(out.data(), 1);
  EXPECT_CUDA(cudaDeviceSynchronize());
}
