// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/variant.h"

#include <algorithm>

namespace archgrid::sparse {
namespace {

#define ROW(name, first_device, first_toolkit, instruction) \
  Row{#name, first_device, first_toolkit, instruction, ARCHGRID_SPARSE_HAS_##name != 0},
#define SPMV ROW
#define SPMM ROW
#define SDDMM ROW
#define BSRMM ROW
#define STRUCTURED(name, type, first_device, first_toolkit, instruction) \
  ROW(name, first_device, first_toolkit, instruction)
const std::vector<Row> row_table = {
#include "sparse/variants.inc"
};
#undef ROW

std::string device_name(int number) {
  return std::to_string(number / 10) + "." + std::to_string(number % 10);
}

}  // namespace

const std::vector<Row>& rows() {
  return row_table;
}

const Row& row(const std::string& name) {
  return *std::find_if(row_table.begin(), row_table.end(),
                       [&](const Row& r) { return r.name == name; });
}

std::string obstacle(const Row& row, int device, bool is_in_binary) {
  if (device < row.first_device) {
    return "needs a device from " + device_name(row.first_device) + " on, this is " +
           device_name(device);
  }
  if (!row.is_built) {
    return std::string("is not in this build: it needs CUDA ") + row.first_toolkit +
           ", an architecture from " + device_name(row.first_device) +
           " on, and its unit where ARCHGRID_KERNEL_UNITS names any";
  }
  return is_in_binary ? "" : "has no image for device " + device_name(device) + " in this binary";
}

cudaError_t current_device(int* number) {
  int device = 0;
  int major = 0;
  int minor = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
  *number = major * 10 + minor;
  return error;
}

}  // namespace archgrid::sparse
