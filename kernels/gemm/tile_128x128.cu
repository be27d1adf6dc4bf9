// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "gemm/launch.cuh"

namespace archgrid::gemm {

cudaError_t tile_128x128(const Problem& problem, cudaStream_t stream) {
  return launch_tile<Shape<128, 128, 8, 8, 8>>(problem, stream);
}

}  // namespace archgrid::gemm
