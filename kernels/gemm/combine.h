// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// The end of a product whose K was cut into parts. In a file of its own, because it must be there
// for every architecture that any variant is there for.
#pragma once

#include "gemm/arguments.cuh"

namespace archgrid::gemm {

// Begins to add up the parts' sums, in their order, and to store C.
cudaError_t combine(const Arguments<float>& args, cudaStream_t stream);
cudaError_t combine(const Arguments<double>& args, cudaStream_t stream);
cudaError_t combine(const Arguments<int>& args, cudaStream_t stream);

// Begins the kernel of a variant, and what must follow it.
template <class Sum>
cudaError_t launch_product(void (*kernel)(Arguments<Sum>), const Arguments<Sum>& args, int threads,
                           int shared_bytes, cudaStream_t stream) {
  const cudaError_t error = launch_tiles(kernel, args, threads, shared_bytes, stream);
  if (error != cudaSuccess || args.splits == 1) return error;
  return combine(args, stream);
}

}  // namespace archgrid::gemm
