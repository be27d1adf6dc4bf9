// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#ifdef PIPELINE_BREAK
#error "as it is meant to"
#endif

__global__ void fill(float* out) {
  out[threadIdx.x] = 1.0F;
}

int main() {
  std::puts("::error::a test prints a command");
  float* out = nullptr;
  cudaError_t error = cudaMalloc(&out, 32 * sizeof(float));
  if (error == cudaSuccess) fill<<<1, 32>>>(out);
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  if (error == cudaSuccess) error = cudaGetLastError();
  std::printf("%s\n", cudaGetErrorString(error));
  return error == cudaSuccess ? 0 : 1;
}
