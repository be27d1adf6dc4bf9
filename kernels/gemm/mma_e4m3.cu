// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "gemm/mma.cuh"
#include "gemm/variant.h"

namespace archgrid::gemm {

struct E4m3_128x128 : LargeMma<ptx::E4m3> {};
struct E4m3_64x64 : SmallMma<ptx::E4m3> {};

cudaError_t mma_e4m3_128x128(const Problem& p, int splits, void* partials, cudaStream_t stream) {
  return launch_mma_k_major<E4m3_128x128>(p, splits, partials, stream);
}
cudaError_t mma_e4m3_128x128_is_loadable() {
  return ptx::is_fp8_loadable(mma_tile<E4m3_128x128>);
}

cudaError_t mma_e4m3_64x64(const Problem& p, int splits, void* partials, cudaStream_t stream) {
  return launch_mma_k_major<E4m3_64x64>(p, splits, partials, stream);
}
cudaError_t mma_e4m3_64x64_is_loadable() {
  return ptx::is_fp8_loadable(mma_tile<E4m3_64x64>);
}

}  // namespace archgrid::gemm
