// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory read before it is written or arrives, planted in kernels, and valid code.
#include "checks.hpp"

namespace archgrid::cpu_emulator {
namespace {

INSTANTIATE_TEST_SUITE_P(InEachOrder, Checks,
                         ::testing::Values(Order::ascending, Order::descending, Order::shuffled),
                         [](const auto& tested) {
                           return tested.param == Order::ascending    ? "ascending"
                                  : tested.param == Order::descending ? "descending"
                                                                      : "shuffled";
                         });

__global__ void reads_what_it_may_have_written(int* out, bool writes) {
  __shared__ int shared[32];
  if (writes) shared[threadIdx.x] = 5;
  out[threadIdx.x] = shared[threadIdx.x];
}

TEST_P(Checks, FindSharedMemoryReadBeforeItIsWritten) {
  Memory<int> out(32);
  // Values that an earlier block left there do not count.
  EXPECT_CLEAN(launch(reads_what_it_may_have_written, 1, 32, 0, out.data(), true));
  EXPECT_DEFECT(read_before_write,
                "a __shared__ variable, which no thread of the block has written",
                launch(reads_what_it_may_have_written, 1, 32, 0, out.data(), false));
}

__global__ void copies_to_shared(const int* from, int* to, bool waits, bool barrier) {
  int* const shared = static_cast<int*>(dynamic_shared_memory());
  begin_async_copy(shared + threadIdx.x, from + threadIdx.x, 4, 4, Site::here());
  commit_async_copies();
  if (waits) wait_async_copies(0);
  if (barrier) __syncthreads();
  to[threadIdx.x] = shared[barrier ? 31 - threadIdx.x : threadIdx.x];
}

TEST_P(Checks, FindAnAsyncCopyNotWaitedFor) {
  Memory<int> from(32);
  Memory<int> to(32);
  EXPECT_CLEAN(launch(copies_to_shared, 1, 32, 128, from.data(), to.data(), true, true));
  EXPECT_CLEAN(launch(copies_to_shared, 1, 32, 128, from.data(), to.data(), true, false));
  EXPECT_DEFECT(not_yet_arrived, "to which a cp.async is under way",
                launch(copies_to_shared, 1, 32, 128, from.data(), to.data(), false, true));
}

__global__ void writes_the_source(int* from, int* to, bool waits) {
  int* const shared = static_cast<int*>(dynamic_shared_memory());
  begin_async_copy(shared + threadIdx.x, from + threadIdx.x, 4, 4, Site::here());
  commit_async_copies();
  if (waits) wait_async_copies(0);
  __syncthreads();
  from[threadIdx.x ^ 1] = 7;
  wait_async_copies(0);
  to[threadIdx.x] = shared[threadIdx.x];
}

TEST_P(Checks, FindAWriteToWhatIsBeingCopied) {
  Memory<int> from(32);
  Memory<int> to(32);
  EXPECT_CLEAN(launch(writes_the_source, 1, 32, 128, from.data(), to.data(), true));
  EXPECT_DEFECT(race, "from which a cp.async is under way",
                launch(writes_the_source, 1, 32, 128, from.data(), to.data(), false));
}

__global__ void writes_the_source_after_its_wait(int* from, bool barrier) {
  int* const shared = static_cast<int*>(dynamic_shared_memory());
  if (threadIdx.x == 0) begin_async_copy(shared, from, 4, 4, Site::here());
  __syncthreads();
  if (threadIdx.x == 0) wait_all_async_copies();
  if (barrier) __syncthreads();
  if (threadIdx.x == 32) from[0] = 7;
  __syncthreads();
}

// A wait of one thread says nothing to another.
TEST_P(Checks, FindAWriteThatNoBarrierPutsAfterTheWait) {
  Memory<int> from(1);
  EXPECT_CLEAN(launch(writes_the_source_after_its_wait, 1, 64, 4, from.data(), true));
  const std::optional<Defect> found =
      defect_of([&] { launch(writes_the_source_after_its_wait, 1, 64, 4, from.data(), false); });
  ASSERT_TRUE(found);
  EXPECT_EQ(found->kind(), DefectKind::race) << found->what();
}

__global__ void one_leaves_before(bool a_warp) {
  if (threadIdx.x == 0) return;
  if (a_warp) {
    __syncwarp();
  } else {
    __syncthreads();
  }
}

__global__ void some_come_to_a_barrier() {
  if (threadIdx.x < 16) __syncthreads();
}
__global__ void traps() {
  if (threadIdx.x == 5) __trap();
}
__global__ void shuffles_with_lanes_that_left(int* out) {
  if (threadIdx.x >= 16) return;
  out[threadIdx.x] = __shfl_down_sync(0xffffffffu, static_cast<int>(threadIdx.x), 1);
}
__global__ void shuffles_by_three(int* out) {
  out[threadIdx.x] = __shfl_sync(0xffffffffu, static_cast<int>(threadIdx.x), 0, 3);
}
__global__ void warps_wait_at_barriers_of_their_own() {
  wait_at_barrier(threadIdx.x < 32 ? 1 : 2, 64, Site::here());
}
__global__ void copies_of_three_bytes(const int* from) {
  begin_async_copy(dynamic_shared_memory(), from, 3, 3, Site::here());
}

// Accesses of the executor, made to find and report a defect, do not count as the kernel's.
TEST_P(Checks, NameWhatTheExecutorFinds) {
  Memory<int> out(32);
  EXPECT_DEFECT(divergent_barrier, "__syncthreads()", launch(some_come_to_a_barrier, 1, 32, 0));
  EXPECT_DEFECT(trap, "__trap() was called", launch(traps, 1, 32, 0));
  EXPECT_DEFECT(divergent_warp, "left the kernel",
                launch(shuffles_with_lanes_that_left, 1, 32, 0, out.data()));
  EXPECT_DEFECT(invalid_argument, "a power of two",
                launch(shuffles_by_three, 1, 32, 0, out.data()));
  EXPECT_DEFECT(deadlock, "no thread can go on",
                launch(warps_wait_at_barriers_of_their_own, 1, 64, 0));
  EXPECT_DEFECT(invalid_argument, "copies 4, 8 or 16",
                launch(copies_of_three_bytes, 1, 1, 16, out.data()));
}

// Accesses of the executor when a thread ends do not count as the kernel's.
TEST_P(Checks, FindThreadsThatLeaveForWhatTheyAre) {
  const auto kind = [](bool a_warp) {
    const auto found = defect_of([&] { launch(one_leaves_before, 1, 64, 0, a_warp); });
    return found ? name(found->kind()) : "nothing";
  };
  EXPECT_STREQ(kind(true), name(DefectKind::divergent_warp));
  EXPECT_STREQ(kind(false), name(DefectKind::divergent_barrier));
  Options chosen = options();
  chosen.exited_threads_may_miss_barriers = true;
  set_options(chosen);
  EXPECT_STREQ(kind(false), "nothing");
}

__global__ void waits_after_the_barrier(const int* from, int* to) {
  int* const shared = static_cast<int*>(dynamic_shared_memory());
  begin_async_copy(shared + threadIdx.x, from + threadIdx.x, 4, 4, Site::here());
  __syncthreads();
  wait_all_async_copies();
  to[threadIdx.x] = shared[threadIdx.x ^ 1];
}

// A thread waits for its own copies only: other threads' copies need the barrier after the wait.
TEST_P(Checks, FindABarrierBeforeTheWait) {
  Memory<int> from(32);
  Memory<int> to(32);
  const std::optional<Defect> found =
      defect_of([&] { launch(waits_after_the_barrier, 1, 32, 128, from.data(), to.data()); });
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->kind() == DefectKind::race || found->kind() == DefectKind::not_yet_arrived)
      << found->what();
}

__global__ void leaves_a_copy_behind(const int* from, int* to) {
  int* const shared = static_cast<int*>(dynamic_shared_memory());
  shared[0] = 3;
  *to = shared[0];
  begin_async_copy(shared, from, 4, 4, Site::here());
  // Nothing is read, whatever the address.
  begin_async_copy(shared + 1, nullptr, 4, 0, Site::here());
}

TEST_P(Checks, LetCopiesOfEarlierBlocksAndOfNothingBe) {
  Memory<int> from(1);
  Memory<int> to(1);
  EXPECT_CLEAN(launch(leaves_a_copy_behind, 1, 1, 8, from.data(), to.data()));
  Memory<int> both(2);
  EXPECT_CLEAN(for (int i = 0; i < 2; ++i)
                   launch(leaves_a_copy_behind, 1, 1, 8, from.data(), both.data() + i));
}

__global__ void begins_a_copy(const int* from) {
  int* const shared = static_cast<int*>(dynamic_shared_memory());
  shared[0] = 3;
  begin_async_copy(shared, from, 4, 4, Site::here());
}

TEST_P(Checks, JudgeEachBlocksCopiesForThemselves) {
  Memory<int> from(1);
  EXPECT_CLEAN(launch(begins_a_copy, 3, 1, 4, from.data()));
}

__constant__ int table[4] = {1, 2, 3, 4};
__device__ int counter = 0;

struct Arguments {
  int* out;
  int values[40];
};

__global__ void reads_arguments_and_tables(Arguments arguments) {
  int local[8];
  for (int i = 0; i < 8; ++i) local[i] = table[i % 4] + arguments.values[threadIdx.x];
  int sum = 0;
  for (const int* p = local; p < local + 8; ++p) sum += *p;
  arguments.out[threadIdx.x] = sum;
  if (threadIdx.x == 0) counter += 1;
}

TEST_P(Checks, LetArgumentsTablesAndLocalMemoryBe) {
  Memory<int> out(32);
  Arguments arguments{out.data(), {}};
  EXPECT_CLEAN(launch(reads_arguments_and_tables, 1, 32, 0, arguments));
  EXPECT_EQ(out[5], 20);
}

TEST(ChecksOfTheHost, AreSaidToBeThere) {
  EXPECT_TRUE(checks_accesses());
}

}  // namespace
}  // namespace archgrid::cpu_emulator
