// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Single-precision products of a sparse matrix with a vector on a GPU: y = alpha * A * x + beta *
// y.
#pragma once

#include <cuda_runtime_api.h>

namespace archgrid::sparse {

// A rows x columns matrix in compressed sparse rows, in device memory: the entries of row r are
// values[i] at column column_indices[i] for row_offsets[r] <= i < row_offsets[r + 1]. Rows may be
// empty and of any length; entries of a row need no order.
struct Csr {
  int rows = 0;
  int columns = 0;
  const int* row_offsets = nullptr;  // rows + 1 of them
  const int* column_indices = nullptr;
  const float* values = nullptr;
};

// x has a.columns elements and y has a.rows, both in device memory.
// With beta = 0, y is written without being read, so that it may hold anything, NaN included.
struct Problem {
  Csr a;
  float alpha = 1.0f;
  const float* x = nullptr;
  float beta = 0.0f;
  float* y = nullptr;
};

// Each variant is a kernel in a translation unit of its own, and returns
//   cudaSuccess            when the kernel was launched, or when A has no row;
//   cudaErrorInvalidValue  for a negative size, or row_offsets or y null though A has rows;
//   the launch's own error otherwise, cudaErrorNoKernelImageForDevice among them.
// What row_offsets and column_indices say is not checked: it lies on the device.
cudaError_t row_per_thread(const Problem& problem, cudaStream_t stream);
cudaError_t row_per_warp(const Problem& problem, cudaStream_t stream);

}  // namespace archgrid::sparse
