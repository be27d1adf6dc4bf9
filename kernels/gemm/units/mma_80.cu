// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Products by tensor cores: for devices from 8.0 on.
#include "gemm/mma_bf16.cu"
#include "gemm/mma_f64.cu"
#include "gemm/mma_tf32.cu"
