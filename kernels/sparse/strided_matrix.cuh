// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Dense matrices as arguments of kernels for sparse products.
#pragma once

#include <cuda_runtime.h>

#include "sparse/spmm.h"

namespace archgrid::sparse {

// The elements of a matrix, for kernels that work with any layout.
template <class T>
struct StridedMatrix {
  T* data;
  long long row_stride;
  long long column_stride;

  __device__ __forceinline__ T* at(long long row, long long column) const {
    return data + row * row_stride + column * column_stride;
  }
};

template <class T, class Pointer>
StridedMatrix<T> strided_matrix(const Dense<Pointer>& matrix) {
  const bool is_row_major = matrix.layout == Layout::row;
  return {static_cast<T*>(matrix.data), is_row_major ? matrix.leading : 1,
          is_row_major ? 1 : matrix.leading};
}

}  // namespace archgrid::sparse
