// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda.hpp"

KERNEL(kernel)

ALONE static void launch_fast(int size) {
  kernel(size);
}

ALONE static void launch_plainly(int size) {
  kernel(-size);
}

EXPORTED void launch(int size) {
  if (queried_major() >= 8) {
    launch_fast(size);
  } else {
    launch_plainly(size);
  }
}
