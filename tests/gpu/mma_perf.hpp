// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The ceiling of products on tensor cores, for perf::report().
#ifndef ARCHGRID_TESTS_GPU_MMA_PERF_HPP
#define ARCHGRID_TESTS_GPU_MMA_PERF_HPP

#include <archgrid/cuda/error.hpp>
#include <archgrid/perf.hpp>
#include <stdexcept>
#include <string>

#include "mma_ceiling.hpp"

namespace archgrid::gemm {

/// Returns the ceiling of mma.sync with numbers of that type. Throws std::logic_error if this
/// program has no kernel for it.
inline perf::Ceiling mma_sync_ceiling(const std::string& type) {
  for (const MmaCeiling& kernel : mma_ceilings()) {
    if (kernel.type != type) continue;
    int device = 0;
    int multiprocessors = 0;
    int blocks = 0;
    throw_on_error("cudaGetDevice", cudaGetDevice(&device));
    throw_on_error(
        "cudaDeviceGetAttribute",
        cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    throw_on_error("cudaOccupancyMaxActiveBlocksPerMultiprocessor", kernel.count_blocks(&blocks));
    blocks *= multiprocessors;
    return perf::flops_ceiling("mma.sync " + type, blocks * kernel.flops_of_block,
                               [&](cudaStream_t stream) { return kernel.launch(blocks, stream); });
  }
  throw std::logic_error("no ceiling is measured for tensor cores with " + type);
}

}  // namespace archgrid::gemm

#endif
