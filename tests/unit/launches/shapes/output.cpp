// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda.hpp"

KERNEL(kernel)

struct Context {
  int device;
  int rows;
};

EXPORTED Context* find(int major);

ALONE static void query(int* major) {
  *major = queried_major();
}

// It passes a variable to query(), not the object that it returns.
ALONE static Context* context() {
  int major = 0;
  query(&major);
  return find(major);
}

EXPORTED void launch() {
  if (context()->device == 0) kernel(1);
}
