// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

__global__ void ripple_kernel(float* values) {
  values[threadIdx.x] = 1;
}

int main() {
  float* values = nullptr;
  cudaMalloc(&values, 32 * sizeof(float));
  ripple_kernel<<<1, 32>>>(values);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 77;
}
