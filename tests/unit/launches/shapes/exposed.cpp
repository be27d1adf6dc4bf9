// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda.hpp"

KERNEL(kernel)

// The name of a stub that nvcc makes.
EXPORTED ALONE void __device_stub__Zkerneli(int size) {
  kernel(size);
}

extern "C" EXPORTED ALONE void launch_kernel(int size) {
  __device_stub__Zkerneli(size);
}

EXPORTED void launch(int size) {
  if (queried_major() < 8) return;
  launch_kernel(size);
}
