// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "gemm/mma.cuh"
#include "gemm/variant.h"

namespace archgrid::gemm {

template <Form A, Form B>
struct F16_128x128 : LargeMma<ptx::F16, A, B> {};
template <Form A, Form B>
struct F16_64x64 : SmallMma<ptx::F16, A, B> {};

cudaError_t mma_f16_128x128(const Problem& p, int splits, void* partials, cudaStream_t stream) {
  return launch_mma_of_any_form<F16_128x128>(p, splits, partials, stream);
}
cudaError_t mma_f16_128x128_is_loadable() {
  return ptx::is_loadable(mma_tile<F16_128x128<Form::lines, Form::lines>>);
}

cudaError_t mma_f16_64x64(const Problem& p, int splits, void* partials, cudaStream_t stream) {
  return launch_mma_of_any_form<F16_64x64>(p, splits, partials, stream);
}
cudaError_t mma_f16_64x64_is_loadable() {
  return ptx::is_loadable(mma_tile<F16_64x64<Form::lines, Form::lines>>);
}

}  // namespace archgrid::gemm
