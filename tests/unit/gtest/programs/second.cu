// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Never launched: the check also finds such a kernel if it has no code for a GPU.
__global__ void second_kernel(int* out) {
  *out = 1;
}
