// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// How threads look for the first of all that is wrong.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>

namespace archgrid::sparse {

// Larger than the number of anything that is found.
constexpr unsigned long long none = ~0ull;

// The least of all that come, whatever their order.
__device__ __forceinline__ void found_at(unsigned long long* first, long long number) {
  atomicMin(first, static_cast<unsigned long long>(number));
}

// The threads of blocks that go through items in strides of the grid.
constexpr int stride_threads = 256;
inline dim3 blocks_in_strides(long long items) {
  constexpr long long most = 1 << 12;
  return dim3(static_cast<unsigned>(
      std::min(items / stride_threads + (items % stride_threads == 0 ? 0 : 1), most)));
}

}  // namespace archgrid::sparse
