// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda.hpp"

KERNEL(kernel)

EXPORTED void launch() {
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  if (properties.major * 10 + properties.minor >= 75) kernel(1);
}
