// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "gemm/simt.cuh"
#include "gemm/variant.h"

namespace archgrid::gemm {
namespace {

using Shape = SimtShape<double, 64, 64, 8, 4, 4, 3, 255>;

}  // namespace

cudaError_t simt_f64_64x64(const Problem& p, int splits, void* partials, cudaStream_t stream) {
  return launch_simt<Shape>(p, splits, partials, stream);
}
cudaError_t simt_f64_64x64_is_loadable() {
  return ptx::is_loadable(simt_tile<Shape>);
}

}  // namespace archgrid::gemm
