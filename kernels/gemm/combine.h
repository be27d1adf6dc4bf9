// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// The reduction of a split-K product. It has a file of its own, because it must be compiled for
// every architecture that any variant supports.
#pragma once

#include "gemm/arguments.cuh"

namespace archgrid::gemm {

// Launches the kernel that adds up the sums of the parts, in their order, and stores C.
cudaError_t combine(const Arguments<float>& args, cudaStream_t stream);
cudaError_t combine(const Arguments<double>& args, cudaStream_t stream);
cudaError_t combine(const Arguments<int>& args, cudaStream_t stream);

// Launches the kernel of a variant, and combine() if K is split.
template <class Sum>
cudaError_t launch_product(void (*kernel)(Arguments<Sum>), const Arguments<Sum>& args, int threads,
                           int shared_bytes, cudaStream_t stream) {
  const cudaError_t error = launch_tiles(kernel, args, threads, shared_bytes, stream);
  if (error != cudaSuccess || args.splits == 1) return error;
  return combine(args, stream);
}

}  // namespace archgrid::gemm
