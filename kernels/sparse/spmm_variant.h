// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// The functions that spmm.inc names.
#pragma once

#include "sparse/spmm.h"

namespace archgrid::sparse {

#define VARIANT(name)                              \
  std::size_t name##_workspace_bytes(const Spmm&); \
  cudaError_t name(const Spmm&, void* workspace, cudaStream_t);
#include "sparse/spmm.inc"
#undef VARIANT

}  // namespace archgrid::sparse
