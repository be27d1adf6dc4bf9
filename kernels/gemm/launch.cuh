// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "gemm/tile.cuh"

namespace archgrid::gemm {

inline bool is_valid(const float* matrix, int rows, int columns, int leading) {
  const bool has_elements = rows > 0 && columns > 0;
  return rows >= 0 && columns >= 0 && leading >= columns && (matrix != nullptr || !has_elements);
}

inline bool is_valid(const Problem& p) {
  return is_valid(p.a, p.m, p.k, p.lda) && is_valid(p.b, p.k, p.n, p.ldb) &&
         is_valid(p.c, p.m, p.n, p.ldc);
}

inline long long tiles(int extent, int tile_extent) {
  return extent / tile_extent + (extent % tile_extent != 0);
}

template <class S>
cudaError_t launch_tile(const Problem& problem, cudaStream_t stream) {
  constexpr long long largest_grid = 2147483647;
  constexpr int largest_extent = largest_grid - S::tile_m - S::tile_n - S::tile_k;
  if (!is_valid(problem)) return cudaErrorInvalidValue;
  if (problem.m == 0 || problem.n == 0) return cudaSuccess;
  if (problem.m > largest_extent || problem.n > largest_extent || problem.k > largest_extent) {
    return cudaErrorInvalidValue;
  }
  const long long blocks = tiles(problem.m, S::tile_m) * tiles(problem.n, S::tile_n);
  if (blocks > largest_grid) return cudaErrorInvalidValue;

  Problem argument = problem;
  void* arguments[] = {&argument};
  const dim3 grid(static_cast<unsigned>(blocks));
  const void* kernel = reinterpret_cast<const void*>(tile<S>);
  return cudaLaunchKernel(kernel, grid, dim3(S::threads), arguments, 0, stream);
}

}  // namespace archgrid::gemm
