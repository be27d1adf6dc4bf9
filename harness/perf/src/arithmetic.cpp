// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <archgrid/cuda_error.hpp>
#include <archgrid/perf/arithmetic.hpp>

#include "launches.hpp"
#include "perf/src/ceiling.hpp"
#include "perf/src/gpu.hpp"
#include "perf/src/multiply_adds.hpp"

namespace archgrid::perf {
namespace {

/// As many as the device runs at a time, so that none waits for another.
int blocks_of_device() {
  const auto attribute = [](cudaDeviceAttr which) {
    int value = 0;
    throw_on_error("cudaDeviceGetAttribute",
                   cudaDeviceGetAttribute(&value, which, current_device()));
    return value;
  };
  const int of_multiprocessor =
      attribute(cudaDevAttrMaxThreadsPerMultiProcessor) / kMultiplyAddThreads;
  return attribute(cudaDevAttrMultiProcessorCount) * of_multiprocessor;
}

using LaunchBlocks = cudaError_t (*)(int blocks, cudaStream_t stream);

Ceiling multiply_add_ceiling(const char* name, LaunchBlocks launch) {
  const gtest::OwnLaunches own;
  const int blocks = blocks_of_device();
  return ceiling_of({name, "FLOP/s", blocks * kFlopsOfMultiplyAddBlock},
                    [&](cudaStream_t stream) { return launch(blocks, stream); });
}

}  // namespace

Ceiling fp32_ceiling() {
  static const Ceiling ceiling = multiply_add_ceiling("fp32", launch_multiply_adds_fp32);
  return ceiling;
}

Ceiling fp64_ceiling() {
  static const Ceiling ceiling = multiply_add_ceiling("fp64", launch_multiply_adds_fp64);
  return ceiling;
}

}  // namespace archgrid::perf
