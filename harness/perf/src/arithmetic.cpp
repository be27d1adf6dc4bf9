// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <archgrid/cuda/error.hpp>
#include <archgrid/perf.hpp>
#include <archgrid/perf/arithmetic.hpp>

#include "gpu.hpp"
#include "multiply_adds.hpp"

namespace archgrid::perf {
namespace {

/// Functions that launch one of the kernels, and count the blocks that a multiprocessor runs at
/// once.
struct MultiplyAdds {
  const char* name;
  cudaError_t (*launch)(int blocks, cudaStream_t stream);
  cudaError_t (*count_blocks)(int* of_multiprocessor);
};

/// Returns the number of blocks that the device runs at once, so that none waits for another.
int blocks_of_device(const MultiplyAdds& kernel) {
  int multiprocessors = 0;
  throw_on_error(
      "cudaDeviceGetAttribute",
      cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, current_device()));
  int of_multiprocessor = 0;
  throw_on_error("cudaOccupancyMaxActiveBlocksPerMultiprocessor",
                 kernel.count_blocks(&of_multiprocessor));
  return multiprocessors * of_multiprocessor;
}

Ceiling ceiling_of(const MultiplyAdds& kernel) {
  const int blocks = blocks_of_device(kernel);
  return flops_ceiling(kernel.name, blocks * kFlopsOfMultiplyAddBlock,
                       [&](cudaStream_t stream) { return kernel.launch(blocks, stream); });
}

}  // namespace

Ceiling fp32_ceiling() {
  return ceiling_of({"fp32", launch_multiply_adds_fp32, count_blocks_fp32});
}

Ceiling fp64_ceiling() {
  return ceiling_of({"fp64", launch_multiply_adds_fp64, count_blocks_fp64});
}

}  // namespace archgrid::perf
