// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda.hpp"

KERNEL(kernel)

EXPORTED void launch() {
  if (queried_major() >= 8) kernel(1);
}

EXPORTED void launch_plainly() {
  kernel(2);
}
