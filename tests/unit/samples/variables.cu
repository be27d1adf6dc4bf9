// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Variables without a kernel.
__constant__ float table[64];
__device__ int counter = 1;
