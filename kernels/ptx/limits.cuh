// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// How many blocks of a kernel a multiprocessor holds.
#pragma once

#include <cuda_runtime.h>

namespace archgrid::ptx {

// How many blocks of a kernel the register file of a multiprocessor holds, if a thread uses at most
// `registers`. It has 65536 registers on every device since 5.0.
constexpr int resident_blocks(int threads, int registers) {
  return 65536 / (threads * registers);
}

// Whether the shared memory of a multiprocessor has room for so many blocks, on the device that is
// compiled for (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"; a
// number that it does not have yet is taken for the smallest). From 8.0 on a block takes 1 KiB more
// than it asks for.
__host__ __device__ constexpr bool shared_memory_holds(int blocks, int shared_bytes) {
#if !defined(__CUDA_ARCH__)
  return blocks > 0 && shared_bytes >= 0;
#else
#if __CUDA_ARCH__ < 700
  constexpr int kibibytes = 64;
  constexpr int reserved = 0;
  if (shared_bytes > 48 * 1024) return false;  // more than a block may have there
#elif __CUDA_ARCH__ < 800
  constexpr int kibibytes = 64;
  constexpr int reserved = 0;
#else
  constexpr int major = __CUDA_ARCH__ / 100;
  constexpr int kibibytes = major == 9 || major == 10 || major == 11       ? 228
                            : __CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 870 ? 164
                                                                           : 100;
  constexpr int reserved = 1024;
#endif
  return blocks * (shared_bytes + reserved) <= kibibytes * 1024;
#endif
}

}  // namespace archgrid::ptx
