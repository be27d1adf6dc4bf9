// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// The functions that variants.inc names.
#pragma once

#include "gemm/gemm.h"

namespace archgrid::gemm {

#define VARIANT(source, name, input, is_tf32, tile_m, tile_n, tile_k, stages, threads, registers, \
                first_device, first_toolkit, instruction)                                         \
  cudaError_t name(const Problem&, int splits, void* partials, cudaStream_t);                     \
  cudaError_t name##_is_loadable();
#include "gemm/variants.inc"
#undef VARIANT

}  // namespace archgrid::gemm
