// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Accesses out of bounds or misaligned, planted in kernels.
#include <cstring>
#include <vector>

#include "checks.hpp"

namespace archgrid::cpu_emulator {
namespace {

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

TEST_P(Checks, FindAMisalignedVectorAccess) {
  Memory<float> values(9);
  Memory<float4> result(1);
  EXPECT_DEFECT(
      misaligned, "no multiple of 16 bytes",
      launch(reads_wide, 1, 1, 0, reinterpret_cast<float4*>(values.data() + 1), result.data()));
}

}  // namespace
}  // namespace archgrid::cpu_emulator
