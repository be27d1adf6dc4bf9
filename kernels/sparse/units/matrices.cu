// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Matrices in device memory: what checks, scales, prunes and compresses them.
#include "sparse/check.cu"
#include "sparse/scale.cu"
#include "sparse/structured_data.cu"
