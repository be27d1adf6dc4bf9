// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// SDDMM, and BSR products on ordinary cores.
#include "sparse/bsrmm_simt.cu"
#include "sparse/sddmm_lanes_have_entries.cu"
#include "sparse/sddmm_lanes_have_k.cu"
