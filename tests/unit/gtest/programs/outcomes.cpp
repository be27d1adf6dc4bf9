// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// One test of each outcome; each program has these, and kernels of its own.
#include <dlfcn.h>

#include <archgrid/gtest.hpp>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

TEST(Outcomes, Passes) {
  const std::vector<int> numbers = {1, 2, 3};
  EXPECT_EQ(archgrid::DeviceBuffer<int>(numbers).to_host(), numbers);
}

TEST(Outcomes, Fails) {
  FAIL() << "as it is meant to";
}

TEST(Outcomes, Skips) {
  GTEST_SKIP() << "this GPU has no\nfrobnicator";
}

TEST(Outcomes, FailsAndSkips) {
  EXPECT_EQ(1, 2);
  GTEST_SKIP() << "too late";
}

TEST(Outcomes, LeavesAnErrorBehind) {
  static_cast<void>(cudaSetDevice(99));
}

TEST(Outcomes, ExpectsAFailingCall) {
  EXPECT_CUDA(cudaSetDevice(99)) << "the message";
}

TEST(Outcomes, DISABLED_Fails) {
  FAIL();
}

TEST(Jit, IsForbidden) {
  const char* value = std::getenv("CUDA_DISABLE_PTX_JIT");
  ASSERT_NE(value, nullptr);
  EXPECT_STREQ(value, "1");
}

TEST(Jit, IsAllowed) {
  EXPECT_EQ(std::getenv("CUDA_DISABLE_PTX_JIT"), nullptr);
}

TEST(Library, IsLoadedByATest) {
  const char* path = std::getenv("PROGRAMS_LIBRARY");
  ASSERT_NE(path, nullptr);
  EXPECT_NE(dlopen(path, RTLD_NOW), nullptr) << dlerror();
}

class Odd : public ::testing::TestWithParam<std::string> {};
TEST_P(Odd, IsListed) {
  EXPECT_FALSE(GetParam().empty());
}
INSTANTIATE_TEST_SUITE_P(Values, Odd,
                         ::testing::Values("a;b", "[x]", "]]=]", "a\\b", "\"quoted\"", "${VAR}",
                                           "# comment", "line\nbreak"));

}  // namespace
