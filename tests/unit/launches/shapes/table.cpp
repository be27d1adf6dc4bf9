// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda.hpp"

KERNEL(kernel)
KERNEL(guarded)

static void (*const table[])(int) = {kernel, kernel};

EXPORTED void launch_any(int index) {
  table[index](1);
}

EXPORTED void launch() {
  if (queried_major() >= 8) kernel(1);
}

EXPORTED void launch_guarded() {
  if (queried_major() >= 8) guarded(1);
}
