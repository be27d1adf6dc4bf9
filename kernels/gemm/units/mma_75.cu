// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Products by tensor cores: for devices from 7.5 on.
#include "gemm/mma_f16.cu"
#include "gemm/mma_s8.cu"
