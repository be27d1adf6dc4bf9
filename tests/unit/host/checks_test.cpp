// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Each defect planted in a kernel, and the same kernel without it.
#include <cuda_runtime.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <archgrid/host.hpp>
#include <archgrid/host/device_code.hpp>
#include <cstring>
#include <optional>
#include <vector>

namespace archgrid::host {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

template <class T>
class Memory {
 public:
  explicit Memory(std::size_t count) : count_(count) { cudaMalloc(&data_, count * sizeof(T)); }
  ~Memory() { cudaFree(data_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  T* data() { return data_; }
  T& operator[](std::size_t i) { return data_[i]; }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

template <class Launch>
std::optional<Defect> defect_of(Launch launch_kernel) {
  try {
    launch_kernel();
  } catch (const Defect& defect) {
    return defect;
  }
  return std::nullopt;
}

#define EXPECT_DEFECT(kind_, text, ...)                                                            \
  do {                                                                                             \
    const std::optional<Defect> found = defect_of([&] { __VA_ARGS__; });                           \
    ASSERT_TRUE(found.has_value()) << "nothing was found";                                         \
    EXPECT_EQ(found->kind(), DefectKind::kind_) << found->what();                                  \
    EXPECT_THAT(found->what(), AllOf(HasSubstr(text), HasSubstr("block ("), HasSubstr("thread ("), \
                                     HasSubstr("checks_test.cpp:")));                              \
    ::testing::Test::RecordProperty("message", found->what());                                     \
  } while (false)

#define EXPECT_CLEAN(...)                                                \
  do {                                                                   \
    const std::optional<Defect> found = defect_of([&] { __VA_ARGS__; }); \
    EXPECT_FALSE(found.has_value()) << found->what();                    \
  } while (false)

// Tests in all orders, so that finding a defect does not depend on luck.
class Checks : public ::testing::TestWithParam<Order> {
 protected:
  void SetUp() override {
    Options chosen;
    chosen.order = GetParam();
    set_options(chosen);
  }
  void TearDown() override { set_options({}); }
};

INSTANTIATE_TEST_SUITE_P(InEachOrder, Checks,
                         ::testing::Values(Order::ascending, Order::descending, Order::shuffled),
                         [](const auto& tested) {
                           return tested.param == Order::ascending    ? "ascending"
                                  : tested.param == Order::descending ? "descending"
                                                                      : "shuffled";
                         });

// --- races ---------------------------------------------------------------------------------------

__global__ void reverses(int* values, bool waits) {
  __shared__ int shared[64];
  shared[threadIdx.x] = values[threadIdx.x];
  if (waits) __syncthreads();
  values[threadIdx.x] = shared[63 - threadIdx.x];
}

TEST_P(Checks, FindAMissingBarrier) {
  Memory<int> values(64);
  EXPECT_CLEAN(launch(reverses, 1, 64, 0, values.data(), true));
  const std::optional<Defect> found =
      defect_of([&] { launch(reverses, 1, 64, 0, values.data(), false); });
  ASSERT_TRUE(found);
  // The first half of the threads reads values that are not written yet.
  EXPECT_TRUE(found->kind() == DefectKind::race || found->kind() == DefectKind::read_before_write)
      << found->what();
}

__global__ void writes_then_reads_of_neighbours(int* values, bool waits) {
  int* const shared = static_cast<int*>(dynamic_shared_memory());
  shared[threadIdx.x] = 0;
  __syncthreads();
  shared[threadIdx.x] = values[threadIdx.x];
  if (waits) __syncthreads();
  values[threadIdx.x] = shared[threadIdx.x ^ 1];
}

TEST_P(Checks, FindARaceAndNameBothThreads) {
  Memory<int> values(64);
  EXPECT_CLEAN(launch(writes_then_reads_of_neighbours, 1, 64, 256, values.data(), true));
  EXPECT_DEFECT(race, "no barrier is between",
                launch(writes_then_reads_of_neighbours, 1, 64, 256, values.data(), false));
}

__global__ void reuses_its_tile(int* values, bool waits) {
  __shared__ int tile[32];
  for (int round = 0; round < 3; ++round) {
    tile[threadIdx.x] = values[threadIdx.x] + round;
    __syncthreads();
    values[threadIdx.x] += tile[(threadIdx.x + 1) % 32];
    if (waits) __syncthreads();
  }
}

// The classic error: the barrier at the end of the loop, before the tile is refilled.
TEST_P(Checks, FindAMissingBarrierAfterTheReads) {
  Memory<int> values(32);
  EXPECT_CLEAN(launch(reuses_its_tile, 1, 32, 0, values.data(), true));
  EXPECT_DEFECT(race, "bytes at a __shared__ variable, which thread (",
                launch(reuses_its_tile, 1, 32, 0, values.data(), false));
}

__global__ void all_write_one_place(int* value, bool only_one) {
  if (!only_one || threadIdx.x == 0) *value = 1;
}

TEST_P(Checks, FindARaceInGlobalMemory) {
  Memory<int> value(1);
  EXPECT_CLEAN(launch(all_write_one_place, 1, 32, 0, value.data(), true));
  EXPECT_DEFECT(race, "writes 4 bytes at byte 0 of an allocation of 4 bytes",
                launch(all_write_one_place, 1, 32, 0, value.data(), false));
  EXPECT_DEFECT(race, "nothing orders blocks of a grid",
                launch(all_write_one_place, 2, 1, 0, value.data(), false));
}

__global__ void adds_up(int* sum, bool atomically) {
  if (atomically) {
    atomicAdd(sum, 1);
  } else {
    *sum += 1;
  }
}

TEST_P(Checks, KnowThatAtomicsDoNotRace) {
  Memory<int> sum(1);
  sum[0] = 0;
  EXPECT_CLEAN(launch(adds_up, 4, 64, 0, sum.data(), true));
  EXPECT_EQ(sum[0], 256);
  EXPECT_DEFECT(race, "an allocation of 4 bytes", launch(adds_up, 1, 2, 0, sum.data(), false));
}

__global__ void last_block_adds_up(int* parts, unsigned* arrived, int* sum, bool counts) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = static_cast<int>(blockIdx.x);
    __threadfence();
    is_last = (counts ? atomicAdd(arrived, 1u) : blockIdx.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last || threadIdx.x != 0) return;
  *sum = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) *sum += parts[b];
}

TEST_P(Checks, KnowTheLastBlockThatAddsUp) {
  Memory<int> parts(8);
  Memory<unsigned> arrived(1);
  Memory<int> sum(1);
  arrived[0] = 0;
  EXPECT_CLEAN(
      launch(last_block_adds_up, 8, 32, 0, parts.data(), arrived.data(), sum.data(), true));
  EXPECT_EQ(sum[0], 28);
  EXPECT_DEFECT(
      race, "of block",
      launch(last_block_adds_up, 8, 32, 0, parts.data(), arrived.data(), sum.data(), false));
}

__global__ void warp_hands_over(int* values, bool waits) {
  __shared__ int shared[64];
  shared[threadIdx.x] = values[threadIdx.x];
  if (waits) {
    __syncwarp();
  } else {
    __shfl_sync(0xffffffffu, 0, 0);
  }
  values[threadIdx.x] = shared[threadIdx.x ^ 3];
}

// A shuffle makes lanes meet, but does not order memory accesses.
TEST_P(Checks, TellASynchronizedWarpFromAShuffle) {
  Memory<int> values(64);
  EXPECT_CLEAN(launch(warp_hands_over, 1, 64, 0, values.data(), true));
  EXPECT_DEFECT(race, "reads 4 bytes at a __shared__ variable",
                launch(warp_hands_over, 1, 64, 0, values.data(), false));
}

__global__ void producers_hand_over(int* values, int come) {
  __shared__ int shared[32];
  if (threadIdx.x < 32) shared[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  if (threadIdx.x < 32) {
    shared[threadIdx.x] = 2;
    arrive_at_barrier(1, come, Site::here());
  } else if (threadIdx.x < 64) {
    wait_at_barrier(1, come, Site::here());
    values[threadIdx.x - 32] = shared[threadIdx.x - 32];
  } else {
    if (come == 96) arrive_at_barrier(1, come, Site::here());
    if (come == 64) values[threadIdx.x - 32] = shared[threadIdx.x - 64];
  }
}

TEST_P(Checks, KnowWhoMetAtANamedBarrier) {
  Memory<int> values(64);
  EXPECT_CLEAN(launch(producers_hand_over, 1, 96, 0, values.data(), 96));
  EXPECT_DEFECT(race, "a __shared__ variable",
                launch(producers_hand_over, 1, 96, 0, values.data(), 64));
}

__global__ void producer_writes_late(int* value, bool writes_late) {
  __shared__ int shared;
  if (threadIdx.x < 32) {
    if (threadIdx.x == 0 && !writes_late) shared = 1;
    arrive_at_barrier(1, 64, Site::here());
    if (threadIdx.x == 0 && writes_late) shared = 1;
  } else {
    wait_at_barrier(1, 64, Site::here());
    if (threadIdx.x == 32) *value = shared;
  }
}

// A thread that only arrives has seen nothing of the others, and its later accesses are not waited
// for.
TEST_P(Checks, TellAnArrivalFromAWait) {
  Memory<int> value(1);
  EXPECT_CLEAN(launch(producer_writes_late, 1, 64, 0, value.data(), false));
  const std::optional<Defect> found =
      defect_of([&] { launch(producer_writes_late, 1, 64, 0, value.data(), true); });
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->kind() == DefectKind::race || found->kind() == DefectKind::read_before_write)
      << found->what();
}

__global__ void reads_twice_then_writes(int* value, int* out, unsigned writer) {
  out[2 * blockIdx.x] = *value;
  __syncthreads();
  out[2 * blockIdx.x + 1] = *value;
  if (blockIdx.x == writer) *value = 1;
}

TEST_P(Checks, RememberReadsOfEarlierBlocks) {
  Memory<int> value(1);
  Memory<int> out(4);
  // The block that runs last writes.
  const bool is_descending = GetParam() == Order::descending;
  EXPECT_DEFECT(
      race, is_descending ? "thread 0 of block 1 reads" : "thread 0 of block 0 reads",
      launch(reads_twice_then_writes, 2, 1, 0, value.data(), out.data(), is_descending ? 0u : 1u));
}

/// Thread 0 writes a word, or byte 3 of it, and thread 1 reads a byte, or the word.
__global__ void word_and_bytes(unsigned* word, bool writes_word, int byte, bool waits) {
  auto* const bytes = reinterpret_cast<volatile unsigned char*>(word);
  if (threadIdx.x == 0) {
    if (writes_word) {
      *word = 1;
    } else {
      bytes[3] = 1;
    }
  }
  if (waits) __syncthreads();
  if (threadIdx.x == 1) {
    if (byte < 0) {
      word[1] = *word;
    } else {
      word[1] = bytes[byte];
    }
  }
}

TEST_P(Checks, SeeThatAWordIsItsBytes) {
  Memory<unsigned> words(2);
  const auto run = [&](bool writes_word, int byte, bool waits) {
    launch(word_and_bytes, 1, 32, 0, words.data(), writes_word, byte, waits);
  };
  for (const int byte : {0, 3}) {
    EXPECT_DEFECT(race, "", run(true, byte, false));
    EXPECT_CLEAN(run(true, byte, true));
  }
  EXPECT_DEFECT(race, "", run(false, -1, false));
  EXPECT_DEFECT(race, "", run(false, 3, false));
  EXPECT_CLEAN(run(false, 2, false));  // another byte
  EXPECT_CLEAN(run(false, -1, true));
}

__global__ void writes_all(int* values) {
  values[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

// The shadow of large memory is cleared between launches.
TEST_P(Checks, SeeRacesOfLaunchesBesideLargeMemory) {
  constexpr int blocks = 4096;
  Memory<int> values(blocks * 128);
  Memory<unsigned> words(2);
  for (int turn = 0; turn < 2; ++turn) {
    EXPECT_CLEAN(launch(writes_all, blocks, 128, 0, values.data()));
    EXPECT_DEFECT(race, "", launch(word_and_bytes, 1, 32, 0, words.data(), true, 0, false));
  }
}

// --- bounds --------------------------------------------------------------------------------------

__global__ void writes_at(float* values, int offset) {
  values[static_cast<int>(threadIdx.x) + offset] = 1;
}

TEST_P(Checks, FindGlobalMemoryOutOfBounds) {
  Memory<float> values(32);
  EXPECT_CLEAN(launch(writes_at, 1, 32, 0, values.data(), 0));
  EXPECT_DEFECT(global_out_of_bounds, "0 bytes beyond the end of an allocation of 128 bytes",
                launch(writes_at, 1, 32, 0, values.data(), 1));
  EXPECT_DEFECT(global_out_of_bounds, "before an allocation of 128 bytes",
                launch(writes_at, 1, 1, 0, values.data(), -1));
}

// An index beyond the end of an allocation does not reach a neighbouring one.
TEST_P(Checks, FindAnIndexFarBeyondAnAllocation) {
  Memory<float> values(32);
  Memory<float> others(32);
  for (const int offset : {64, 1000, 100000}) {
    EXPECT_DEFECT(global_out_of_bounds, "beyond the end of an allocation of 128 bytes",
                  launch(writes_at, 1, 1, 0, values.data(), offset));
    EXPECT_DEFECT(global_out_of_bounds, "beyond the end of an allocation of 128 bytes",
                  launch(writes_at, 1, 1, 0, others.data(), offset));
  }
}

__global__ void reads_one(const float* from, float* to) {
  *to = *from;
}

TEST_P(Checks, FindMemoryOfTheHost) {
  std::vector<float> values(32);
  EXPECT_DEFECT(global_out_of_bounds, "no memory of the device",
                launch(writes_at, 1, 32, 0, values.data(), 0));
  Memory<float> to(1);
  const float of_the_stack = 1;
  EXPECT_DEFECT(global_out_of_bounds, "no memory of the device",
                launch(reads_one, 1, 1, 0, &of_the_stack, to.data()));
  EXPECT_DEFECT(global_out_of_bounds, "no memory of the device",
                launch(reads_one, 1, 1, 0, values.data(), to.data()));
}

TEST_P(Checks, NameFreedMemoryNullPointersAndTheHosts) {
  Memory<float> to(1);
  float* freed = nullptr;
  cudaMalloc(&freed, 100 * sizeof(float));
  cudaFree(freed);
  EXPECT_DEFECT(global_out_of_bounds,
                "reads 4 bytes at byte 8 of an allocation of 400 bytes that was freed",
                launch(reads_one, 1, 1, 0, freed + 2, to.data()));
  EXPECT_DEFECT(global_out_of_bounds, "a null pointer",
                launch(reads_one, 1, 1, 0, nullptr, to.data()));
  const std::vector<float> of_the_host(1 << 20);
  EXPECT_DEFECT(global_out_of_bounds, "memory of the host, or none",
                launch(reads_one, 1, 1, 0, of_the_host.data() + (1 << 19), to.data()));
}

struct Many {
  float values[32];
};

__global__ void copies_many(const Many* from, void* to, std::size_t bytes) {
  std::memcpy(to, from, bytes);
}

template <int Bytes>
__global__ void copies_so_many(const void* from, void* to) {
  std::memcpy(to, from, Bytes);
}
template <int Bytes>
__global__ void sets_so_many(void* to) {
  std::memset(to, 0, Bytes);
}

// Sizes known at compile time, which compilers would copy inline.
template <int... Bytes>
void expect_known_sizes_found() {
  const auto expect = [](auto copies, auto sets, std::size_t bytes) {
    SCOPED_TRACE(bytes);
    Memory<char> from(bytes);
    Memory<char> to(bytes);
    Memory<char> less(bytes - 1);
    EXPECT_CLEAN(launch(copies, 1, 1, 0, from.data(), to.data()));
    EXPECT_DEFECT(global_out_of_bounds, "the last 1 of them beyond",
                  launch(copies, 1, 1, 0, less.data(), to.data()));
    EXPECT_DEFECT(global_out_of_bounds, "the last 1 of them beyond",
                  launch(copies, 1, 1, 0, from.data(), less.data()));
    EXPECT_DEFECT(global_out_of_bounds, "the last 1 of them beyond",
                  launch(sets, 1, 1, 0, less.data()));
  };
  (expect(copies_so_many<Bytes>, sets_so_many<Bytes>, Bytes), ...);
}

TEST_P(Checks, FindCopiesOfAnyKnownSize) {
  expect_known_sizes_found<2, 3, 4, 8, 12, 16, 24, 32, 48, 100>();
}

__global__ void sets_many(void* to, std::size_t bytes) {
  std::memset(to, 0, bytes);
}

__global__ void moves_many(char* values, std::size_t bytes) {
  std::memmove(values + 4, values, bytes);
}

TEST_P(Checks, FindWhatTheLibrarysCopiesDo) {
  Memory<Many> from(1);
  Memory<Many> to(1);
  EXPECT_CLEAN(launch(copies_many, 1, 1, 0, from.data(), to.data(), sizeof(Many)));
  EXPECT_DEFECT(global_out_of_bounds, "the last 1 of them beyond the 128 bytes of an allocation",
                launch(copies_many, 1, 1, 0, from.data(), to.data(), sizeof(Many) + 1));
  EXPECT_DEFECT(race, "no barrier is between",
                launch(copies_many, 1, 2, 0, from.data(), to.data(), sizeof(Many)));
  EXPECT_CLEAN(launch(sets_many, 1, 1, 0, to.data(), sizeof(Many)));
  EXPECT_DEFECT(global_out_of_bounds, "writes 130 bytes",
                launch(sets_many, 1, 1, 0, to.data(), sizeof(Many) + 2));
  char* const bytes = reinterpret_cast<char*>(to.data());
  EXPECT_CLEAN(launch(moves_many, 1, 1, 0, bytes, sizeof(Many) - 4));
  EXPECT_DEFECT(global_out_of_bounds, "writes 125 bytes",
                launch(moves_many, 1, 1, 0, bytes, sizeof(Many) - 3));
}

__global__ void reads_wide(const float4* from, float4* to) {
  *to = *from;
}

TEST_P(Checks, FindTheEndOfAVectorAccess) {
  Memory<float> values(6);
  Memory<float4> result(1);
  EXPECT_CLEAN(
      launch(reads_wide, 1, 1, 0, reinterpret_cast<float4*>(values.data()), result.data()));
  EXPECT_DEFECT(
      global_out_of_bounds, "the last 8 of them beyond the 24 bytes of an allocation",
      launch(reads_wide, 1, 1, 0, reinterpret_cast<float4*>(values.data()) + 1, result.data()));
}

__global__ void writes_dynamic_memory(int extra) {
  static_cast<int*>(dynamic_shared_memory())[static_cast<int>(threadIdx.x) + extra] = 1;
}

TEST_P(Checks, FindSharedMemoryOutOfBounds) {
  EXPECT_CLEAN(launch(writes_dynamic_memory, 2, 32, 128, 0));
  EXPECT_DEFECT(shared_out_of_bounds,
                "0 bytes beyond the end of the block's dynamic shared memory of 128 bytes",
                launch(writes_dynamic_memory, 2, 32, 128, 1));
}

__global__ void indexes_static_memory(int* out, int row, int column) {
  __shared__ int tile[4][8];
  tile[row][column] = 1;
  *out = tile[row][column];
}

TEST_P(Checks, FindAnIndexBeyondAStaticArray) {
  Memory<int> out(1);
  EXPECT_CLEAN(launch(indexes_static_memory, 1, 1, 0, out.data(), 3, 7));
  EXPECT_DEFECT(local_out_of_bounds, "index 8 of 'int [8]'",
                launch(indexes_static_memory, 1, 1, 0, out.data(), 0, 8));
  EXPECT_DEFECT(local_out_of_bounds, "index 4 of 'int [4][8]'",
                launch(indexes_static_memory, 1, 1, 0, out.data(), 4, 0));
}

__global__ void indexes_registers(int index, int* out) {
  int registers[4] = {1, 2, 3, 4};
  *out = registers[index];
}

TEST_P(Checks, FindAnIndexBeyondALocalArray) {
  Memory<int> out(1);
  EXPECT_CLEAN(launch(indexes_registers, 1, 1, 0, 3, out.data()));
  EXPECT_DEFECT(local_out_of_bounds, "index 4 of 'int [4]'",
                launch(indexes_registers, 1, 1, 0, 4, out.data()));
}

// --- unwritten and unarrived memory --------------------------------------------------------------

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

// --- alignment -----------------------------------------------------------------------------------

TEST_P(Checks, FindAMisalignedVectorAccess) {
  Memory<float> values(9);
  Memory<float4> result(1);
  EXPECT_DEFECT(
      misaligned, "no multiple of 16 bytes",
      launch(reads_wide, 1, 1, 0, reinterpret_cast<float4*>(values.data() + 1), result.data()));
}

// --- valid code ----------------------------------------------------------------------------------

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
}  // namespace archgrid::host
