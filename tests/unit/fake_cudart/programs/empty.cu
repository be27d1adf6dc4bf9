// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// A module without kernels.
__device__ int nobody_reads_it = 3;
