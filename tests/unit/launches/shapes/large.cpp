// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "steps.hpp"

KERNEL(kernel)
KERNEL(guarded)

EXPORTED void launch(int* data) {
  const bool is_new = queried_major() >= 8;
  int* places[1000];
  HUNDRED_STEPS(1)
  HUNDRED_STEPS(2)
  HUNDRED_STEPS(3)
  HUNDRED_STEPS(4)
  HUNDRED_STEPS(5)
  HUNDRED_STEPS(6)
  HUNDRED_STEPS(7)
  HUNDRED_STEPS(8)
  HUNDRED_STEPS(9)
  if (is_new) guarded(1);
  if (data[1] != 0) kernel(1);
}
