// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#ifdef TINY_BREAK
#error "planted: does not compile"
#endif
#ifndef TINY_GUARD
#define TINY_GUARD 0
#endif

__global__ void second_kernel(float* out) {
#if __CUDA_ARCH__ >= TINY_GUARD
  *out = 2;
#endif
}

void launch_second(float* out) {
  second_kernel<<<1, 1>>>(out);
}
