// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "sparse/row.cuh"

namespace archgrid::sparse {

// The whole warp is here: rows are given to warps, so no thread of one leaves alone.
__device__ inline float sum_over_warp(float value) {
#pragma unroll
  for (int distance = warp_threads / 2; distance > 0; distance /= 2) {
    value += __shfl_down_sync(0xffffffffu, value, static_cast<unsigned>(distance));
  }
  return value;
}

__global__ void __launch_bounds__(block_threads) spmv_row_per_warp(Problem p) {
  if (global_thread() / warp_threads >= p.a.rows) return;
  const int row = static_cast<int>(global_thread() / warp_threads);
  const int lane = static_cast<int>(threadIdx.x) % warp_threads;
  const int end = p.a.row_offsets[row + 1];
  float sum = 0.0f;
  // The index could pass the largest int on its way beyond the last entry.
  for (long long i = p.a.row_offsets[row] + static_cast<long long>(lane); i < end;
       i += warp_threads) {
    sum += p.a.values[i] * p.x[p.a.column_indices[i]];
  }
  sum = sum_over_warp(sum);
  if (lane == 0) store_y(p, row, sum);
}

}  // namespace archgrid::sparse
