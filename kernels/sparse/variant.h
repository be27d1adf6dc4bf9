// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// The rows of variants.inc, and the functions that they name.
#pragma once

#include <cuda_runtime_api.h>

#include <string>
#include <vector>

#include "sparse/bsrmm.h"
#include "sparse/sddmm.h"
#include "sparse/spmm.h"
#include "sparse/spmv.h"
#include "sparse/structured.h"

namespace archgrid::sparse {

struct Row {
  const char* name;
  int first_device;           // major * 10 + minor
  const char* first_toolkit;  // the first CUDA that compiles it
  const char* instruction;    // its main SASS instruction: "HMMA", "HMMA.SP"; empty if any
  bool is_built;              // false if this build omits it
};

// Returns all rows, including those that this build omits.
const std::vector<Row>& rows();
// Returns the row with that name, which must exist.
const Row& row(const std::string& name);

// Returns the obstacle that keeps a variant from running on a device, or an empty string.
// `is_in_binary` says whether the binary has an image of it for the device.
std::string obstacle(const Row& row, int device, bool is_in_binary);

// Writes the number of the current device (80 for 8.0) to `number`. Returns the runtime's error.
cudaError_t current_device(int* number);

#define SPMV(name, ...)                            \
  std::size_t name##_workspace_bytes(const Spmv&); \
  cudaError_t name(const Spmv&, void* workspace, std::size_t workspace_bytes, cudaStream_t);
#define SPMM(name, ...)                            \
  std::size_t name##_workspace_bytes(const Spmm&); \
  cudaError_t name(const Spmm&, void* workspace, std::size_t workspace_bytes, cudaStream_t);
#define SDDMM(name, ...) cudaError_t name(const Sddmm&, cudaStream_t);
#define BSRMM(name, ...)            \
  cudaError_t name##_is_loadable(); \
  cudaError_t name(const Bsrmm&, cudaStream_t);
#define STRUCTURED(name, type, ...) \
  cudaError_t name##_is_loadable(); \
  cudaError_t name(const Structured&, const gemm::Problem&, cudaStream_t);
#include "sparse/variants.inc"

// Expands to the function, or to null if this build omits the row `name`. The build defines
// ARCHGRID_SPARSE_HAS_<name> as 0 or 1 for each row.
#define ARCHGRID_SPARSE_BUILT(name, function) \
  ARCHGRID_SPARSE_BUILT_IF(ARCHGRID_SPARSE_HAS_##name, function)
#define ARCHGRID_SPARSE_BUILT_IF(has, function) ARCHGRID_SPARSE_CHOSEN(has, function)
#define ARCHGRID_SPARSE_CHOSEN(has, function) ARCHGRID_SPARSE_CHOSEN_##has(function)
#define ARCHGRID_SPARSE_CHOSEN_1(function) function
#define ARCHGRID_SPARSE_CHOSEN_0(function) nullptr

}  // namespace archgrid::sparse
