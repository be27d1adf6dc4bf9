// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Products by tensor cores: for devices from 8.9 on.
#include "gemm/mma_e4m3.cu"
#include "gemm/mma_e5m2.cu"
