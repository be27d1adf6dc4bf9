// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels that work only on 8.0: elsewhere they only report, in each way that projects do. Other
// kernels here work everywhere, or report everywhere.
#include <cassert>
#include <cstdio>

#if __CUDA_ARCH__ == 800
#define WORKS 1
#else
#define WORKS 0
#endif

__device__ __noinline__ void guard() {
  printf("this is for 8.0\n");
  __trap();
}
__device__ __noinline__ void guard_with_value(int value) {
  printf("this is for 8.0, not %d\n", value);
}
__device__ __noinline__ void guard_by_others(int value) {
  guard_with_value(value);
  guard();
}

__global__ void stub_prints(int* p) {
#if WORKS
  p[threadIdx.x] = 1;
#else
  printf("this is for 8.0\n");
#endif
}
__global__ void stub_prints_values(int* p, int n) {
#if WORKS
  p[threadIdx.x] = n;
#else
  printf("%s is for 8.0, not %d: block %d,%d thread %d, %d\n", __func__, 1, blockIdx.x, blockIdx.y,
         threadIdx.x, n);
#endif
}
__global__ void stub_prints_and_traps(int* p) {
#if WORKS
  p[threadIdx.x] = 1;
#else
  printf("this is for 8.0\n");
  __trap();
#endif
}
__global__ void stub_prints_once_and_traps(int* p) {
#if WORKS
  p[threadIdx.x] = 1;
#else
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    printf("this is for 8.0\n");
    asm volatile("trap;");
  }
#endif
}
/// As in CUTLASS: CUTE_INVALID_CONTROL_PATH.
__global__ void stub_breaks(int* p) {
#if WORKS
  p[threadIdx.x] = 1;
#else
  printf("Arch conditional MMA instruction used without targeting appropriate compute capability");
  __brkpt();
#endif
}
__global__ void stub_asserts_and_breaks(int* p) {
#if WORKS
  p[threadIdx.x] = 1;
#else
  assert(0 && "this is for 8.0");
  printf("this is for 8.0");
  __brkpt();
#endif
}
__global__ void stub_asserts(int* p) {
#if WORKS
  p[threadIdx.x] = 1;
#else
  assert(false);
#endif
}
__global__ void stub_asserts_condition(int* p, int n) {
#if WORKS
  p[threadIdx.x] = n;
#else
  assert(n == 3 && "this is for 8.0");
#endif
}
__global__ void stub_calls_guard(int* p) {
#if WORKS
  p[threadIdx.x] = 1;
#else
  guard();
#endif
}
__global__ void stub_calls_guards(int* p, int n) {
#if WORKS
  p[threadIdx.x] = n;
#else
  guard_by_others(n);
#endif
}

__device__ __noinline__ void write(int* p) {
  *p = 3;
}
__global__ void works_and_asserts(int* p, int n) {
  assert(n > 0);
  p[threadIdx.x] = n;
}
__global__ void works_and_prints(int* p, int n) {
  if (n < 0) printf("%d is negative\n", n);
  p[threadIdx.x] = n;
}
__global__ void works_by_a_call(int* p, int n) {
  if (n < 0) guard_by_others(n);
  write(p);
}
__global__ void works_by_a_pointer(void (*function)(int*), int* p) {
  printf("calling\n");
  function(p);
}

__global__ void reports_everywhere(int n) {
  printf("hello %d\n", n);
}
__global__ void reports_everywhere_by_name() {
  printf("läuft only on %s, not on %s\n", "Hopper", "Ampere");
  printf("later\n");
}
__global__ void reports_everywhere_by_a_call(int n) {
  guard_by_others(n);
}
__global__ void reports_everywhere_if_wrong(const int* p) {
  assert(p[threadIdx.x] > 0);
}

#ifdef __CUDACC_RDC__
extern __device__ void guard_of_another_unit(int value);
__global__ void stub_calls_another_unit(int* p, int n) {
#if WORKS
  p[threadIdx.x] = n;
#else
  guard_of_another_unit(n);
#endif
}
__global__ void reports_everywhere_by_another_unit(int n) {
  guard_of_another_unit(n);
}
#endif

int main() {
  return 0;
}
