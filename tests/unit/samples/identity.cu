// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels of which macros change one detail each.
#include <cassert>
#include <cstdio>

#ifndef FACTOR
#define FACTOR 3.25F
#endif
#ifdef MULTIPLIES
#define COMBINE(a, b) ((a) * (b))
#else
#define COMBINE(a, b) ((a) + (b))
#endif
#ifdef BOUNDED
#define BOUND __launch_bounds__(128)
#else
#define BOUND
#endif
#ifndef ENTRY
#define ENTRY 2.0F
#endif

#ifdef NEIGHBOUR
__constant__ float other_table[3] = {9, 8, 7};
__device__ int other = 3;

__global__ void neighbour(float* values) {
  assert(values != nullptr);
  printf("neighbour %f\n", other_table[2] * values[0] + atomicAdd(&other, 1));
  for (int i = 0; i < values[1]; ++i) values[i] += values[2];
}
#endif

__constant__ float table[4] = {1, ENTRY, 3, 4};
__device__ int counter = 5;
__device__ float defaults[4] = {1, ENTRY, 3, 4};

__global__ void scaled(float* values) {
  values[threadIdx.x] = values[0] * FACTOR;
}

__global__ void combined(float* values) {
  values[threadIdx.x] = COMBINE(values[0], values[1]);
}

__global__ void BOUND bounded(float* values) {
  values[threadIdx.x] = values[0];
}

__global__ void looked_up(float* values) {
  values[threadIdx.x] = table[1] * values[0];
}

__device__ __noinline__ float sum(const float* values, int count) {
  float result = 0;
  for (int at = 0; at < count; ++at) result += values[at];
  return result;
}

// Constants by their address.
__global__ void generic(float* values, int count) {
  values[0] = sum(count > 3 ? table : values, count);
}

__global__ void initialized(float* values, int count) {
  values[0] = sum(count > 3 ? defaults : values, count);
}

__global__ void checked(float* values, int at) {
  assert(at > 3);
  printf("at %d\n", at);
  values[atomicAdd(&counter, 1)] = 0;
}

namespace {
__global__ void internal(float* values) {
  for (int i = 0; i < values[1]; ++i) values[i] *= 2;
}
}  // namespace

#ifdef PARTS
__device__ float remote(float value);

__global__ void calls(float* values) {
  values[threadIdx.x] = remote(values[0]);
}
#endif

void launch(float* values) {
  internal<<<1, 1>>>(values);
}
