// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "gemm/mma.cuh"
#include "gemm/variant.h"

namespace archgrid::gemm {

template <Major A, Major B>
struct F16_128x128 : LargeMma<ptx::F16, A, B> {};
template <Major A, Major B>
struct F16_64x64 : SmallMma<ptx::F16, A, B> {};

cudaError_t mma_f16_128x128(const Problem& p, int splits, void* partials, cudaStream_t stream) {
  return launch_mma_any_major<F16_128x128>(p, splits, partials, stream);
}
cudaError_t mma_f16_128x128_is_loadable() {
  return ptx::is_loadable(mma_tile<F16_128x128<Major::k, Major::k>>);
}

cudaError_t mma_f16_64x64(const Problem& p, int splits, void* partials, cudaStream_t stream) {
  return launch_mma_any_major<F16_64x64>(p, splits, partials, stream);
}
cudaError_t mma_f16_64x64_is_loadable() {
  return ptx::is_loadable(mma_tile<F16_64x64<Major::k, Major::k>>);
}

}  // namespace archgrid::gemm
