// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// The code for an arch depends on the other archs of the unit, so it differs between a fat cell and
// a single one.
__global__ void arch_list_kernel(int* out) {
  constexpr int archs[] = {__CUDA_ARCH_LIST__};
  *out = archs[0] + 16 * static_cast<int>(sizeof(archs));
}

void launch_arch_list(int* out) {
  arch_list_kernel<<<1, 1>>>(out);
}
