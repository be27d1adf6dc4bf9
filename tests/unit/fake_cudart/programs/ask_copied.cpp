// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints the errors of launching a template's kernel from the unit for 8.0 and from that for 9.0.
#include <cuda_runtime_api.h>

#include <cstdio>

cudaError_t launch_80(int* values);
cudaError_t launch_90(int* values);

int main() {
  std::printf("%d\n", static_cast<int>(launch_80(nullptr)));
  std::printf("%d\n", static_cast<int>(launch_90(nullptr)));
  return 0;
}
