// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "ptx/launch.cuh"
#include "sparse/row.cuh"

namespace archgrid::sparse {

inline bool is_valid(const Problem& p) {
  const bool has_rows = p.a.row_offsets != nullptr && p.y != nullptr;
  return p.a.rows >= 0 && p.a.columns >= 0 && (has_rows || p.a.rows == 0);
}

inline cudaError_t launch(void (*kernel)(Problem), int threads_per_row, const Problem& problem,
                          cudaStream_t stream) {
  if (!is_valid(problem)) return cudaErrorInvalidValue;
  if (problem.a.rows == 0) return cudaSuccess;
  const long long threads = static_cast<long long>(problem.a.rows) * threads_per_row;
  const dim3 grid(static_cast<unsigned>((threads + block_threads - 1) / block_threads));
  return ptx::launch(kernel, grid, dim3(block_threads), 0, stream, problem);
}

}  // namespace archgrid::sparse
