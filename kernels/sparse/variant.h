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
  const char* instruction;    // what it is there for: "HMMA", "HMMA.SP"; empty where that is any
  bool is_built;              // or this build left it out
};

// All rows, those that this build left out among them.
const std::vector<Row>& rows();
// The one of that name, which there is.
const Row& row(const std::string& name);

// What keeps a variant from running on a device of that number, by its row and by whether the
// binary has an image of it there; empty if nothing does.
std::string obstacle(const Row& row, int device, bool is_in_binary);

// The number of the current device, as 80 for 8.0. Returns the runtime's error.
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

// The function, or null where this build left the row `name` out: ARCHGRID_SPARSE_HAS_<name>, 0 or
// 1, is what the build says of each.
#define ARCHGRID_SPARSE_BUILT(name, function) \
  ARCHGRID_SPARSE_BUILT_IF(ARCHGRID_SPARSE_HAS_##name, function)
#define ARCHGRID_SPARSE_BUILT_IF(has, function) ARCHGRID_SPARSE_CHOSEN(has, function)
#define ARCHGRID_SPARSE_CHOSEN(has, function) ARCHGRID_SPARSE_CHOSEN_##has(function)
#define ARCHGRID_SPARSE_CHOSEN_1(function) function
#define ARCHGRID_SPARSE_CHOSEN_0(function) nullptr

}  // namespace archgrid::sparse
