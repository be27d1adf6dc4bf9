// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// One test of each outcome. Each program has these tests, and its own kernels.
#include <dlfcn.h>

#include <archgrid/gtest.hpp>
#include <archgrid/gtest/seed.hpp>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <thread>
#include <vector>

/// Defined in first.cu; null in a program without it.
__attribute__((weak)) cudaError_t launch_first(int* out);
__attribute__((weak)) void start_first(int* out);

namespace {

TEST(Outcomes, Passes) {
  const std::vector<int> numbers = {1, 2, 3};
  const archgrid::DeviceBuffer<int> buffer(numbers);
  if (launch_first != nullptr) EXPECT_CUDA(launch_first(buffer.data()));
  EXPECT_EQ(buffer.size(), numbers.size());
}

TEST(Outcomes, IsEmpty) {
  const std::vector<int> numbers = {1, 2, 3};
  EXPECT_EQ(archgrid::DeviceBuffer<int>(numbers).to_host(), numbers);
}

TEST(Outcomes, NeedsNoKernel) {
  archgrid::launches_no_kernel();
}

TEST(Outcomes, SkipsWithoutAReason) {
  GTEST_SKIP();
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

TEST(Outcomes, LeavesAnotherGpu) {
  ASSERT_CUDA(cudaSetDevice(1));
}

TEST(Outcomes, ExpectsAFailingCall) {
  EXPECT_CUDA(cudaSetDevice(99)) << "the message";
}

TEST(Ends, WithAnExit) {
  std::exit(0);
}

TEST(Ends, WithAnExitThatSkips) {
  std::exit(77);
}

TEST(Ends, WithAQuickExit) {
  std::_Exit(0);
}

class LeavesInTearDown : public ::testing::Test {
 protected:
  static void TearDownTestSuite() { static_cast<void>(cudaSetDevice(99)); }
};

TEST_F(LeavesInTearDown, Passes) {
  EXPECT_CUDA(launch_first(nullptr));
}

TEST(Threads, LaunchOnTheSecondGpu) {
  std::thread([] {
    EXPECT_CUDA(cudaSetDevice(1));
    EXPECT_CUDA(launch_first(nullptr));
  }).join();
}

// The last thread cleared its own errors, of which there are none.
TEST(Threads, FollowOneThatLeavesAnError) {
  std::thread([] { start_first(nullptr); }).join();
  std::thread([] { static_cast<void>(cudaGetLastError()); }).join();
}

TEST(Outcomes, DISABLED_Fails) {
  FAIL();
}

TEST(Ends, WithACrash) {
  std::raise(SIGSEGV);
}

TEST(Ends, WithAnException) {
  std::terminate();
}

void expect_death(const char* style) {
  archgrid::launches_no_kernel();
  GTEST_FLAG_SET(death_test_style, style);
  EXPECT_DEATH(std::abort(), "");
}

TEST(Death, InAFork) {
  expect_death("fast");
}

TEST(Death, InAProgramOfItsOwn) {
  expect_death("threadsafe");
}

TEST(Ends, Never) {
  for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
}

// ARCHGRID_FAKE_FAIL makes the launch fail.
TEST(Sticky, Breaks) {
  if (launch_first != nullptr) EXPECT_CUDA(launch_first(nullptr));
}

TEST(Sticky, IsNotRun) {
  std::printf("it ran all the same\n");
}

class FailedSuite : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { FAIL() << "as it is meant to"; }
};

TEST_F(FailedSuite, IsNotRun) {
  FAIL() << "it ran";
}

class EndsInSetUp : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { std::raise(SIGSEGV); }
};

TEST_F(EndsInSetUp, IsNotRun) {
  FAIL() << "it ran";
}

class EndsInTearDown : public ::testing::Test {
 protected:
  static void TearDownTestSuite() {
    for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
  }
};

TEST_F(EndsInTearDown, Passes) {
  archgrid::launches_no_kernel();
}

TEST(Jit, IsForbidden) {
  archgrid::launches_no_kernel();
  EXPECT_STREQ(std::getenv("CUDA_DISABLE_PTX_JIT"), "1");
  EXPECT_STREQ(std::getenv("CUDA_CACHE_DISABLE"), "1");
}

TEST(Jit, IsAllowed) {
  archgrid::launches_no_kernel();
  EXPECT_EQ(std::getenv("CUDA_DISABLE_PTX_JIT"), nullptr);
  EXPECT_EQ(std::getenv("CUDA_CACHE_DISABLE"), nullptr);
}

TEST(Jit, IsForced) {
  archgrid::launches_no_kernel();
  EXPECT_STREQ(std::getenv("CUDA_FORCE_PTX_JIT"), "1");
  EXPECT_STREQ(std::getenv("CUDA_CACHE_DISABLE"), "1");
  EXPECT_EQ(std::getenv("CUDA_DISABLE_PTX_JIT"), nullptr);
}

TEST(Loading, IsEager) {
  archgrid::launches_no_kernel();
  EXPECT_STREQ(std::getenv("CUDA_MODULE_LOADING"), "EAGER");
}

TEST(Library, IsLoadedByATest) {
  const char* path = std::getenv("PROGRAMS_LIBRARY");
  ASSERT_NE(path, nullptr);
  EXPECT_NE(dlopen(path, RTLD_NOW), nullptr) << dlerror();
}

TEST(Library, IsLoadedAndGoneAgain) {
  const char* path = std::getenv("PROGRAMS_LIBRARY");
  ASSERT_NE(path, nullptr);
  void* const library = dlopen(path, RTLD_NOW);
  ASSERT_NE(library, nullptr) << dlerror();
  dlclose(library);
}

TEST(Threads, LaunchOnTheFirstGpu) {
  std::thread([] { EXPECT_CUDA(launch_first(nullptr)); }).join();
}

TEST(Threads, LeaveAnErrorBehind) {
  std::thread([] { start_first(nullptr); }).join();
}

TEST(Threads, ForgetTheirError) {
  std::thread([] {
    start_first(nullptr);
    EXPECT_NE(cudaGetLastError(), cudaSuccess);
  }).join();
}

TEST(Seed, IsAskedForByATestThatLeavesAnError) {
  archgrid::launches_no_kernel();
  EXPECT_NE(archgrid::seed(), 0U);
  static_cast<void>(cudaSetDevice(99));
}

// The child of the death test is a separate process.
TEST(Death, KnowsTheGpuAndTheSeed) {
  archgrid::launches_no_kernel();
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        int device = -1;
        static_cast<void>(cudaGetDevice(&device));
        std::fprintf(stderr, "GPU %d, seed %llu", device,
                     static_cast<unsigned long long>(archgrid::seed()));
        std::abort();
      },
      "GPU 1, seed " + std::to_string(archgrid::seed()));
}

TEST(Death, OnAGpuThatIsGone) {
  archgrid::launches_no_kernel();
  setenv("CUDA_VISIBLE_DEVICES", "0", 1);  // for the child, which initialises CUDA itself
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(std::abort(), "");
}

class Odd : public ::testing::TestWithParam<std::string> {};
TEST_P(Odd, IsListed) {
  archgrid::launches_no_kernel();
  EXPECT_FALSE(GetParam().empty());
}
INSTANTIATE_TEST_SUITE_P(Values, Odd,
                         ::testing::Values("a;b", "[x]", "]]=]", "a\\b", "\"quoted\"", "${VAR}",
                                           "# comment", "line\nbreak"));

}  // namespace
