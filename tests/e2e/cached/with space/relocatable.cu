// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

__device__ int counter;

namespace {
__device__ __noinline__ int count() {
  return ++counter;
}
}  // namespace

__global__ void relocatable_kernel(int* out) {
  *out = count() + static_cast<int>(sizeof(RELOCATABLE_TEXT));
}

void launch_relocatable(int* out) {
  relocatable_kernel<<<1, 1>>>(out);
}
