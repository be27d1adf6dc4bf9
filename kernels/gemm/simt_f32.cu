// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "gemm/simt.cuh"
#include "gemm/variant.h"

namespace archgrid::gemm {
namespace {

using Large = SimtShape<float, 128, 128, 8, 8, 8, 3, 255>;
using Small = SimtShape<float, 64, 64, 8, 8, 8, 3, 255>;

}  // namespace

cudaError_t simt_f32_128x128(const Problem& p, int splits, void* partials, cudaStream_t stream) {
  return launch_simt<Large>(p, splits, partials, stream);
}
cudaError_t simt_f32_128x128_is_loadable() {
  return ptx::is_loadable(simt_tile<Large>);
}

cudaError_t simt_f32_64x64(const Problem& p, int splits, void* partials, cudaStream_t stream) {
  return launch_simt<Small>(p, splits, partials, stream);
}
cudaError_t simt_f32_64x64_is_loadable() {
  return ptx::is_loadable(simt_tile<Small>);
}

}  // namespace archgrid::gemm
