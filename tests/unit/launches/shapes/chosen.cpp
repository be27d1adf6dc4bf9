// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda.hpp"

KERNEL(kernel)
KERNEL(guarded)

EXPORTED void launch(int size) {
  switch (queried_major()) {
    case 5:
      kernel(size + 1);
      break;
    case 6:
      kernel(size * 3);
      break;
    case 7:
      kernel(size ^ 5);
      break;
    case 8:
      guarded(size - 1);
      break;
    case 9:
      guarded(size * 7);
      break;
    default:
      break;
  }
}
