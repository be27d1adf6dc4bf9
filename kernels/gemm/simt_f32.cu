// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "gemm/simt.cuh"
#include "gemm/variant.h"

namespace archgrid::gemm {
struct F32_128x128 : SimtShape<float, 128, 128, 16, 8, 8, 2, 128> {};
struct F32_64x64 : SimtShape<float, 64, 64, 8, 8, 8, 3, 168> {};

cudaError_t simt_f32_128x128(const Problem& p, int splits, void* partials, cudaStream_t stream) {
  return launch_simt<F32_128x128>(p, splits, partials, stream);
}
cudaError_t simt_f32_128x128_is_loadable() {
  return ptx::is_loadable(simt_tile<F32_128x128>);
}

cudaError_t simt_f32_64x64(const Problem& p, int splits, void* partials, cudaStream_t stream) {
  return launch_simt<F32_64x64>(p, splits, partials, stream);
}
cudaError_t simt_f32_64x64_is_loadable() {
  return ptx::is_loadable(simt_tile<F32_64x64>);
}

}  // namespace archgrid::gemm
