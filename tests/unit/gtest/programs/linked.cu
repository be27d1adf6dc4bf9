// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Relocatable device code: the called function is in another file.
__device__ int other_value();

__global__ void linked_kernel(int* out) {
  const int value = other_value();
  if (out != nullptr) *out = value;
}

cudaError_t launch_linked(int* out) {
  linked_kernel<<<1, 1>>>(out);
  return cudaGetLastError();
}
