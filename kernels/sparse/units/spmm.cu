// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Products with dense matrices.
#include "sparse/spmm_lanes_have_columns.cu"
#include "sparse/spmm_lanes_have_entries.cu"
#include "sparse/spmm_merge.cu"
