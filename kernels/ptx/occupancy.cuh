// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Occupancy at compile time: the minimum of resident blocks per multiprocessor (SM) that a kernel
// passes to __launch_bounds__, and a check that shared memory suffices for them. nvcc evaluates
// these functions once for each architecture, so each gets the limits of its own devices:
//
//   constexpr int blocks = resident_blocks(256, 128, shared_bytes);
//   __global__ void __launch_bounds__(256, blocks) kernel(...) {
//     static_assert(fits_shared_memory(blocks, shared_bytes), "...");
#pragma once

#include <cuda_runtime.h>

namespace archgrid::ptx {

// Shared memory of an SM, in bytes.
struct SharedMemory {
  int bytes;               // of all resident blocks together
  int reserved_per_block;  // by the system, beyond what the kernel requests
};
// Returns the limits of the device that the code is compiled for (__CUDA_ARCH__). Source: CUDA C++
// Programming Guide, "Technical Specifications per Compute Capability". Devices below 8.0 get the
// smallest size among them, and so do devices that the guide does not list yet. nvcc's host pass
// gets the largest size, so that no static_assert fails there.
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

// Returns the number of blocks of `threads` threads that fit into an SM's 65536 registers (all
// devices since 5.0) and, if `shared_bytes` is given, into its shared memory. `registers` is the
// most that a thread may use, `shared_bytes` what a block requests. Ignores the limits of threads
// and blocks per SM.
__host__ __device__ constexpr int resident_blocks(int threads, int registers,
                                                  int shared_bytes = 0) {
  const int by_registers = 65536 / (threads * registers);
  if (shared_bytes == 0) return by_registers;
  const int by_shared = shared_memory().bytes / (shared_bytes + shared_memory().reserved_per_block);
  return by_registers < by_shared ? by_registers : by_shared;
}

// Reports whether an SM has the shared memory for `blocks` blocks that request `shared_bytes` each.
__host__ __device__ constexpr bool fits_shared_memory(int blocks, int shared_bytes) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
  if (shared_bytes > 48 * 1024) return false;  // limit of a single block before 7.0
#endif
  return blocks > 0 &&
         blocks * (shared_bytes + shared_memory().reserved_per_block) <= shared_memory().bytes;
}

}  // namespace archgrid::ptx
