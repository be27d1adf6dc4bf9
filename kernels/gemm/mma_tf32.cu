// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "gemm/mma.cuh"
#include "gemm/variant.h"

namespace archgrid::gemm {

struct Tf32_128x128 : LargeMma<ptx::Tf32> {};
struct Tf32_64x64 : SmallMma<ptx::Tf32> {};

cudaError_t mma_tf32_128x128(const Problem& p, int splits, void* partials, cudaStream_t stream) {
  return launch_mma_k_major<Tf32_128x128>(p, splits, partials, stream);
}
cudaError_t mma_tf32_128x128_is_loadable() {
  return ptx::is_loadable(mma_tile<Tf32_128x128>);
}

cudaError_t mma_tf32_64x64(const Problem& p, int splits, void* partials, cudaStream_t stream) {
  return launch_mma_k_major<Tf32_64x64>(p, splits, partials, stream);
}
cudaError_t mma_tf32_64x64_is_loadable() {
  return ptx::is_loadable(mma_tile<Tf32_64x64>);
}

}  // namespace archgrid::gemm
