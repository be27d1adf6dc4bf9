// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Matrices in device memory: checks, scaling, pruning and compression.
#include "sparse/check.cu"
#include "sparse/scale.cu"
#include "sparse/structured_data.cu"
