// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Without an external symbol nvcc gives the module a random name, and no two modules of a program
// may share one.
namespace {
__device__ int counter;

__global__ void without_names_kernel(int* out) {
  *out = ++counter;
}

struct Launch {
  Launch() { without_names_kernel<<<1, 1>>>(nullptr); }
} launch;
}  // namespace
