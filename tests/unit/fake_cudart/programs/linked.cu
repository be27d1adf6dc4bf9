// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// A kernel, KERNEL, of a device link; it calls a function in another object of the link.
#include "kernels.hpp"

extern __device__ float called(float value);

extern "C" __global__ void KERNEL(float* values) {
  values[threadIdx.x] = called(values[threadIdx.x]);
}
ARCHGRID_KNOW_NAMED(KERNEL)
