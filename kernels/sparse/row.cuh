// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// What the kernels share.
#pragma once

#include <cuda_runtime.h>

#include "sparse/spmv.h"

namespace archgrid::sparse {

constexpr int block_threads = 256;
constexpr int warp_threads = 32;

__device__ inline void store_y(const Problem& p, int row, float product) {
  float& y = p.y[row];
  y = p.beta == 0.0f ? p.alpha * product : p.alpha * product + p.beta * y;
}

// 64 bits, because the last block reaches beyond the last row.
__device__ inline long long global_thread() {
  return static_cast<long long>(blockIdx.x) * block_threads + static_cast<long long>(threadIdx.x);
}

}  // namespace archgrid::sparse
