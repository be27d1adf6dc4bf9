// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/launch.cuh"
#include "sparse/row_per_warp.cuh"

namespace archgrid::sparse {

cudaError_t row_per_warp(const Problem& problem, cudaStream_t stream) {
  return launch(spmv_row_per_warp, warp_threads, problem, stream);
}

}  // namespace archgrid::sparse
