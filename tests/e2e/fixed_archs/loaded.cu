// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

__global__ void loaded(float* out) {
  *out = 3;
}
