// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The unit of stubs.cu's device link that contains a guard.
#include <cstdio>

__device__ void guard_of_another_unit(int value) {
  printf("this is for 8.0, not %d\n", value);
}
