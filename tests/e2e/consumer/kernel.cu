// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

__global__ void fill(float* out, float value) {
  out[threadIdx.x] = value;
}

void launch_fill(float* out, float value) {
  fill<<<1, 32>>>(out, value);
}
