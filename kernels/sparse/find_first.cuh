// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// A parallel search for the first invalid item.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>

namespace archgrid::sparse {

// The result if nothing is found: larger than any number.
constexpr unsigned long long not_found = ~0ull;

// Keeps the smallest number of all calls, whatever their order.
__device__ __forceinline__ void record_first(unsigned long long* first, long long number) {
  atomicMin(first, static_cast<unsigned long long>(number));
}

// The threads per block of kernels with grid-stride loops.
constexpr int grid_stride_threads = 256;
inline dim3 grid_stride_blocks(long long items) {
  constexpr long long max_blocks = 1 << 12;
  return dim3(static_cast<unsigned>(std::min(
      items / grid_stride_threads + (items % grid_stride_threads == 0 ? 0 : 1), max_blocks)));
}

}  // namespace archgrid::sparse
