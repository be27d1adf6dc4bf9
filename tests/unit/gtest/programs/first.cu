// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Never launched: a kernel that has no code for a GPU is found all the same.
__global__ void first_kernel(int* out) {
  *out = 1;
}
