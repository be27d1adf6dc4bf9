// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda.hpp"

KERNEL(kernel)
KERNEL(guarded)
KERNEL(other)

EXPORTED void step(int number);

// The cases without a kernel throw: compilers put their code into another part of the function.
ALONE static void run(int mode, int size) {
  const bool is_new = queried_major() >= 8;
  switch (mode) {
    case 0:
      step(size + 1);
      break;
    case 1:
      other(size);
      break;
    case 2:
      if (is_new) kernel(size);
      break;
    case 5:
      kernel(size + 5);
      break;
    case 6:
      step(size * 3);
      break;
    case 7:
      if (is_new) guarded(size);
      break;
    default:
      throw mode;
  }
}

EXPORTED void launch(int mode, int size) {
  run(mode, size);
}
