// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "branches.h"

// Values for the host, and for the highest arch.
#define HOST_VALUE 1
#define HIGH_VALUE 2

__global__ void branches_kernel(int* out) {
#if __CUDA_ARCH__ >= 900
  *out = HIGH_VALUE;
#else
  *out = HEADER_VALUE * CACHED_VALUE;
#endif
}

#ifndef __CUDA_ARCH__
int only_the_host_sees() {
  return HOST_VALUE;
}
#endif

void launch_branches(int* out) {
  branches_kernel<<<1, 1>>>(out);
}
