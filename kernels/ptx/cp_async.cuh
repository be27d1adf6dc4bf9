// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Asynchronous copies from global to shared memory that bypass registers (cp.async), from 8.0 on.
// On older devices the same functions copy at once, so that a multi-stage pipeline is correct there
// too.
#pragma once

#include <cuda_runtime.h>

#ifdef ARCHGRID_CPU_EMULATOR
#include <archgrid/cpu_emulator/device_code.hpp>
#endif

namespace archgrid::ptx {

__device__ __forceinline__ unsigned shared_address(const void* shared) {
#ifdef ARCHGRID_CPU_EMULATOR
  (void)shared;
  return 0;
#else
  return static_cast<unsigned>(__cvta_generic_to_shared(shared));
#endif
}

// Begins to copy `valid` of `Bytes` bytes (4, 8 or 16); the others become zero. Both addresses must
// be multiples of Bytes. Nothing is read if valid is 0.
template <int Bytes>
__device__ __forceinline__ void cp_async(void* shared, const void* global, int valid) {
#ifdef ARCHGRID_CPU_EMULATOR
#if __CUDA_ARCH__ >= 800
  cpu_emulator::begin_async_copy(shared, global, Bytes, valid, cpu_emulator::Site::here());
#else
  cpu_emulator::check_alignment(shared, Bytes, "cp.async", cpu_emulator::Site::here());
  cpu_emulator::check_alignment(global, Bytes, "cp.async", cpu_emulator::Site::here());
  for (int i = 0; i < Bytes; ++i) {
    static_cast<char*>(shared)[i] = i < valid ? static_cast<const char*>(global)[i] : '\0';
  }
#endif
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  // Copies of 16 bytes bypass L1: no other thread of the block reads the same data.
  if (Bytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;\n" ::"r"(shared_address(shared)),
                 "l"(global), "r"(valid)
                 : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;\n" ::"r"(shared_address(shared)),
                 "l"(global), "n"(Bytes), "r"(valid)
                 : "memory");
  }
#else
  static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16, "cp.async copies 4, 8 or 16 bytes");
  unsigned words[Bytes / 4] = {};
  if (valid == Bytes) {
    if (Bytes == 16) {
      const uint4 whole = *static_cast<const uint4*>(global);
      words[0] = whole.x;
      words[1 % (Bytes / 4)] = whole.y;
      words[2 % (Bytes / 4)] = whole.z;
      words[3 % (Bytes / 4)] = whole.w;
    } else {
#pragma unroll
      for (int i = 0; i < Bytes / 4; ++i) words[i] = static_cast<const unsigned*>(global)[i];
    }
  } else {
    // Byte by byte, with indices known at compile time: registers cannot be indexed dynamically.
#pragma unroll
    for (int i = 0; i < Bytes; ++i) {
      if (i < valid) {
        words[i / 4] |= static_cast<unsigned>(static_cast<const unsigned char*>(global)[i])
                        << (i % 4 * 8);
      }
    }
  }
  if (Bytes == 16) {
    *static_cast<uint4*>(shared) = make_uint4(words[0], words[1 % (Bytes / 4)],
                                              words[2 % (Bytes / 4)], words[3 % (Bytes / 4)]);
  } else {
#pragma unroll
    for (int i = 0; i < Bytes / 4; ++i) static_cast<unsigned*>(shared)[i] = words[i];
  }
#endif
}

// Commits the copies that this thread has begun since the last commit as a group.
__device__ __forceinline__ void cp_async_commit_group() {
#ifdef ARCHGRID_CPU_EMULATOR
  cpu_emulator::commit_async_copies();
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;\n" ::: "memory");
#endif
}

// Waits until at most `Pending` groups of this thread are in flight. Copies of other threads are
// visible after the next barrier.
template <int Pending>
__device__ __forceinline__ void cp_async_wait_group() {
#ifdef ARCHGRID_CPU_EMULATOR
  cpu_emulator::wait_async_copies(Pending);
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;\n" ::"n"(Pending) : "memory");
#endif
}

}  // namespace archgrid::ptx
