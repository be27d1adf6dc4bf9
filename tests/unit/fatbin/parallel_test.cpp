// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <archgrid/fatbin/parallel.hpp>
#include <atomic>
#include <chrono>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
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

TEST(ParallelFor, CallsOfSeveralThreadsShareTheCores) {
  constexpr std::size_t kCallers = 8;
  std::atomic<std::size_t> working = 0;
  std::atomic<std::size_t> most = 0;
  std::atomic<std::size_t> done = 0;
  const auto work = [&](std::size_t, std::size_t) {
    const auto now = ++working;
    for (auto before = most.load(); before < now && !most.compare_exchange_weak(before, now);) {
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    --working;
    ++done;
  };
  std::vector<std::thread> callers;
  for (std::size_t caller = 0; caller < kCallers; ++caller) {
    callers.emplace_back([&] { parallel_for(20, work); });
  }
  for (auto& caller : callers) caller.join();
  EXPECT_EQ(done, kCallers * 20);
  EXPECT_LT(most, kCallers + std::max(1U, std::thread::hardware_concurrency()));
}

TEST(ParallelFor, ThrowsWhatAThreadThrewWhenAllHaveStopped) {
  constexpr std::size_t kPieces = 10000;
  for (std::size_t bad = 0; bad < 20; ++bad) {
    std::atomic<std::size_t> begun = 0;
    std::atomic<std::size_t> working = 0;
    const auto work = [&](std::size_t index, std::size_t) {
      ++begun;
      ++working;
      std::this_thread::sleep_for(std::chrono::microseconds(50));
      --working;
      if (index == bad) throw std::bad_alloc();
    };
    EXPECT_THROW(parallel_for(kPieces, work), std::bad_alloc) << bad;
    EXPECT_EQ(working, 0U) << bad;
    EXPECT_LT(begun, kPieces) << bad;
  }
}

TEST(ParallelFor, ThrowsOneExceptionOfMany) {
  const auto work = [](std::size_t index, std::size_t) {
    throw std::runtime_error(std::to_string(index));
  };
  EXPECT_THROW(parallel_for(1000, work), std::runtime_error);
  std::atomic<std::size_t> done = 0;
  parallel_for(1000, [&](std::size_t, std::size_t) { ++done; });
  EXPECT_EQ(done, 1000U) << "helpers are lost";
}

TEST(ParallelFor, ThrowsFromAnotherThread) {
  if (threads_for(2) < 2) GTEST_SKIP() << "one core";
  std::atomic<bool> thrown = false;
  const auto work = [&](std::size_t, std::size_t thread) {
    if (thread != 0) {
      thrown = true;
      throw std::bad_alloc();
    }
    for (int turn = 0; turn < 2000 && !thrown; ++turn) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  };
  EXPECT_THROW(parallel_for(2, work), std::bad_alloc);
}

}  // namespace
}  // namespace archgrid
