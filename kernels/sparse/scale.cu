// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "ptx/launch.cuh"
#include "sparse/find_first.cuh"
#include "sparse/scale.h"

namespace archgrid::sparse {
template <class Sum>
__global__ void __launch_bounds__(grid_stride_threads)
    scale_elements(Sum* data, long long outer, long long inner, long long leading, Sum beta) {
  const long long all = outer * inner;
  const long long step = static_cast<long long>(gridDim.x) * grid_stride_threads;
  for (long long i = static_cast<long long>(blockIdx.x) * grid_stride_threads + threadIdx.x;
       i < all; i += step) {
    Sum* const to = data + i / inner * leading + i % inner;
    *to = beta == 0 ? Sum(0) : beta * *to;
  }
}

namespace {

template <class Sum>
cudaError_t scale_as(const Dense<void*>& c, long long outer, long long inner, double beta,
                     cudaStream_t stream) {
  return ptx::launch(scale_elements<Sum>, grid_stride_blocks(outer * inner),
                     dim3(grid_stride_threads), 0, stream, static_cast<Sum*>(c.data), outer, inner,
                     static_cast<long long>(c.leading), static_cast<Sum>(beta));
}

}  // namespace

cudaError_t scale(const Dense<void*>& c, std::int64_t rows, std::int64_t columns, Number type,
                  double beta, cudaStream_t stream) {
  if (rows == 0 || columns == 0) return cudaSuccess;
  const bool is_row_major = c.layout == Layout::row;
  const long long outer = is_row_major ? rows : columns;
  const long long inner = is_row_major ? columns : rows;
  return sum_of(type) == Number::f64 ? scale_as<double>(c, outer, inner, beta, stream)
                                     : scale_as<float>(c, outer, inner, beta, stream);
}

}  // namespace archgrid::sparse
