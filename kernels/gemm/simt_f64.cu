// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "gemm/simt.cuh"
#include "gemm/variant.h"

namespace archgrid::gemm {
struct F64_64x64 : SimtShape<double, 64, 64, 8, 4, 4, 3, 128> {};

cudaError_t simt_f64_64x64(const Problem& p, int splits, void* partials, cudaStream_t stream) {
  return launch_simt<F64_64x64>(p, splits, partials, stream);
}
cudaError_t simt_f64_64x64_is_loadable() {
  return ptx::is_loadable(simt_tile<F64_64x64>);
}

}  // namespace archgrid::gemm
