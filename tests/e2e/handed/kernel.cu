// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

__global__ void handed_kernel(float* out) {
  out[threadIdx.x] = 1.0f;
}

int main() {
  handed_kernel<<<1, 32>>>(nullptr);
  return 0;
}
