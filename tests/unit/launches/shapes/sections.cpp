// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda.hpp"

KERNEL(kernel)
KERNEL(other)
KERNEL(guarded)

#define OUTSIDE __attribute__((section("frequent")))

ALONE static void run(int size) {
  other(size);
}

EXPORTED void launch(int size) {
  if (queried_major() < 8) return;
  kernel(1);
  guarded(1);
  run(size);
}

extern "C" EXPORTED OUTSIDE void launch_kernel() {
  kernel(2);
}

extern "C" EXPORTED OUTSIDE void launch_other(int size) {
  run(size);
}
