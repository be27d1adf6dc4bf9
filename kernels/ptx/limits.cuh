// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// How many blocks of a kernel a multiprocessor holds.
#pragma once

#include <cuda_runtime.h>

namespace archgrid::ptx {

// The shared memory of a multiprocessor, of the device that is compiled for, in bytes, and what a
// block takes of it besides what it asks for (CUDA C++ Programming Guide, "Technical Specifications
// per Compute Capability"; a number that it does not have yet is taken for the smallest).
struct SharedMemory {
  int bytes;
  int reserved_a_block;
};
__host__ __device__ constexpr SharedMemory shared_memory() {
#if !defined(__CUDA_ARCH__)
  return {228 * 1024, 1024};
#elif __CUDA_ARCH__ < 800
  return {64 * 1024, 0};
#else
  constexpr int major = __CUDA_ARCH__ / 100;
  constexpr int kibibytes = major == 9 || major == 10 || major == 11       ? 228
                            : __CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 870 ? 164
                                                                           : 100;
  return {kibibytes * 1024, 1024};
#endif
}

// How many blocks of a kernel a multiprocessor holds, if a thread uses at most `registers`, of
// which it has 65536 on every device since 5.0.
__host__ __device__ constexpr int resident_blocks(int threads, int registers,
                                                  int shared_bytes = 0) {
  const int by_registers = 65536 / (threads * registers);
  if (shared_bytes == 0) return by_registers;
  const int by_shared = shared_memory().bytes / (shared_bytes + shared_memory().reserved_a_block);
  return by_registers < by_shared ? by_registers : by_shared;
}

// Whether that is room for so many.
__host__ __device__ constexpr bool shared_memory_holds(int blocks, int shared_bytes) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
  if (shared_bytes > 48 * 1024) return false;  // more than a block may have there
#endif
  return blocks > 0 &&
         blocks * (shared_bytes + shared_memory().reserved_a_block) <= shared_memory().bytes;
}

}  // namespace archgrid::ptx
