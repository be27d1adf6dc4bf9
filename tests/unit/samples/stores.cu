// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// One kernel for each way to write to memory, and one that writes only to its stack.

__global__ void to_global(float* p) {
  p[0] = 1;
}
__global__ void to_global_wide(float4* p) {
  p[0] = make_float4(1, 2, 3, 4);
}
__global__ void to_shared(int* p) {
  __shared__ volatile float s[4];
  s[threadIdx.x] = static_cast<float>(*p);
}
__global__ void to_local(int* p, int n) {
  volatile float s[4];
  s[n] = static_cast<float>(*p);
}
__global__ void to_generic(int* p, int n) {
  __shared__ int s[4];
  int* q = n != 0 ? p : s;
  *q = 3;
}
__global__ void reduction(int* p) {
  atomicAdd(p, 1);
}
__global__ void exchange(int* p) {
  if (atomicAdd(p, 3) == 5) atomicExch(p, 2);
}
__global__ void compare_and_swap(int* p) {
  while (atomicCAS(p, 3, 4) == 5) {
  }
}
__global__ void shared_atomic(int* p) {
  __shared__ int s;
  atomicAdd(&s, *p);
}
__global__ void to_surface(cudaSurfaceObject_t surface) {
  surf1Dwrite(1, surface, 4);
}
__device__ __noinline__ void callee(int* p) {
  *p = 3;
}
__global__ void by_call(int* p) {
  callee(p);
}
using Function = void (*)(int*);
__global__ void by_pointer(Function function, int* p) {
  function(p);
}
