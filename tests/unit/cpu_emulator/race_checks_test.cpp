// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Races between threads, planted in kernels.
#include "checks.hpp"

namespace archgrid::cpu_emulator {
namespace {

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

}  // namespace
}  // namespace archgrid::cpu_emulator
