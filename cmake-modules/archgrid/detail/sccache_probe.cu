// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Compiled before and after an edit of values.h that only the highest of two architectures and the
// host see.
#include "values.h"

__global__ void archgrid_probe_kernel(int* out) {
#if __CUDA_ARCH__ == HIGHEST_ARCH
  *out = DEVICE_VALUE;
#else
  *out = 1;
#endif
}

#ifndef __CUDA_ARCH__
extern "C" int HOST_NAME(int* out) {
  archgrid_probe_kernel<<<1, 1>>>(out);
  return sizeof(__FILE__);
}
#endif
