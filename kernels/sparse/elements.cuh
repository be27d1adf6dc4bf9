// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Dense matrices as arguments of kernels for sparse products.
#pragma once

#include <cuda_runtime.h>

#include "sparse/spmm.h"

namespace archgrid::sparse {

// The elements of a matrix, for kernels that work with any layout.
template <class T>
struct Elements {
  T* data;
  long long row_step;
  long long column_step;

  __device__ __forceinline__ T* at(long long row, long long column) const {
    return data + row * row_step + column * column_step;
  }
};

template <class T, class Pointer>
Elements<T> elements_of(const Dense<Pointer>& matrix) {
  const bool is_row_major = matrix.layout == Layout::row;
  return {static_cast<T*>(matrix.data), is_row_major ? matrix.leading : 1,
          is_row_major ? 1 : matrix.leading};
}

}  // namespace archgrid::sparse
