// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// One of two units with the same kernels of templates. LAUNCH launches the unit's copies.
#include <cuda_runtime.h>

template <int value>
__global__ void copied(int* values) {
  values[threadIdx.x] = value;
}

template <int value>
static __global__ void own(int* values) {
  values[threadIdx.x] = value;
}

cudaError_t LAUNCH(int* values, bool is_static) {
  if (is_static) {
    own<7><<<1, 32>>>(values);
  } else {
    copied<7><<<1, 32>>>(values);
  }
  return cudaGetLastError();
}
