// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels with limits, one that the image for 7.5 lacks, and a variable.
#include "kernels.hpp"

__constant__ float factors[16];

extern "C" __global__ void __launch_bounds__(128) bounded(float* values) {
  values[threadIdx.x] *= factors[threadIdx.x % 16];
}
ARCHGRID_KNOW(bounded)

// nvcc registers the kernels that the last architecture of the list has.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
extern "C" __global__ void only_90(float* values) {
  values[threadIdx.x] = 1;
}
ARCHGRID_KNOW(only_90)
#endif

// More registers than a block of 1024 threads can have.
extern "C" __global__ void heavy(float* values) {
  constexpr int kCount = 160;
  float kept[kCount];
#pragma unroll
  for (int index = 0; index < kCount; ++index) kept[index] = values[threadIdx.x + 1024 * index];
  __syncthreads();
#pragma unroll
  for (int index = 0; index < kCount; ++index) {
    values[threadIdx.x + 1024 * index] = kept[index] * kept[(index * 7 + 3) % kCount];
  }
}
ARCHGRID_KNOW(heavy)

template <int, int>
__global__ void tile(float* values) {
  values[threadIdx.x] = 2;
}
static void launch_tile(dim3 grid, dim3 block, size_t shared, float* values) {
  tile<3, 4><<<grid, block, shared>>>(values);
}
static const bool known_tile =
    known_kernels()
        .emplace("tile", KnownKernel{reinterpret_cast<const void*>(tile<3, 4>), launch_tile})
        .second;

const void* factors_symbol() {
  return reinterpret_cast<const void*>(&factors);
}
