// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// The arguments of the kernels of all variants.
#pragma once

#include "sparse/spmv.cuh"
#include "sparse/strided_matrix.cuh"
#include "sparse/variant.h"

namespace archgrid::sparse {

template <class Value, class StoredIndex>
struct SpmmArguments {
  using Sum = typename SumOf<Value>::Type;
  long long rows;
  long long entries;
  long long n;
  const StoredIndex* offsets;
  const StoredIndex* column;
  const Value* value;
  StridedMatrix<const Value> b;
  Sum alpha;
  Sum beta;
  StridedMatrix<Sum> c;
};

template <class Value, class StoredIndex>
__device__ __forceinline__ void store(const SpmmArguments<Value, StoredIndex>& args, long long row,
                                      long long column, typename SumOf<Value>::Type sum) {
  store_scaled(args.c.at(row, column), args.alpha, sum, args.beta);
}

// The number of columns of a lane, which are 32 apart from `first_column` on.
constexpr int columns_per_lane = 4;
constexpr int columns_per_warp = 32 * columns_per_lane;

// Adds the entries [begin, end) of a row to the sums of all lanes. The lanes load 32 entries
// together, then process them one by one.
template <class Value, class StoredIndex>
__device__ __forceinline__ void add_entries(const SpmmArguments<Value, StoredIndex>& args,
                                            long long begin, long long end, long long first_column,
                                            typename SumOf<Value>::Type (&sum)[columns_per_lane]) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  for (long long first = begin; first < end; first += 32) {
    const bool is_valid = first + lane < end;
    const long long column = is_valid ? args.column[first + lane] : 0;
    const auto value = is_valid ? widened(args.value[first + lane]) : 0;
    const int together = end - first < 32 ? static_cast<int>(end - first) : 32;
    for (int i = 0; i < together; ++i) {
      const long long k = __shfl_sync(ptx::all_lanes, column, i);
      const auto factor = __shfl_sync(ptx::all_lanes, value, i);
      const Value* const from = args.b.at(k, 0);
#pragma unroll
      for (int e = 0; e < columns_per_lane; ++e) {
        const long long j = first_column + e * 32;
        if (j < args.n) sum[e] = fma(factor, widened(from[j * args.b.column_stride]), sum[e]);
      }
    }
  }
}

template <class Value, class StoredIndex>
SpmmArguments<Value, StoredIndex> arguments_of(const Spmm& p) {
  using Sum = typename SumOf<Value>::Type;
  return {p.a.rows,
          p.a.entries,
          p.n,
          static_cast<const StoredIndex*>(p.a.offsets),
          static_cast<const StoredIndex*>(p.a.column),
          static_cast<const Value*>(p.a.value),
          strided_matrix<const Value>(p.b),
          static_cast<Sum>(p.alpha),
          static_cast<Sum>(p.beta),
          strided_matrix<Sum>(p.c)};
}

// Calls Launch<Value, StoredIndex>::launch() for the problem's types, if the problem is valid and
// the workspace large enough.
template <template <class, class> class Launch>
cudaError_t launch_typed(const Spmm& p, std::size_t needed_bytes, void* workspace,
                         std::size_t workspace_bytes, cudaStream_t stream) {
  if (!validate(p).empty()) return cudaErrorInvalidValue;
  if (!validate_workspace(workspace, workspace_bytes, needed_bytes).empty())
    return cudaErrorInvalidValue;
  if (p.a.rows == 0 || p.n == 0) return cudaSuccess;
  if (ignores_operands(p.alpha, p.a.type))
    return scale(p.c, p.a.rows, p.n, p.a.type, p.beta, stream);
  return dispatch_types<Launch>(p.a.type, p.a.index_type, p, workspace, stream);
}

inline unsigned column_tiles_of(const Spmm& p) {
  return static_cast<unsigned>((p.n + columns_per_warp - 1) / columns_per_warp);
}

}  // namespace archgrid::sparse
