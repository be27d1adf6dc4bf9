// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda.hpp"

KERNEL(kernel)

ALONE static int capability() {
  return queried_capability();
}

EXPORTED void launch() {
  if (capability() >= 80) kernel(1);
}
