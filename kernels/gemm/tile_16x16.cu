// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "gemm/launch.cuh"

namespace archgrid::gemm {

cudaError_t tile_16x16(const Problem& problem, cudaStream_t stream) {
  return launch_tile<Shape<16, 16, 16, 1, 1>>(problem, stream);
}

}  // namespace archgrid::gemm
