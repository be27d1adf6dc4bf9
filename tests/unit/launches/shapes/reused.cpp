// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda.hpp"

KERNEL(kernel)
KERNEL(other)

extern "C" EXPORTED int cudaDriverGetVersion(int* version);
EXPORTED void print(int number);

// Two numbers are stored in one variable.
EXPORTED void launch(int size) {
  int value = 0;
  cudaDeviceGetAttribute(&value, 75, 0);
  print(value);
  cudaDriverGetVersion(&value);
  if (value >= 11000) kernel(size);
}

ALONE static void print_capability() {
  int value = 0;
  cudaDeviceGetAttribute(&value, 75, 0);
  print(value);
}

// Its variable has the place on the stack that the one of print_capability() had.
ALONE static void run(int size) {
  int value;
  cudaDriverGetVersion(&value);
  if (value >= 11000) other(size);
}

EXPORTED void launch_other(int size) {
  print_capability();
  run(size);
}
