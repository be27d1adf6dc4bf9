// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <archgrid/cpu_emulator.hpp>
#include <archgrid/cpu_emulator/device_code.hpp>
#include <atomic>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

namespace archgrid::cpu_emulator {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;

/// Restores the options that a test changes.
struct Restored {
  ~Restored() {
    set_options(before);
    set_device(device_before);
  }
  Options before = options();
  int device_before = device();
};

template <class Launch>
Defect defect_of(Launch launch_kernel) {
  try {
    launch_kernel();
  } catch (const Defect& defect) {
    return defect;
  }
  ADD_FAILURE() << "no defect was found";
  return Defect(DefectKind::trap, "", {}, {}, "none");
}

__global__ void writes_its_place(uint3* places) {
  const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  places[2 * (block * threads + thread)] = blockIdx;
  places[2 * (block * threads + thread) + 1] = threadIdx;
}

TEST(Launch, RunsEachThreadOfEachBlockOnce) {
  const dim3 grid(3, 4, 2);
  const dim3 block(5, 2, 3);
  std::vector<uint3> places(2 * 24 * 30, uint3{99, 99, 99});
  launch(writes_its_place, grid, block, 0, places.data());
  std::size_t next = 0;
  for (unsigned b = 0; b < 24; ++b) {
    for (unsigned t = 0; t < 30; ++t) {
      const uint3 in_grid = places[next++];
      const uint3 in_block = places[next++];
      ASSERT_EQ(in_grid.x + 3 * (in_grid.y + 4 * in_grid.z), b);
      ASSERT_EQ(in_block.x + 5 * (in_block.y + 2 * in_block.z), t);
    }
  }
}

__global__ void reverses(int* values) {
  __shared__ int shared[96];
  shared[threadIdx.x] = values[blockIdx.x * 96 + threadIdx.x];
  __syncthreads();
  values[blockIdx.x * 96 + threadIdx.x] = shared[95 - threadIdx.x];
}

TEST(Launch, SharesStaticMemoryAmongTheThreadsOfABlockOnly) {
  const Restored restored;
  for (const Order order : {Order::ascending, Order::descending, Order::shuffled}) {
    for (const unsigned workers : {1u, 4u}) {
      Options chosen;
      chosen.order = order;
      chosen.workers = workers;
      set_options(chosen);
      std::vector<int> values(96 * 50);
      std::iota(values.begin(), values.end(), 0);
      launch(reverses, 50, 96, 0, values.data());
      for (int i = 0; i < 96 * 50; ++i)
        ASSERT_EQ(values[static_cast<std::size_t>(i)], i / 96 * 96 + 95 - i % 96);
    }
  }
}

__global__ void takes_turns(int* turns, int* turn_of) {
  turn_of[blockIdx.x] = atomicAdd(turns, 1);
}

/// Returns the position at which each block ran.
std::vector<int> turns_of(unsigned blocks, Order order, std::uint64_t seed) {
  Options chosen;
  chosen.order = order;
  chosen.seed = seed;
  chosen.workers = 1;
  set_options(chosen);
  int turns = 0;
  std::vector<int> turn_of(blocks);
  launch(takes_turns, blocks, 1, 0, &turns, turn_of.data());
  return turn_of;
}

TEST(Launch, GivesBlocksTheirTurnInTheOrderAskedFor) {
  const Restored restored;
  for (const unsigned blocks : {1u, 2u, 7u, 64u, 1000u}) {
    std::vector<int> ascending(blocks);
    std::iota(ascending.begin(), ascending.end(), 0);
    EXPECT_EQ(turns_of(blocks, Order::ascending, 0), ascending);
    EXPECT_EQ(turns_of(blocks, Order::descending, 0),
              std::vector<int>(ascending.rbegin(), ascending.rend()));
    std::set<std::vector<int>> shuffled;
    for (const std::uint64_t seed : {0u, 1u, 2u, 3u, 4u, 123456789u}) {
      std::vector<int> turns = turns_of(blocks, Order::shuffled, seed);
      shuffled.insert(turns);
      std::sort(turns.begin(), turns.end());
      EXPECT_EQ(turns, ascending) << "each has a turn";
    }
    EXPECT_GE(shuffled.size(), blocks > 6 ? 5u : 1u);
  }
}

__global__ void adds_by_atomics(float* sum) {
  // 2^24 and ones: a single 1 added to 2^24 is lost.
  atomicAdd(sum, blockIdx.x == 0 ? 16777216.0f : 1.0f);
}

TEST(Launch, ShowsSumsThatHangOnTheOrderOfBlocks) {
  const Restored restored;
  std::set<float> sums;
  for (const Order order : {Order::ascending, Order::descending}) {
    Options chosen;
    chosen.order = order;
    chosen.workers = 1;
    set_options(chosen);
    float sum = 0;
    launch(adds_by_atomics, 9, 1, 0, &sum);
    sums.insert(sum);
  }
  EXPECT_EQ(sums, (std::set<float>{16777216.0f, 16777224.0f}));
}

__global__ void sums_in_dynamic_memory(const int* values, int* sums) {
  int* const shared = static_cast<int*>(dynamic_shared_memory());
  shared[threadIdx.x] = values[blockIdx.x * blockDim.x + threadIdx.x];
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) shared[threadIdx.x] += shared[threadIdx.x + half];
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = shared[0];
}

TEST(Launch, GivesDynamicSharedMemory) {
  std::vector<int> values(256 * 7);
  std::iota(values.begin(), values.end(), 0);
  std::vector<int> sums(7);
  launch(sums_in_dynamic_memory, 7, 256, 256 * sizeof(int), values.data(), sums.data());
  for (int b = 0; b < 7; ++b)
    EXPECT_EQ(sums[static_cast<std::size_t>(b)], 256 * 256 * b + 255 * 128);
}

__global__ void reads_dynamic_memory(unsigned char* values) {
  values[threadIdx.x] = static_cast<unsigned char*>(dynamic_shared_memory())[threadIdx.x];
  static_cast<unsigned char*>(dynamic_shared_memory())[threadIdx.x] = 1;
}

TEST(Launch, FillsDynamicSharedMemoryWithRubbishForEachBlock) {
  std::vector<unsigned char> values(32);
  launch(reads_dynamic_memory, 5, 32, 32, values.data());
  EXPECT_THAT(values, Each(0xff));
}

__global__ void does_nothing() {}

TEST(Launch, RefusesWhatNoDeviceTakes) {
  const Restored restored;
  EXPECT_THROW(launch(does_nothing, 1, 1025, 0), std::invalid_argument);
  EXPECT_THROW(launch(does_nothing, 1, dim3(1, 1, 65), 0), std::invalid_argument);
  EXPECT_THROW(launch(does_nothing, dim3(1, 65536), 1, 0), std::invalid_argument);
  EXPECT_THROW(launch(does_nothing, 0, 1, 0), std::invalid_argument);
  EXPECT_THROW(set_device(9), std::invalid_argument);
  set_device(75);
  EXPECT_THROW(launch(does_nothing, 1, 1, 64 * 1024 + 1), std::invalid_argument);
  launch(does_nothing, 1, 1, 64 * 1024);
}

TEST(Launch, LimitsSharedMemoryAsTheProgrammingGuideDoes) {
  const Restored restored;
  // 13.0 is unknown, and like the last known device.
  const std::pair<int, std::size_t> limits[] = {
      {50, 48},   {62, 48},   {70, 96},  {72, 96},  {75, 64},   {80, 163},  {86, 99},
      {87, 163},  {88, 99},   {89, 99},  {90, 227}, {100, 227}, {101, 227}, {103, 227},
      {107, 227}, {110, 227}, {120, 99}, {121, 99}, {130, 99},
  };
  for (const auto& [compute_capability, kibibytes] : limits) {
    SCOPED_TRACE(compute_capability);
    set_device(compute_capability);
    EXPECT_NO_THROW(launch(does_nothing, 1, 1, kibibytes * 1024));
    EXPECT_THROW(launch(does_nothing, 1, 1, kibibytes * 1024 + 1), std::invalid_argument);
  }
}

// --- warps ---------------------------------------------------------------------------------------

__global__ void shuffles(int* values) {
  const unsigned all = 0xffffffffu;
  const int lane = static_cast<int>(threadIdx.x);
  int* const mine = values + 8 * lane;
  mine[0] = __shfl_sync(all, lane, 5);
  mine[1] = __shfl_sync(all, lane, 3, 8);
  mine[2] = __shfl_up_sync(all, lane, 2);
  mine[3] = __shfl_up_sync(all, lane, 1, 4);
  mine[4] = __shfl_down_sync(all, lane, 30);
  mine[5] = __shfl_down_sync(all, lane, 3, 16);
  mine[6] = __shfl_xor_sync(all, lane, 16);
  mine[7] = __shfl_xor_sync(all, lane, 5, 4);
}

TEST(Warp, ShufflesLikeTheProgrammingGuide) {
  std::vector<int> values(8 * 32);
  launch(shuffles, 1, 32, 0, values.data());
  for (int lane = 0; lane < 32; ++lane) {
    const int* const got = values.data() + 8 * lane;
    EXPECT_EQ(got[0], 5);
    EXPECT_EQ(got[1], lane / 8 * 8 + 3);
    EXPECT_EQ(got[2], lane < 2 ? lane : lane - 2);
    EXPECT_EQ(got[3], lane % 4 == 0 ? lane : lane - 1);
    EXPECT_EQ(got[4], lane < 2 ? lane + 30 : lane);
    EXPECT_EQ(got[5], lane % 16 < 13 ? lane + 3 : lane);
    EXPECT_EQ(got[6], lane ^ 16);
    // A lane of a later segment is not a valid source, one of an earlier segment is.
    EXPECT_EQ(got[7], (lane ^ 5) < lane / 4 * 4 + 4 ? lane ^ 5 : lane);
  }
}

__global__ void votes(unsigned* values) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned mask = lane < 8 ? 0xffu : 0xffffff00u;
  unsigned* const mine = values + 8 * threadIdx.x;
  mine[0] = __ballot_sync(mask, lane % 2 == 0);
  mine[1] = static_cast<unsigned>(__any_sync(mask, lane == 3));
  mine[2] = static_cast<unsigned>(__all_sync(mask, lane < 8));
  mine[3] = __reduce_add_sync(mask, lane);
  mine[4] = static_cast<unsigned>(__reduce_min_sync(mask, -static_cast<int>(lane)));
  mine[5] = __reduce_max_sync(mask, lane);
  mine[6] = __reduce_xor_sync(mask, lane);
  mine[7] = static_cast<unsigned>(__syncthreads_count(lane == 1));
}

TEST(Warp, VotesAndReducesAmongTheLanesOfAMask) {
  std::vector<unsigned> values(8 * 64);
  launch(votes, 1, 64, 0, values.data());
  for (unsigned thread = 0; thread < 64; ++thread) {
    const unsigned* const got = values.data() + 8 * thread;
    const bool is_low = thread % 32 < 8;
    EXPECT_EQ(got[0], is_low ? 0x55u : 0x55555500u);
    EXPECT_EQ(got[1], is_low ? 1u : 0u);
    EXPECT_EQ(got[2], is_low ? 1u : 0u);
    EXPECT_EQ(got[3], is_low ? 28u : 468u);
    EXPECT_EQ(static_cast<int>(got[4]), is_low ? -7 : -31);
    EXPECT_EQ(got[5], is_low ? 7u : 31u);
    EXPECT_EQ(got[6], 0u);
    EXPECT_EQ(got[7], 2u);
  }
}

// --- named barriers ------------------------------------------------------------------------------

// Warp 0 produces values for warps 1 and 2, and does not wait for them.
__global__ void hands_over(int* values) {
  __shared__ int shared[32];
  if (threadIdx.x < 32) {
    shared[threadIdx.x] = static_cast<int>(threadIdx.x) + 100;
    arrive_at_barrier(3, 96, Site::here());
  } else {
    wait_at_barrier(3, 96, Site::here());
    values[threadIdx.x - 32] = shared[threadIdx.x % 32];
  }
}

TEST(NamedBarrier, LetsProducersGoOn) {
  const Restored restored;
  for (const Order order : {Order::ascending, Order::descending}) {
    Options chosen;
    chosen.order = order;
    set_options(chosen);
    std::vector<int> values(64);
    launch(hands_over, 1, 96, 0, values.data());
    for (int i = 0; i < 64; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], i % 32 + 100);
  }
}

// --- atomics -------------------------------------------------------------------------------------

__global__ void counts(int* count, float* sum, unsigned* wrapped, unsigned long long* most) {
  atomicAdd(count, 2);
  atomicAdd(sum, 0.5f);
  atomicInc(wrapped, 9u);
  atomicMax(most, static_cast<unsigned long long>(blockIdx.x) * 1000 + threadIdx.x);
}

TEST(Atomics, LoseNothingBetweenBlocks) {
  const Restored restored;
  Options chosen;
  chosen.workers = 8;
  set_options(chosen);
  int count = 0;
  float sum = 0;
  unsigned wrapped = 0;
  unsigned long long most = 0;
  launch(counts, 500, 64, 0, &count, &sum, &wrapped, &most);
  EXPECT_EQ(count, 64000);
  EXPECT_EQ(sum, 16000.0f);
  EXPECT_EQ(wrapped, 0u);
  EXPECT_EQ(most, 499063u);
}

// --- asynchronous copies -------------------------------------------------------------------------

__global__ void copies(const float* values, float* out, int groups_to_leave) {
  auto* const shared = static_cast<float4*>(dynamic_shared_memory());
  const auto* const from = reinterpret_cast<const float4*>(values);
  begin_async_copy(shared, from, 16, 16, Site::here());
  commit_async_copies();
  begin_async_copy(shared + 1, from + 1, 16, 8, Site::here());
  commit_async_copies();
  wait_async_copies(groups_to_leave);
  for (int i = 0; i < 8; ++i) out[i] = reinterpret_cast<const float*>(shared)[i];
}

TEST(AsyncCopy, ArrivesAtTheWaitAndFillsWithZeros) {
  const std::vector<float> values = {1, 2, 3, 4, 5, 6, 7, 8};
  float* device_values = nullptr;
  ASSERT_EQ(cudaMalloc(&device_values, 32), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(device_values, values.data(), 32, cudaMemcpyHostToDevice), cudaSuccess);
  std::vector<float> out(8);
  launch(copies, 1, 1, 32, static_cast<const float*>(device_values), out.data(), 0);
  EXPECT_THAT(out, ::testing::ElementsAre(1, 2, 3, 4, 5, 6, 0, 0));
  launch(copies, 1, 1, 32, static_cast<const float*>(device_values), out.data(), 1);
  EXPECT_EQ(out[3], 4);
  EXPECT_TRUE(std::isnan(out[4])) << "it was read before it had arrived";
  cudaFree(device_values);
}

// --- defects that need no instrumented accesses --------------------------------------------------

__global__ void half_of_the_block_waits() {
  if (threadIdx.x < 40) __syncthreads();
}

TEST(Defects, BarrierThatSomeThreadsNeverReach) {
  const Restored restored;
  for (const Order order : {Order::ascending, Order::descending, Order::shuffled}) {
    Options chosen;
    chosen.order = order;
    set_options(chosen);
    const Defect defect = defect_of([] { launch(half_of_the_block_waits, 1, 64, 0); });
    EXPECT_EQ(defect.kind(), DefectKind::divergent_barrier);
    EXPECT_THAT(defect.what(), HasSubstr("half_of_the_block_waits"));
    EXPECT_THAT(defect.what(), HasSubstr("block (0,0,0), thread ("));
    EXPECT_THAT(defect.what(), HasSubstr("execution_test.cpp:"));
  }
  Options lenient;
  lenient.exited_threads_may_miss_barriers = true;
  set_options(lenient);
  launch(half_of_the_block_waits, 1, 64, 0);
}

__global__ void waits_at_two_places() {
  if (threadIdx.x % 2 == 0) {
    __syncthreads();
  } else {
    __syncthreads();
  }
}

TEST(Defects, BarriersOfTwoBranches) {
  const Defect defect = defect_of([] { launch(waits_at_two_places, 4, 64, 0); });
  EXPECT_EQ(defect.kind(), DefectKind::divergent_barrier);
  EXPECT_EQ(defect.thread().x, 1u);
  EXPECT_THAT(defect.what(), HasSubstr("while thread (0,0,0) waits at __syncthreads()"));
}

__global__ void waits_for_more_than_come() {
  if (threadIdx.x < 32) wait_at_barrier(1, 64, Site::here());
  if (threadIdx.x >= 32) wait_at_barrier(2, 64, Site::here());
}

TEST(Defects, Deadlock) {
  const Defect defect = defect_of([] { launch(waits_for_more_than_come, 1, 64, 0); });
  EXPECT_EQ(defect.kind(), DefectKind::deadlock);
  EXPECT_THAT(defect.what(), HasSubstr("thread (32,0,0) (32 in all) at a named barrier of"));
}

__global__ void shuffles_with_lanes_that_left(int* value) {
  if (threadIdx.x >= 16) return;
  value[threadIdx.x] = __shfl_down_sync(0xffffffffu, value[threadIdx.x], 1);
}

TEST(Defects, LanesOfAMaskThatDoNotCome) {
  std::vector<int> values(32);
  const Restored restored;
  for (const Order order : {Order::ascending, Order::descending}) {
    Options chosen;
    chosen.order = order;
    set_options(chosen);
    const Defect defect =
        defect_of([&] { launch(shuffles_with_lanes_that_left, 1, 32, 0, values.data()); });
    EXPECT_EQ(defect.kind(), DefectKind::divergent_warp);
    EXPECT_THAT(defect.what(), HasSubstr("left the kernel"));
  }
}

__global__ void calls_two_warp_operations(int* value) {
  if (threadIdx.x < 16) {
    *value = __shfl_sync(0xffffffffu, *value, 0);
  } else {
    __syncwarp();
  }
}

TEST(Defects, DifferentOperationsOfOneWarp) {
  int value = 0;
  const Defect defect = defect_of([&] { launch(calls_two_warp_operations, 1, 32, 0, &value); });
  EXPECT_EQ(defect.kind(), DefectKind::divergent_warp);
  EXPECT_THAT(defect.what(), HasSubstr("__syncwarp"));
  EXPECT_THAT(defect.what(), HasSubstr("__shfl_sync"));
}

__global__ void copies_misaligned(const float* values) {
  begin_async_copy(dynamic_shared_memory(), values + threadIdx.x, 16, 16, Site::here());
}

TEST(Defects, MisalignedAsyncCopy) {
  alignas(16) const float values[8] = {};
  const Defect defect =
      defect_of([&] { launch(copies_misaligned, 1, 2, 64, static_cast<const float*>(values)); });
  EXPECT_EQ(defect.kind(), DefectKind::misaligned);
  EXPECT_EQ(defect.thread().x, 1u);
}

__global__ void traps() {
  if (blockIdx.x == 3 && threadIdx.x == 7) __trap();
}

TEST(Defects, TrapSaysWhere) {
  const Defect defect = defect_of([] { launch(traps, 5, 8, 0); });
  EXPECT_EQ(defect.kind(), DefectKind::trap);
  EXPECT_EQ(defect.block().x, 3u);
  EXPECT_EQ(defect.thread().x, 7u);
}

// A failed launch does not affect the next one.
TEST(Defects, NextLaunchIsAsGoodAsTheFirst) {
  for (int round = 0; round < 3; ++round) {
    defect_of([] { launch(traps, 5, 8, 0); });
    std::vector<int> values(96);
    std::iota(values.begin(), values.end(), 0);
    launch(reverses, 1, 96, 0, values.data());
    EXPECT_EQ(values[0], 95);
  }
}

// --- integers ------------------------------------------------------------------------------------

TEST(Integers, AreTurnedAndTakenApartAsCudaSays) {
  EXPECT_EQ(__brev(1u), 0x80000000u);
  EXPECT_EQ(__brev(0x12345678u), 0x1e6a2c48u);
  EXPECT_EQ(__brevll(1ull), 1ull << 63);
  EXPECT_EQ(__clzll(1), 63);
  EXPECT_EQ(__clzll(0), 64);
  EXPECT_EQ(__ffsll(0), 0);
  EXPECT_EQ(__ffsll(1ll << 40), 41);
  EXPECT_EQ(__byte_perm(0x33221100u, 0x77665544u, 0x7410u), 0x77441100u);
  EXPECT_EQ(__byte_perm(0x80u, 0u, 0x9918u), 0x000000ffu);
  EXPECT_EQ(__funnelshift_l(0x80000000u, 1u, 1u), 3u);
  EXPECT_EQ(__funnelshift_l(5u, 7u, 32u), 7u);
  EXPECT_EQ(__funnelshift_r(2u, 1u, 1u), 0x80000001u);
  EXPECT_EQ(__mulhi(-1, 1), -1);
  EXPECT_EQ(__umulhi(0xffffffffu, 2u), 1u);
  EXPECT_EQ(__umul64hi(~0ull, ~0ull), ~0ull - 1);
}

}  // namespace
}  // namespace archgrid::cpu_emulator
