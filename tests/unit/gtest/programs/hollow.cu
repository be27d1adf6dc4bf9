// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// A guard meant for another kernel leaves an empty body for 7.5.
__global__ void hollow_kernel(int* out) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  *out = 1;
#endif
}
