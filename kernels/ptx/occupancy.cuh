// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Occupancy: the number of blocks of a kernel that a multiprocessor holds.
#pragma once

#include <cuda_runtime.h>

namespace archgrid::ptx {

// The shared memory of a multiprocessor of the device that the code is compiled for, and the part
// that each block takes beyond its request, in bytes (CUDA C++ Programming Guide, "Technical
// Specifications per Compute Capability"). Devices that the guide does not list yet get the
// smallest size.
struct SharedMemory {
  int bytes;
  int reserved_per_block;
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

// Returns the number of blocks of a kernel that a multiprocessor holds if a thread uses at most
// `registers`. A multiprocessor has 65536 registers on every device since 5.0.
__host__ __device__ constexpr int resident_blocks(int threads, int registers,
                                                  int shared_bytes = 0) {
  const int by_registers = 65536 / (threads * registers);
  if (shared_bytes == 0) return by_registers;
  const int by_shared = shared_memory().bytes / (shared_bytes + shared_memory().reserved_per_block);
  return by_registers < by_shared ? by_registers : by_shared;
}

// Reports whether a multiprocessor has enough shared memory for `blocks` blocks.
__host__ __device__ constexpr bool fits_shared_memory(int blocks, int shared_bytes) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
  if (shared_bytes > 48 * 1024) return false;  // the limit per block there
#endif
  return blocks > 0 &&
         blocks * (shared_bytes + shared_memory().reserved_per_block) <= shared_memory().bytes;
}

}  // namespace archgrid::ptx
