// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// The arguments of the kernels of all variants. Both variants distribute entries, whatever their
// rows, so that all threads have equal work.
#pragma once

#include "sparse/spmv.cuh"
#include "sparse/strided_matrix.cuh"
#include "sparse/variant.h"

namespace archgrid::sparse {

template <class Value, class StoredIndex>
struct SddmmArguments {
  using Sum = typename SumOf<Value>::Type;
  long long rows;
  long long entries;
  long long k;
  const StoredIndex* offsets;
  const StoredIndex* column;
  StridedMatrix<const Value> a;
  StridedMatrix<const Value> b;
  Sum alpha;
  Sum beta;
  Sum* value;
};

// Returns the row of an entry: the last one, from `first` on, that begins at or before the entry.
template <class Value, class StoredIndex>
__device__ __forceinline__ long long row_of(const SddmmArguments<Value, StoredIndex>& args,
                                            long long entry, long long first) {
  long long last = args.rows - 1;
  while (first < last) {
    const long long middle = (first + last + 1) / 2;
    if (args.offsets[middle] <= entry) {
      first = middle;
    } else {
      last = middle - 1;
    }
  }
  return first;
}

template <class Value, class StoredIndex>
__device__ __forceinline__ void store(const SddmmArguments<Value, StoredIndex>& args,
                                      long long entry, typename SumOf<Value>::Type sum) {
  store_scaled(args.value + entry, args.alpha, sum, args.beta);
}

// Returns the sum over every `step`-th k from `first` on.
template <class Value, class StoredIndex>
__device__ __forceinline__ typename SumOf<Value>::Type sum_along_k(
    const SddmmArguments<Value, StoredIndex>& args, long long row, long long column, int first,
    int step) {
  const Value* const a = args.a.at(row, 0);
  const Value* const b = args.b.at(0, column);
  typename SumOf<Value>::Type sum = 0;
  for (long long i = first; i < args.k; i += step)
    sum = fma(widened(a[i * args.a.column_stride]), widened(b[i * args.b.row_stride]), sum);
  return sum;
}

template <class Value, class StoredIndex>
SddmmArguments<Value, StoredIndex> arguments_of(const Sddmm& p) {
  using Sum = typename SumOf<Value>::Type;
  return {p.rows,
          p.entries,
          p.k,
          static_cast<const StoredIndex*>(p.offsets),
          static_cast<const StoredIndex*>(p.column),
          strided_matrix<const Value>(p.a),
          strided_matrix<const Value>(p.b),
          static_cast<Sum>(p.alpha),
          static_cast<Sum>(p.beta),
          static_cast<Sum*>(p.value)};
}

// Calls Launch<Value, StoredIndex>::launch() for the problem's types, if the problem is valid.
template <template <class, class> class Launch>
cudaError_t launch_typed(const Sddmm& p, cudaStream_t stream) {
  if (!validate(p).empty()) return cudaErrorInvalidValue;
  if (p.entries == 0) return cudaSuccess;
  if (p.k == 0 || ignores_operands(p.alpha, p.type))
    return scale({p.value, Layout::row, p.entries}, 1, p.entries, p.type, p.beta, stream);
  return dispatch_types<Launch>(p.type, p.index_type, p, stream);
}

}  // namespace archgrid::sparse
