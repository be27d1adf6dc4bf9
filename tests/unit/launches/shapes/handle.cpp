// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda.hpp"

KERNEL(kernel)

extern "C" EXPORTED void** handles;

ALONE static void* handle() {
  return handles[queried_capability()];
}

EXPORTED void launch() {
  if (handle() != nullptr) kernel(1);
}
