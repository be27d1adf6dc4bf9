// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda.hpp"

KERNEL(kernel)
KERNEL(guarded)

ALONE static void launch() {
  kernel(1);
}

ALONE static void launch_guarded() {
  if (queried_major() >= 8) guarded(1);
}

static void (*const table[])() = {launch, launch_guarded};

EXPORTED void run(int index) {
  table[index]();
}
