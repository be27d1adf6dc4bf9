// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/structured.cuh"

namespace archgrid::sparse {

cudaError_t structured_f16(const Structured& a, const gemm::Problem& p, cudaStream_t stream) {
  return launch_structured_any_major<ptx::F16>(gemm::Type::f16, a, p, stream);
}
cudaError_t structured_f16_is_loadable() {
  return ptx::is_loadable(structured_tile<StructuredShape<ptx::F16, Major::mn>>);
}

}  // namespace archgrid::sparse
