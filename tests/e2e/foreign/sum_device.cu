// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

__device__ float add_values(float a, float b) {
  return a + b;
}
