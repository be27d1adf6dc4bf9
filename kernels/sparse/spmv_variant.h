// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// The functions that spmv.inc names.
#pragma once

#include "sparse/spmv.h"

namespace archgrid::sparse {

#define VARIANT(name)                              \
  std::size_t name##_workspace_bytes(const Spmv&); \
  cudaError_t name(const Spmv&, void* workspace, cudaStream_t);
#include "sparse/spmv.inc"
#undef VARIANT

}  // namespace archgrid::sparse
