// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// An ordinary CUDA kernel, with the two adaptations that let it also run on the CPU.
#include <cuda_runtime.h>

#include "reverse.h"

#ifdef ARCHGRID_CPU_EMULATOR
#include <archgrid/cpu_emulator/device_code.hpp>
#endif

__device__ float* dynamic_shared() {
#ifdef ARCHGRID_CPU_EMULATOR
  return static_cast<float*>(archgrid::cpu_emulator::dynamic_shared_memory());
#else
  extern __shared__ float memory[];
  return memory;
#endif
}

// Reverses each part of blockDim.x numbers.
__global__ void reverse_parts(float* numbers, bool forgets_to_wait) {
  float* const part = dynamic_shared();
  float* const mine = numbers + blockIdx.x * blockDim.x;
  part[threadIdx.x] = mine[threadIdx.x];
  if (!forgets_to_wait) __syncthreads();
  mine[threadIdx.x] = part[blockDim.x - 1 - threadIdx.x];
}

void reverse(float* numbers, int parts, int part_size, bool forgets_to_wait) {
  const dim3 grid(static_cast<unsigned>(parts));
  const dim3 block(static_cast<unsigned>(part_size));
  const std::size_t shared = static_cast<std::size_t>(part_size) * sizeof(float);
#ifdef ARCHGRID_CPU_EMULATOR
  archgrid::cpu_emulator::launch(reverse_parts, grid, block, shared, numbers, forgets_to_wait);
#else
  // clang-format off
  reverse_parts<<<grid, block, shared>>>(numbers, forgets_to_wait);
  // clang-format on
#endif
}
