// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "foreign.h"

#ifdef FOREIGN_BREAK
#error "planted: this unit does not compile"
#endif

__global__ void scale_kernel(float* values, int count, float factor) {
  int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) values[i] *= factor;
}

int scale(float* values, int count, float factor) {
  scale_kernel<<<(count + 255) / 256, 256>>>(values, count, factor);
  return static_cast<int>(cudaGetLastError());
}
