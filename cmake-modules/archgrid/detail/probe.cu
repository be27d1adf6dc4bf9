// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// A program that compiles only with a whole toolkit: it needs C++ headers under nvcc, libdevice
// (log), relocatable device code, the device runtime and the host runtime.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__device__ double scaled_log(double x) {
  return 2.0 * log(x);
}

__global__ void probe(double* out, const double* in) {
  out[threadIdx.x] = scaled_log(in[threadIdx.x]);
}

int main() {
  std::vector<cudaFuncAttributes> attributes(1);
  const cudaError_t status = cudaFuncGetAttributes(attributes.data(), probe);
  std::printf("%s\n", cudaGetErrorName(status));
  return 0;
}
