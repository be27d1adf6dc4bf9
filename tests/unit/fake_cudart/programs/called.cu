// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

__device__ float called(float value) {
  return value * value + 1;
}
