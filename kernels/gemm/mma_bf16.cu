// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "gemm/mma.cuh"
#include "gemm/variant.h"

namespace archgrid::gemm {

template <Major A, Major B>
struct Bf16_128x128 : LargeMma<ptx::Bf16, A, B> {};
template <Major A, Major B>
struct Bf16_64x64 : SmallMma<ptx::Bf16, A, B> {};

cudaError_t mma_bf16_128x128(const Problem& p, int splits, void* partials, cudaStream_t stream) {
  return launch_mma_any_major<Bf16_128x128>(p, splits, partials, stream);
}
cudaError_t mma_bf16_128x128_is_loadable() {
  return ptx::is_loadable(mma_tile<Bf16_128x128<Major::k, Major::k>>);
}

cudaError_t mma_bf16_64x64(const Problem& p, int splits, void* partials, cudaStream_t stream) {
  return launch_mma_any_major<Bf16_64x64>(p, splits, partials, stream);
}
cudaError_t mma_bf16_64x64_is_loadable() {
  return ptx::is_loadable(mma_tile<Bf16_64x64<Major::k, Major::k>>);
}

}  // namespace archgrid::gemm
