// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Products by ordinary cores, and sums of parts of K: for every device.
#include "gemm/combine.cu"
#include "gemm/simt_f32.cu"
#include "gemm/simt_f64.cu"
