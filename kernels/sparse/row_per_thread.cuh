// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "sparse/row.cuh"

namespace archgrid::sparse {

__global__ void __launch_bounds__(block_threads) spmv_row_per_thread(Problem p) {
  if (global_thread() >= p.a.rows) return;
  const int row = static_cast<int>(global_thread());
  const int end = p.a.row_offsets[row + 1];
  float sum = 0.0f;
  for (int i = p.a.row_offsets[row]; i < end; ++i) {
    sum += p.a.values[i] * p.x[p.a.column_indices[i]];
  }
  store_y(p, row, sum);
}

}  // namespace archgrid::sparse
