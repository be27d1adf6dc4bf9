// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda.hpp"

KERNEL(kernel)
KERNEL(guarded)

extern "C" EXPORTED ALONE void launch_kernel(int size) {
  kernel(size);
}

EXPORTED ALONE void launch_guarded(int size) {
  guarded(size);
}

EXPORTED void launch(int size) {
  if (queried_major() < 8) return;
  launch_kernel(size);
  launch_guarded(size);
}
