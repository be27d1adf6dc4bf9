// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "gemm/mma.cuh"
#include "gemm/variant.h"

namespace archgrid::gemm {

cudaError_t mma_bf16_128x128(const Problem& p, int splits, void* partials, cudaStream_t stream) {
  return launch_mma_of_any_form<ptx::Bf16, LargeMma>(p, splits, partials, stream);
}
cudaError_t mma_bf16_128x128_is_loadable() {
  return ptx::is_loadable(mma_tile<LargeMma<ptx::Bf16>>);
}

cudaError_t mma_bf16_64x64(const Problem& p, int splits, void* partials, cudaStream_t stream) {
  return launch_mma_of_any_form<ptx::Bf16, SmallMma>(p, splits, partials, stream);
}
cudaError_t mma_bf16_64x64_is_loadable() {
  return ptx::is_loadable(mma_tile<SmallMma<ptx::Bf16>>);
}

}  // namespace archgrid::gemm
