// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// What the lanes of a warp tell each other of one bit (vote.sync).
#pragma once

#include <cuda_runtime.h>

#ifdef ARCHGRID_HOST
#include <archgrid/host/device_code.hpp>
#endif

namespace archgrid::ptx {

// The lanes whose `bits` are zero where the caller's are, and not where they are not. All 32 take
// part. __ballot_sync() and a choice come to seven instructions, this to four: the predicate that
// votes is the one that chooses.
__device__ __forceinline__ unsigned lanes_alike(unsigned bits) {
  unsigned lanes = 0;
#if defined(__CUDA_ARCH__) && !defined(ARCHGRID_HOST)
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
