// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda.hpp"

KERNEL(kernel)

extern "C" EXPORTED const unsigned char* supported;

ALONE static bool is_supported() {
  return supported[queried_capability()] != 0;
}

EXPORTED void launch() {
  if (is_supported()) kernel(1);
}
