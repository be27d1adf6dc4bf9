// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda.hpp"

KERNEL(kernel)

ALONE static void launch_checked(int size) {
  if (queried_major() >= 8) kernel(size);
}

EXPORTED void launch(int size) {
  if (size > 1024) {
    launch_checked(size);
  } else {
    kernel(size);
  }
}
