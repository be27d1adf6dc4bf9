// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Stands in for CUDA's header of this name, so that a kernel's source can run on the CPU: one
// thread of the host for each thread of a block. It tests index arithmetic and lets a sanitizer see
// data races, without a GPU. It is C++ compiled by the host's compiler: it says nothing about what
// nvcc made of the kernel, and is no coverage of any GPU.
#ifndef ARCHGRID_TESTS_UNIT_KERNELS_SHIM_HPP
#define ARCHGRID_TESTS_UNIT_KERNELS_SHIM_HPP

#include <barrier>
#include <memory>
#include <thread>
#include <vector>

#define __global__ inline
#define __device__
#define __shared__ static
#define __launch_bounds__(threads)

using cudaError_t = int;
using cudaStream_t = void*;

namespace archgrid::shim {

struct Index {
  unsigned x = 0;
};

/// What the threads of the block that runs share.
struct Block {
  explicit Block(unsigned threads) : all(threads), exchanged(threads) {
    for (unsigned first = 0; first < threads; first += 32) {
      warps.push_back(std::make_unique<std::barrier<>>(32));
    }
  }
  std::barrier<> all;
  std::vector<std::unique_ptr<std::barrier<>>> warps;
  std::vector<float> exchanged;  ///< in a shuffle, by thread
};

inline Block* current_block = nullptr;

}  // namespace archgrid::shim

inline thread_local archgrid::shim::Index threadIdx;
inline thread_local archgrid::shim::Index blockIdx;

inline void __syncthreads() {
  archgrid::shim::current_block->all.arrive_and_wait();
}

/// All 32 threads of the warp must come. A lane whose source lies beyond the warp keeps its value.
inline float __shfl_down_sync(unsigned, float value, unsigned distance) {
  archgrid::shim::Block& block = *archgrid::shim::current_block;
  std::barrier<>& warp = *block.warps[threadIdx.x / 32];
  block.exchanged[threadIdx.x] = value;
  warp.arrive_and_wait();
  const bool is_inside = threadIdx.x % 32 + distance < 32;
  const float result = is_inside ? block.exchanged[threadIdx.x + distance] : value;
  warp.arrive_and_wait();
  return result;
}

namespace archgrid::shim {

/// Runs the blocks of a grid, one after another.
template <class Kernel, class Argument>
void launch(Kernel kernel, unsigned blocks, unsigned threads, const Argument& argument) {
  for (unsigned index = 0; index < blocks; ++index) {
    Block block(threads);
    current_block = &block;
    std::vector<std::thread> workers;
    for (unsigned thread = 0; thread < threads; ++thread) {
      workers.emplace_back([&block, &argument, kernel, thread, index] {
        threadIdx.x = thread;
        blockIdx.x = index;
        kernel(argument);
        // A thread that returned early must not be waited for.
        block.all.arrive_and_drop();
      });
    }
    for (std::thread& worker : workers) worker.join();
  }
}

}  // namespace archgrid::shim

#endif
