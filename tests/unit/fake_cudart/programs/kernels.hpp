// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The kernels of a program by name, in whichever unit or shared library they are.
#ifndef ARCHGRID_TESTS_FAKE_CUDART_KERNELS_HPP
#define ARCHGRID_TESTS_FAKE_CUDART_KERNELS_HPP

#include <cuda_runtime.h>

#include <map>
#include <string>

struct KnownKernel {
  const void* function;
  void (*launch)(dim3 grid, dim3 block, size_t shared, float* values);  // launches with <<<>>>
};

inline std::map<std::string, KnownKernel>& known_kernels() {
  static std::map<std::string, KnownKernel> kernels;
  return kernels;
}

#define ARCHGRID_KNOW(kernel)                                                                    \
  static void launch_##kernel(dim3 grid, dim3 block, size_t shared, float* values) {             \
    kernel<<<grid, block, shared>>>(values);                                                     \
  }                                                                                              \
  static const bool known_##kernel =                                                             \
      known_kernels()                                                                            \
          .emplace(#kernel, KnownKernel{reinterpret_cast<const void*>(kernel), launch_##kernel}) \
          .second;
#define ARCHGRID_KNOW_NAMED(kernel) ARCHGRID_KNOW(kernel)

#endif
