// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_PERF_MULTIPLY_ADDS_HPP
#define ARCHGRID_PERF_MULTIPLY_ADDS_HPP

#include <cuda_runtime_api.h>

namespace archgrid::perf {

extern const double kFlopsOfMultiplyAddBlock;  ///< operations of a block; a multiply-add is two

cudaError_t launch_multiply_adds_fp32(int blocks, cudaStream_t stream);
cudaError_t launch_multiply_adds_fp64(int blocks, cudaStream_t stream);

/// Returns how many of these blocks a multiprocessor of the current device runs at once.
cudaError_t count_blocks_fp32(int* of_multiprocessor);
cudaError_t count_blocks_fp64(int* of_multiprocessor);

}  // namespace archgrid::perf

#endif
