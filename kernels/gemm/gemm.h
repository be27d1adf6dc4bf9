// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Single-precision matrix products on a GPU: C = alpha * A * B + beta * C.
#pragma once

#include <cuda_runtime_api.h>

namespace archgrid::gemm {

// A product of row-major matrices in device memory: A is m x k, B is k x n, C is m x n.
// A leading dimension is the distance of two rows in elements and at least the length of a row.
// With beta = 0, C is written without being read, so that it may hold anything, NaN included.
struct Problem {
  int m = 0;
  int n = 0;
  int k = 0;
  float alpha = 1.0f;
  const float* a = nullptr;
  int lda = 0;
  const float* b = nullptr;
  int ldb = 0;
  float beta = 0.0f;
  float* c = nullptr;
  int ldc = 0;
};

// Each variant gives a thread block one tile of C and is a kernel in a translation unit of its own.
// All of them take any m, n, k >= 0, and return
//   cudaSuccess            when the kernel was launched, or when C has no element;
//   cudaErrorInvalidValue  for a negative size, a leading dimension below the row's length, a null
//                          pointer to a matrix that has elements, or more tiles than a grid holds;
//   the launch's own error otherwise, cudaErrorNoKernelImageForDevice among them.
cudaError_t tile_16x16(const Problem& problem, cudaStream_t stream);    // one element a thread
cudaError_t tile_64x64(const Problem& problem, cudaStream_t stream);    // 4 x 4 elements a thread
cudaError_t tile_128x128(const Problem& problem, cudaStream_t stream);  // 8 x 8 elements a thread

// Launches the variant that fits the shorter side of C: tile_128x128 from 512 on, tile_64x64 from
// 64 on, else tile_16x16.
cudaError_t multiply(const Problem& problem, cudaStream_t stream);

}  // namespace archgrid::gemm
