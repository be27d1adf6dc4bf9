// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// A third-party suite: plain GoogleTest, its own main(), and kernels in a static library, in a
// shared library and in a device-linked library. It contains nothing of archgrid.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdio>

cudaError_t launch_first(int* out);
cudaError_t launch_linked(int* out);

namespace {

TEST(Suite, LaunchesOfAStaticLibrary) {
  EXPECT_EQ(launch_first(nullptr), cudaSuccess);
}

TEST(Suite, LaunchesWhatIsLinkedOnTheDevice) {
  EXPECT_EQ(launch_linked(nullptr), cudaSuccess);
}

TEST(Suite, LaunchesNothing) {}

}  // namespace

int main(int argc, char** argv) {
  std::printf("a main() of its own\n");
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
