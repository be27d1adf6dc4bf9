// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/structured.cuh"

namespace archgrid::sparse {

cudaError_t structured_bf16(const Structured& a, const gemm::Problem& p, cudaStream_t stream) {
  return launch_structured_any_major<ptx::Bf16>(gemm::Type::bf16, a, p, stream);
}
cudaError_t structured_bf16_is_loadable() {
  return ptx::is_loadable(structured_tile<StructuredShape<ptx::Bf16, Major::mn>>);
}

}  // namespace archgrid::sparse
