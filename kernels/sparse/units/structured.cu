// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Products of 2:4 matrices: for devices from 8.0 on.
#include "sparse/structured_bf16.cu"
#include "sparse/structured_f16.cu"
#include "sparse/structured_s8.cu"
