// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "reverse.h"

#include <cuda_runtime_api.h>

#include <archgrid/cpu_emulator.hpp>
#include <iostream>
#include <vector>

int main() {
  std::vector<float> numbers = {1, 2, 3, 4, 5, 6, 7, 8};
  float* on_device = nullptr;
  cudaMalloc(&on_device, 32);
  cudaMemcpy(on_device, numbers.data(), 32, cudaMemcpyHostToDevice);
  reverse(on_device, 2, 4, false);
  cudaMemcpy(numbers.data(), on_device, 32, cudaMemcpyDeviceToHost);
  for (float number : numbers) std::cout << number << ' ';
  std::cout << '\n';
  try {
    reverse(on_device, 2, 4, true);
  } catch (const archgrid::cpu_emulator::Defect& defect) {
    std::cout << defect.what() << '\n';
  }
  cudaFree(on_device);
}
