// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// One kernel, KERNEL, compiled for different architectures in each unit. It has 128 bytes of shared
// memory.
#include "kernels.hpp"

extern "C" __global__ void KERNEL(float* values) {
  __shared__ float kept[32];
  kept[threadIdx.x % 32] = values[threadIdx.x];
  __syncthreads();
  values[threadIdx.x] = kept[31 - threadIdx.x % 32];
}
ARCHGRID_KNOW_NAMED(KERNEL)
