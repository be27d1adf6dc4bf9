// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The other unit of the device link, with main.

extern __device__ float twice(float value);
__global__ void second(float* values) {
  values[1] = twice(values[1]);
}
void launch_first(float* values);
int main() {
  second<<<1, 1>>>(nullptr);
  launch_first(nullptr);
}
