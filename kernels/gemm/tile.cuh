// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// The tiled kernel. It uses nothing beyond the language's built-ins, so that a host compiler that
// is told what __global__, threadIdx and the like mean can read it too.
#pragma once

#include "gemm/gemm.h"

namespace archgrid::gemm {

// The extents of the tile of C that a block computes, the depth of the slices of A and B that it
// stages in shared memory, and the extents of the part of the tile that a thread keeps in
// registers.
template <int TileM, int TileN, int TileK, int ThreadM, int ThreadN>
struct Shape {
  static constexpr int tile_m = TileM;
  static constexpr int tile_n = TileN;
  static constexpr int tile_k = TileK;
  static constexpr int thread_m = ThreadM;
  static constexpr int thread_n = ThreadN;
  static constexpr int threads_m = TileM / ThreadM;
  static constexpr int threads_n = TileN / ThreadN;
  static constexpr int threads = threads_m * threads_n;
  static_assert(TileM % ThreadM == 0 && TileN % ThreadN == 0, "threads must cover the tile");
  static_assert(TileM * TileK % threads == 0, "threads must share the slice of A evenly");
  static_assert(TileN * TileK % threads == 0, "threads must share the slice of B evenly");
};

// Copies the slice of A that begins at (row, depth), transposed; what lies outside A becomes zero.
template <class S>
__device__ void load_a(float (&slice)[S::tile_k][S::tile_m + 1], const Problem& p, int row,
                       int depth, int thread) {
#pragma unroll
  for (int i = thread; i < S::tile_m * S::tile_k; i += S::threads) {
    const int in_row = i / S::tile_k;
    const int in_depth = i % S::tile_k;
    const bool inside = row + in_row < p.m && depth + in_depth < p.k;
    const long long index = static_cast<long long>(row + in_row) * p.lda + depth + in_depth;
    slice[in_depth][in_row] = inside ? p.a[index] : 0.0f;
  }
}

// Copies the slice of B that begins at (depth, column); what lies outside B becomes zero.
template <class S>
__device__ void load_b(float (&slice)[S::tile_k][S::tile_n], const Problem& p, int depth,
                       int column, int thread) {
#pragma unroll
  for (int i = thread; i < S::tile_n * S::tile_k; i += S::threads) {
    const int in_depth = i / S::tile_n;
    const int in_column = i % S::tile_n;
    const bool inside = depth + in_depth < p.k && column + in_column < p.n;
    const long long index = static_cast<long long>(depth + in_depth) * p.ldb + column + in_column;
    slice[in_depth][in_column] = inside ? p.b[index] : 0.0f;
  }
}

__device__ inline void store_c(const Problem& p, int row, int column, float product) {
  if (row >= p.m || column >= p.n) return;
  float& c = p.c[static_cast<long long>(row) * p.ldc + column];
  c = p.beta == 0.0f ? p.alpha * product : p.alpha * product + p.beta * c;
}

// Block b computes the tile (b / tiles_n, b % tiles_n): one grid dimension, because the others end
// at 65535. A thread's elements are threads_m rows and threads_n columns apart, so that
// neighbouring threads read neighbouring words of shared memory and write neighbouring words of C.
template <class S>
__global__ void __launch_bounds__(S::threads) tile(Problem p) {
  __shared__ float a[S::tile_k][S::tile_m + 1];
  __shared__ float b[S::tile_k][S::tile_n];

  const int thread = static_cast<int>(threadIdx.x);
  const int thread_row = thread / S::threads_n;
  const int thread_column = thread % S::threads_n;
  const int tiles_n = p.n / S::tile_n + (p.n % S::tile_n != 0);
  const int row = static_cast<int>(blockIdx.x) / tiles_n * S::tile_m;
  const int column = static_cast<int>(blockIdx.x) % tiles_n * S::tile_n;

  float sum[S::thread_m][S::thread_n] = {};
  for (int depth = 0; depth < p.k; depth += S::tile_k) {
    load_a<S>(a, p, row, depth, thread);
    load_b<S>(b, p, depth, column, thread);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < S::tile_k; ++k) {
#pragma unroll
      for (int i = 0; i < S::thread_m; ++i) {
#pragma unroll
        for (int j = 0; j < S::thread_n; ++j) {
          sum[i][j] += a[k][thread_row + i * S::threads_m] * b[k][thread_column + j * S::threads_n];
        }
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < S::thread_m; ++i) {
#pragma unroll
    for (int j = 0; j < S::thread_n; ++j) {
      store_c(p, row + thread_row + i * S::threads_m, column + thread_column + j * S::threads_n,
              sum[i][j]);
    }
  }
}

}  // namespace archgrid::gemm
