// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "foreign.h"

__device__ float add_values(float a, float b);  // in sum_device.cu: needs the device linker

__global__ void sum_kernel(const float* values, int count, float* result) {
  float total = 0;
  for (int i = 0; i < count; ++i) total = add_values(total, values[i]);
  *result = total;
}

int sum(const float* values, int count, float* result) {
  sum_kernel<<<1, 1>>>(values, count, result);
  return static_cast<int>(cudaGetLastError());
}
