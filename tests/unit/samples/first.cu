// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// One of two units that need a device link.

__device__ float twice(float value) {
  return value * 2;
}
__global__ void first(float* values) {
  values[0] = twice(values[0]);
}
void launch_first(float* values) {
  first<<<1, 1>>>(values);
}
