// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// The functions that sddmm.inc names.
#pragma once

#include "sparse/sddmm.h"

namespace archgrid::sparse {

#define VARIANT(name) cudaError_t name(const Sddmm&, cudaStream_t);
#include "sparse/sddmm.inc"
#undef VARIANT

}  // namespace archgrid::sparse
