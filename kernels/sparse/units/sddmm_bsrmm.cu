// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// SDDMM, and BSR products on ordinary cores.
#include "sparse/bsrmm_simt.cu"
#include "sparse/sddmm_thread_per_entry.cu"
#include "sparse/sddmm_warp_per_entry.cu"
