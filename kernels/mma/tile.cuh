// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Tiles of products on tensor cores (mma.sync), for elements of 1, 2 and 4 bytes: the layout of
// k-tiles in shared memory, and their multiplication by a warp.
//
// `mn` is an index along M for A, along N for B: a row of A or a column of B. A k-tile of an
// operand is 64 bytes of K of each row of A or column of B. Its vectors of 16 bytes are stored in
// shared memory in one of two layouts, swizzled so that the eight rows that ldmatrix reads at once
// fall into different banks:
//   K-major   [mn][k]: 4 vectors per mn. ldmatrix loads the registers of every type.
//   MN-major  [k][mn]: for elements of 2 bytes, which ldmatrix.trans can transpose.
#pragma once

#include <type_traits>

#include "ptx/cp_async.cuh"
#include "ptx/mma.cuh"
#include "ptx/occupancy.cuh"

namespace archgrid::mma {

// The contiguous dimension of an operand.
enum class Major { k, mn };

template <class Number>
struct TypesOf {
  using Sum = float;
  using Storage = unsigned char;
};
template <>
struct TypesOf<ptx::F16> {
  using Sum = float;
  using Storage = unsigned short;
};
template <>
struct TypesOf<ptx::Bf16> {
  using Sum = float;
  using Storage = unsigned short;
};
template <>
struct TypesOf<ptx::Tf32> {
  using Sum = float;
  using Storage = unsigned;
};
template <>
struct TypesOf<ptx::S8> {
  using Sum = int;
  using Storage = unsigned char;
};

// A tile of TileM x TileN elements of C for WarpsM x WarpsN warps, with a pipeline of `Stages`
// stages of k-tiles.
template <class N, int TileM, int TileN, int WarpsM, int WarpsN, int Stages, int Registers,
          Major MajorA, Major MajorB>
struct Shape {
  using Number = N;
  using Sum = typename TypesOf<N>::Sum;
  using Storage = typename TypesOf<N>::Storage;  // the bits of an element
  static constexpr Major major_a = MajorA;
  static constexpr Major major_b = MajorB;
  static constexpr int bytes = static_cast<int>(sizeof(Storage));
  static constexpr int tile_k_bytes = 64;
  static constexpr int tile_m = TileM;
  static constexpr int tile_n = TileN;
  static constexpr int tile_k = tile_k_bytes / bytes;
  static constexpr int vector = 16 / bytes;  // elements
  static constexpr int stages = Stages;
  static constexpr int warps_n = WarpsN;
  static constexpr int threads = 32 * WarpsM * WarpsN;
  static constexpr int registers = Registers;
  static constexpr int mmas_m = TileM / WarpsM / 16;
  static constexpr int mmas_n = TileN / WarpsN / 8;
  static constexpr int steps = tile_k_bytes / 32;  // each of 32 bytes of K
  // 8-bit floating-point numbers may be converted first, which takes registers.
  static constexpr int unrolled_steps = bytes == 1 && std::is_same<Sum, float>::value ? 1 : steps;
  static constexpr int stage_bytes = (TileM + TileN) * tile_k_bytes;
  static constexpr int shared_bytes = Stages * stage_bytes;
  static constexpr int blocks = ptx::resident_blocks(threads, Registers, shared_bytes);
  static_assert(mmas_n % 2 == 0, "B's registers are loaded for two products at once");
  static_assert((MajorA == Major::k && MajorB == Major::k) || bytes == 2,
                "ldmatrix.trans turns elements of two bytes");
};

// Returns the offset of vector `c` of row or column `mn` in a K-major k-tile, in bytes. Two rows or
// columns fill the 128 bytes of all banks.
__device__ __forceinline__ int k_major_offset(int mn, int c) {
  return mn * 64 + ((c ^ (mn >> 1 & 3)) << 4);
}
// Returns the offset of the vector at `k`, of the eight rows or columns from 8 * `c` on, in an
// MN-major k-tile, in bytes.
template <int TileMN>
__device__ __forceinline__ int mn_major_offset(int k, int c) {
  return k * TileMN * 2 + ((c ^ (k & 7)) << 4);
}

// Stores a vector that is assembled from the elements get(0), get(1), ...
template <class S, class Get>
__device__ __forceinline__ void store_gathered(unsigned char* shared, Get get) {
  unsigned words[4] = {};
#pragma unroll
  for (int i = 0; i < S::vector; ++i) {
    words[i * S::bytes / 4] |= static_cast<unsigned>(get(i)) << (i * S::bytes % 4 * 8);
  }
  *reinterpret_cast<uint4*>(shared) = make_uint4(words[0], words[1], words[2], words[3]);
}

// Loads the registers of A for 16 rows from `row` on, or of B for 16 columns from `column` on, in
// step `step` of a k-tile.
template <class S>
__device__ __forceinline__ void load_a(unsigned (&registers)[4], const unsigned char* k_tile,
                                       int row, int step) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  if (S::major_a == Major::k) {
    const int mn = row + lane % 16;
    ptx::ldmatrix_x4<false>(registers, k_tile + k_major_offset(mn, step * 2 + lane / 16));
  } else {
    const int k = step * 16 + lane / 16 * 8 + lane % 8;
    ptx::ldmatrix_x4<true>(registers,
                           k_tile + mn_major_offset<S::tile_m>(k, row / 8 + lane / 8 % 2));
  }
}
template <class S>
__device__ __forceinline__ void load_b(unsigned (&registers)[4], const unsigned char* k_tile,
                                       int column, int step) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  if (S::major_b == Major::k) {
    const int mn = column + lane / 16 * 8 + lane % 8;
    ptx::ldmatrix_x4<false>(registers, k_tile + k_major_offset(mn, step * 2 + lane / 8 % 2));
  } else {
    const int k = step * 16 + lane / 8 % 2 * 8 + lane % 8;
    ptx::ldmatrix_x4<true>(registers,
                           k_tile + mn_major_offset<S::tile_n>(k, column / 8 + lane / 16));
  }
}

// Adds the product of two k-tiles to the sums of a warp, whose part of the tile begins at (row,
// column).
template <class S>
__device__ __forceinline__ void multiply_k_tile(typename S::Sum (&sum)[S::mmas_m][S::mmas_n][4],
                                                const unsigned char* a, const unsigned char* b,
                                                int row, int column) {
  constexpr int unrolled = S::unrolled_steps;
#pragma unroll(unrolled)
  for (int step = 0; step < S::steps; ++step) {
    unsigned frag_a[S::mmas_m][4];
#pragma unroll
    for (int i = 0; i < S::mmas_m; ++i) load_a<S>(frag_a[i], a, row + i * 16, step);
#pragma unroll
    for (int j = 0; j < S::mmas_n; j += 2) {
      unsigned frag_b[4];
      load_b<S>(frag_b, b, column + j * 8, step);
      const unsigned left[2] = {frag_b[0], frag_b[1]};
      const unsigned right[2] = {frag_b[2], frag_b[3]};
#pragma unroll
      for (int i = 0; i < S::mmas_m; ++i) {
        ptx::mma_sync(typename S::Number(), sum[i][j], frag_a[i], left);
        ptx::mma_sync(typename S::Number(), sum[i][j + 1], frag_a[i], right);
      }
    }
  }
}

// Runs the pipeline over `k_tiles` k-tiles: load(stage) begins to copy the next one to a stage of
// shared memory, multiply(stage) multiplies one that has arrived. On return no copy is in flight,
// but warps may still be reading.
template <class S, class Count, class Load, class Multiply>
__device__ __forceinline__ void run_mainloop(unsigned char* shared, Count k_tiles, Load load,
                                             Multiply multiply) {
  Count loaded = 0;
  const auto load_to = [&](int stage) {
    if (loaded < k_tiles) {
      load(shared + stage * S::stage_bytes);
      ++loaded;
    }
    ptx::cp_async_commit_group();
  };
#pragma unroll
  for (int stage = 0; stage < S::stages - 1; ++stage) load_to(stage);
  int stage = 0;
  for (Count k_tile = 0; k_tile < k_tiles; ++k_tile) {
    ptx::cp_async_wait_group<S::stages - 2>();
    // Wait until the copies of all threads have arrived, and no thread reads the previous stage,
    // which is filled next.
    __syncthreads();
    load_to(stage == 0 ? S::stages - 1 : stage - 1);
    multiply(shared + stage * S::stage_bytes);
    stage = stage == S::stages - 1 ? 0 : stage + 1;
  }
  ptx::cp_async_wait_group<0>();
}

}  // namespace archgrid::mma
