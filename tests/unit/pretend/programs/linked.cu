// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// A kernel, KERNEL, of a device link; it calls what another object of the link holds.
#include "kernels.hpp"

extern __device__ float called(float value);

extern "C" __global__ void KERNEL(float* values) {
  values[threadIdx.x] = called(values[threadIdx.x]);
}
ARCHGRID_KNOW_NAMED(KERNEL)
