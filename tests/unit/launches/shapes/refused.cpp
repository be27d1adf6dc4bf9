// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "steps.hpp"

KERNEL(kernel)
KERNEL(guarded)

ALONE static bool prepare_guarded(int* data) {
  if (queried_major() < 8) return false;
  int* places[200];
  HUNDRED_STEPS(1)
  return data[1] != 0;
}

// The compute capability decides only together with the data.
ALONE static bool prepare(int* data) {
  if (queried_major() < 8 && data[2] != 0) return false;
  int* places[200];
  HUNDRED_STEPS(1)
  return data[1] != 0;
}

EXPORTED void launch(int* data) {
  if (prepare_guarded(data)) guarded(1);
  if (prepare(data)) kernel(1);
}
