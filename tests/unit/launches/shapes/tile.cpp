// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda.hpp"

KERNEL(kernel)

EXPORTED void launch() {
  const int tile = queried_major() >= 8 ? 128 : 64;
  kernel(tile);
}
