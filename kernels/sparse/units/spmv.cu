// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Products with vectors.
#include "sparse/spmv_merge.cu"
#include "sparse/spmv_rows.cu"
#include "sparse/spmv_thread_per_row.cu"
#include "sparse/spmv_warp_per_row.cu"
