// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels of every kind that the reader distinguishes, compiled by each available toolkit.

template <int N>
__global__ void tile(float* values, int count) {
  __shared__ float shared[64];
  const int index = static_cast<int>(threadIdx.x);
  shared[index % 64] = static_cast<float>(index);
  __syncthreads();
  if (index < count) values[index] = shared[(index + 1) % 64] * N;
}

/// Compiled out below 8.0.
__global__ void guarded(float* values) {
#if __CUDA_ARCH__ >= 800
  values[threadIdx.x] = 1;
#endif
}

/// Refuses to work below 8.0.
__global__ void trapping(float* values) {
#if __CUDA_ARCH__ >= 800
  values[threadIdx.x] = 1;
#else
  __trap();
#endif
}

/// Does nothing anywhere.
__global__ void idle(float*) {}

void launch(float* values) {
  tile<3><<<1, 64>>>(values, 3);
  tile<4><<<1, 64>>>(values, 3);
  guarded<<<1, 1>>>(values);
  trapping<<<1, 1>>>(values);
  idle<<<1, 1>>>(values);
}
