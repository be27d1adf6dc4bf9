// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The peak rate of the current device's tensor cores with mma.sync: the ceiling of variants that
// use it.
#ifndef ARCHGRID_TESTS_GPU_MMA_CEILING_HPP
#define ARCHGRID_TESTS_GPU_MMA_CEILING_HPP

#include <cuda_runtime_api.h>

#include <vector>

namespace archgrid::gemm {

/// A kernel that does nothing but multiply numbers of one type on tensor cores.
struct MmaCeiling {
  const char* type;       ///< of the numbers: "bf16", "tf32"
  double flops_of_block;  ///< a multiply-add counts as two
  cudaError_t (*launch)(int blocks, cudaStream_t stream);
  cudaError_t (*count_blocks)(int* of_multiprocessor);  ///< blocks that run at the same time
};

/// Returns the kernels of this program. They are in the units mma_ceiling_*.cu, one for each first
/// device of types.
inline std::vector<MmaCeiling>& mma_ceilings() {
  static std::vector<MmaCeiling> all;
  return all;
}

}  // namespace archgrid::gemm

#endif
