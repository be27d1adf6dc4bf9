// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/structured.cuh"

namespace archgrid::sparse {

using S8Shape = StructuredShape<ptx::S8, Major::k>;

cudaError_t structured_s8(const Structured& a, const gemm::Problem& p, cudaStream_t stream) {
  if (a.type != gemm::Type::s8 || !validate(a, p).empty()) return cudaErrorInvalidValue;
  return launch_structured<S8Shape>(a, p, stream);
}
cudaError_t structured_s8_is_loadable() {
  return ptx::is_loadable(structured_tile<S8Shape>);
}

}  // namespace archgrid::sparse
