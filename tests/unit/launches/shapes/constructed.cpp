// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda.hpp"

KERNEL(kernel)

struct Context {
  int device;
  bool is_new;
};

EXPORTED Context* allocate();

ALONE static void construct(Context* context) {
  context->device = 0;
  context->is_new = queried_major() >= 8;
}

ALONE static Context* context() {
  auto* made = allocate();
  construct(made);
  return made;
}

EXPORTED void launch() {
  if (context()->is_new) kernel(1);
}
