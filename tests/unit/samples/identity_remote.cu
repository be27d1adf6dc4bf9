// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The other part of a device link with identity.cu.
#ifndef REMOTE
#define REMOTE 5.0F
#endif

__constant__ float remote_table[2] = {REMOTE, 1};
__device__ float remote_counters[2];

__device__ float remote(float value) {
  return value * remote_table[0] + atomicAdd(&remote_counters[1], 1.0F);
}

__global__ void beside(float* values, int at) {
  values[at] = remote_table[1] + values[0];
}
