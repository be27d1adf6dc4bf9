// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "gemm/launch.cuh"

namespace archgrid::gemm {

cudaError_t tile_64x64(const Problem& problem, cudaStream_t stream) {
  return launch_tile<Shape<64, 64, 16, 4, 4>>(problem, stream);
}

}  // namespace archgrid::gemm
