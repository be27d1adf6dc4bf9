// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints whether the GEMM variants for 8-bit floating-point numbers can be launched: their errors,
// and the last error of the runtime.
#include <cuda_runtime_api.h>

#include <cstdio>

#include "gemm/variant.h"

int main() {
  namespace gemm = archgrid::gemm;
  for (const auto error : {gemm::mma_e4m3_128x128_is_loadable(), gemm::mma_e4m3_64x64_is_loadable(),
                           gemm::mma_e5m2_128x128_is_loadable(), gemm::mma_e5m2_64x64_is_loadable(),
                           cudaGetLastError()}) {
    std::printf("%d\n", static_cast<int>(error));
  }
  return 0;
}
