// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

__global__ void lines_kernel(int* out) {
  *out = static_cast<int>(sizeof(LINES_TEXT));
}

void launch_lines(int* out) {
  lines_kernel<<<1, 1>>>(out);
}
