// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels with more live values than registers, when compiled with few registers. They cover each
// width, and local arrays, which are not spills.

template <typename Value>
__global__ void spilling(Value* values) {
  Value kept[24];
#pragma unroll
  for (int index = 0; index < 24; ++index) kept[index] = values[index * 32 + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int index = 0; index < 24; ++index) values[index * 32 + threadIdx.x] = kept[23 - index];
}

template __global__ void spilling<float>(float*);
template __global__ void spilling<double>(double*);
template __global__ void spilling<short>(short*);
template __global__ void spilling<float4>(float4*);

__global__ void local_array(int* values, int chosen) {
  int kept[32];
  for (int index = 0; index < 32; ++index) kept[index] = values[index];
  values[0] = kept[chosen];
}

__global__ void __launch_bounds__(256, 2) bounded(int* values) {
  values[threadIdx.x] = 1;
}
