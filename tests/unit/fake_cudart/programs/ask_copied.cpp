// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints the errors of launching a template's kernel from the unit for 8.0 and from that for 9.0,
// and those of a static template's.
#include <cuda_runtime_api.h>

#include <cstdio>
#include <initializer_list>

cudaError_t launch_80(int* values, bool is_static);
cudaError_t launch_90(int* values, bool is_static);

int main() {
  for (const bool is_static : {false, true}) {
    std::printf("%d\n", static_cast<int>(launch_80(nullptr, is_static)));
    std::printf("%d\n", static_cast<int>(launch_90(nullptr, is_static)));
  }
  return 0;
}
