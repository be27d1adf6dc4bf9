// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Products with dense matrices.
#include "sparse/spmm_lane_per_column.cu"
#include "sparse/spmm_lane_per_entry.cu"
#include "sparse/spmm_merge.cu"
