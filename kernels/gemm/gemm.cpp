// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "gemm/gemm.h"

#include <algorithm>

namespace archgrid::gemm {

cudaError_t multiply(const Problem& problem, cudaStream_t stream) {
  const int shorter_side = std::min(problem.m, problem.n);
  if (shorter_side >= 512) return tile_128x128(problem, stream);
  if (shorter_side >= 64) return tile_64x64(problem, stream);
  return tile_16x16(problem, stream);
}

}  // namespace archgrid::gemm
