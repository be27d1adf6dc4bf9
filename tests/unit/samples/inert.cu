// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels that work only on 8.0: elsewhere a guard leaves only the code before the work, and
// nothing of that outlasts the block. Other kernels here work everywhere.
#if __CUDA_ARCH__ == 800
#define WORKS 1
#else
#define WORKS 0
#endif

__global__ void inert_waits(float* p) {
  __syncthreads();
#if WORKS
  p[threadIdx.x] = 1;
#endif
}
__global__ void inert_fences(float* p) {
  __threadfence();
#if WORKS
  p[threadIdx.x] = 1;
#endif
}
__global__ void inert_sets_shared_memory(float* p) {
  __shared__ volatile float value;
  value = 0;
#if WORKS
  p[threadIdx.x] = value;
#endif
}
__global__ void inert_reads(volatile float* p) {
  const float value = p[threadIdx.x];
#if WORKS
  p[threadIdx.x] = value + 1;
#endif
}
__global__ void inert_prefetches(float* p) {
  asm volatile("prefetch.global.L2 [%0];" ::"l"(p));
#if WORKS
  p[threadIdx.x] = 1;
#endif
}

__global__ void works_after_waiting(float* p) {
  __syncthreads();
  p[threadIdx.x] = 1;
}
__global__ void works_by_adding(int* p) {
  extern __shared__ int sums[];
  atomicAdd(&sums[0], 1);
  __syncthreads();
  atomicAdd(p, sums[0]);
}
__global__ void works_on_generic_memory(int* p, int n) {
  __shared__ int sum;
  int* to = n != 0 ? p : &sum;
  *to = 3;
}
__device__ __noinline__ void write(float* p) {
  *p = 3;
}
__global__ void works_by_a_call(float* p) {
  __syncthreads();
  write(p);
}
__global__ void works_by_a_pointer(void (*function)(float*), float* p) {
  __syncthreads();
  function(p);
}
