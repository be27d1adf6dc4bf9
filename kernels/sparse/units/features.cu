// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Features: distribution, lookups and checks.
#include "sparse/bucketize.cu"
#include "sparse/embedding.cu"
#include "sparse/features_check.cu"
#include "sparse/scan.cu"
