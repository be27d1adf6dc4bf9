// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <cublas_v2.h>

#include <cstdio>

__global__ void scale(float* values, float factor) {
  values[threadIdx.x] *= factor;
}

int main() {
  int major = 0;
  cublasGetProperty(MAJOR_VERSION, &major);
  std::printf("cuBLAS %d\n", major);
  scale<<<1, 32>>>(nullptr, 2.0f);
  return 0;
}
