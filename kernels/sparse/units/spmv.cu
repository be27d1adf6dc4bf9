// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Products with vectors.
#include "sparse/spmv_merge.cu"
#include "sparse/spmv_row_per_thread.cu"
#include "sparse/spmv_row_per_warp.cu"
#include "sparse/spmv_rows.cu"
