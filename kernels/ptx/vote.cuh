// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Warp votes on one bit (vote.sync).
#pragma once

#include <cuda_runtime.h>

#ifdef ARCHGRID_CPU_EMULATOR
#include <archgrid/cpu_emulator/device_code.hpp>
#endif

namespace archgrid::ptx {

// Returns the lanes whose `bits` are zero if the caller's are zero, nonzero if the caller's are
// nonzero. All 32 lanes take part. __ballot_sync() and a select take seven instructions, this takes
// four: one predicate both votes and selects.
__device__ __forceinline__ unsigned match_bit(unsigned bits) {
  unsigned lanes = 0;
#if defined(__CUDA_ARCH__) && !defined(ARCHGRID_CPU_EMULATOR)
  asm volatile(
      "{\n"
      ".reg .pred is_set;\n"
      "setp.ne.u32 is_set, %1, 0;\n"
      "vote.sync.ballot.b32 %0, is_set, 0xffffffff;\n"
      "@!is_set not.b32 %0, %0;\n"
      "}\n"
      : "=r"(lanes)
      : "r"(bits));
#else
  lanes = __ballot_sync(0xffffffffu, bits != 0);
  if (bits == 0) lanes = ~lanes;
#endif
  return lanes;
}

}  // namespace archgrid::ptx
