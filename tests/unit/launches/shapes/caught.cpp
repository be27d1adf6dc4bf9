// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda.hpp"

KERNEL(kernel)
KERNEL(other)

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

EXPORTED void print(int number);

ALONE static void print_or_launch(int size) {
  try {
    print(size);
  } catch (int) {
    other(size);
  }
}

EXPORTED void launch_other(int size) {
  print(queried_major());
  print_or_launch(size);
}

EXPORTED void launch_checked(int size) {
  if (queried_major() >= 8) other(size);
}
