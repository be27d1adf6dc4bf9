// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// A suite that starts CUDA before main(), with its own listeners and environment.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

cudaError_t launch_first(int* out);

namespace {

// Like test parameters, one for each GPU.
int devices() {
  int count = 0;
  static_cast<void>(cudaGetDeviceCount(&count));
  return count;
}
const int kDevices = devices();

TEST(Started, Launches) {
  EXPECT_EQ(kDevices, 1);
  EXPECT_EQ(launch_first(nullptr), cudaSuccess);
}

class FailsWhatPassed : public ::testing::EmptyTestEventListener {
  void OnTestEnd(const ::testing::TestInfo&) override { ADD_FAILURE() << "a listener says no"; }
};

class LeavesAnError : public ::testing::Environment {
  void TearDown() override { static_cast<void>(cudaSetDevice(99)); }
};

class Skips : public ::testing::Environment {
 public:
  explicit Skips(std::string reason) : reason_(std::move(reason)) {}
  void SetUp() override { GTEST_SKIP() << reason_; }

 private:
  std::string reason_;
};

}  // namespace

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "listener")
    ::testing::UnitTest::GetInstance()->listeners().Append(new FailsWhatPassed);
  if (what == "environment") ::testing::AddGlobalTestEnvironment(new LeavesAnError);
  if (what == "skip") ::testing::AddGlobalTestEnvironment(new Skips("no license is left"));
  if (what == "skip-silently") ::testing::AddGlobalTestEnvironment(new Skips(""));
  if (what == "before") return 0;
  if (what == "skip-before") return 77;
  const int result = RUN_ALL_TESTS();
  if (what == "swallow-and-skip") return 77;
  return what == "swallow" ? 0 : result;
}
