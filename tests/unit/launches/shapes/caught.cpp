// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda.hpp"

KERNEL(kernel)

EXPORTED void run(int major);

EXPORTED void launch() {
  const int major = queried_major();
  if (major < 8) return;
  try {
    run(major);
  } catch (int) {
    kernel(1);
  }
}
