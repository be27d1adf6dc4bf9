// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda.hpp"

KERNEL(kernel)

ALONE static int capability() {
  static int cached = -1;
  if (cached < 0) cached = queried_capability();
  return cached;
}

EXPORTED void launch() {
  if (capability() >= 80) kernel(1);
}
