// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Tests that need no result pass null.
__global__ void first_kernel(int* out) {
  if (out != nullptr) *out = 1;
}

cudaError_t launch_first(int* out) {
  first_kernel<<<1, 1>>>(out);
  return cudaGetLastError();
}

// Checks no error, as much code does.
void start_first(int* out) {
  first_kernel<<<1, 1>>>(out);
}
