// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// One function keeps the capability of newer GPUs, and another one, which queries something else,
// copies it.
#include "cuda.hpp"

KERNEL(kernel)

static int capability;
static int copy;

EXPORTED void keep() {
  const int queried = queried_capability();
  if (queried >= 80) capability = queried;
}

EXPORTED int copied() {
  int processors = 0;
  cudaDeviceGetAttribute(&processors, 16, 0);
  copy = capability;
  return processors;
}

EXPORTED void launch() {
  if (copy < 80) kernel(1);
}
