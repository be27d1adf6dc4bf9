// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// One of two units with the same template's kernel. LAUNCH launches the unit's copy.
#include <cuda_runtime.h>

template <int value>
__global__ void copied(int* values) {
  values[threadIdx.x] = value;
}

cudaError_t LAUNCH(int* values) {
  copied<7><<<1, 32>>>(values);
  return cudaGetLastError();
}
