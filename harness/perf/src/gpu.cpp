// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "gpu.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <archgrid/cuda/error.hpp>
#include <cstdlib>

namespace archgrid::perf {

int current_device() {
  int device = 0;
  throw_on_error("cudaGetDevice", cudaGetDevice(&device));
  return device;
}

std::size_t bytes_of_l2() {
  int bytes = 0;
  throw_on_error("cudaDeviceGetAttribute",
                 cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, current_device()));
  return static_cast<std::size_t>(std::max(bytes, 1 << 20));
}

std::string pci_bus_id() {
  int device = 0;
  char text[32] = "";
  const bool known = cudaGetDevice(&device) == cudaSuccess &&
                     cudaDeviceGetPCIBusId(text, sizeof text, device) == cudaSuccess;
  if (known) return text;
  static_cast<void>(cudaGetLastError());  // clears the error of this call, which is not a test's
  return "";
}

std::string variable(const char* name, const char* otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr || *value == '\0' ? otherwise : value;
}

}  // namespace archgrid::perf
