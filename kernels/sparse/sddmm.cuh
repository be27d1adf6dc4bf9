// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// The arguments of the kernels of all variants. Both variants distribute entries, whatever their
// rows, so that all threads have equal work.
#pragma once

#include "sparse/elements.cuh"
#include "sparse/spmv.cuh"
#include "sparse/variant.h"

namespace archgrid::sparse {

template <class Value, class Stored>
struct SddmmArguments {
  using Sum = typename SumOf<Value>::Type;
  long long rows;
  long long entries;
  long long k;
  const Stored* offsets;
  const Stored* column;
  Elements<const Value> a;
  Elements<const Value> b;
  Sum alpha;
  Sum beta;
  Sum* value;
};

// Returns the row of an entry: the last one, from `first` on, that begins at or before the entry.
template <class Value, class Stored>
__device__ __forceinline__ long long row_of(const SddmmArguments<Value, Stored>& args,
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

template <class Value, class Stored>
__device__ __forceinline__ void store(const SddmmArguments<Value, Stored>& args, long long entry,
                                      typename SumOf<Value>::Type sum) {
  store_scaled(args.value + entry, args.alpha, sum, args.beta);
}

// Returns the sum over every `step`-th k from `first` on.
template <class Value, class Stored>
__device__ __forceinline__ typename SumOf<Value>::Type sum_along_k(
    const SddmmArguments<Value, Stored>& args, long long row, long long column, int first,
    int step) {
  const Value* const a = args.a.at(row, 0);
  const Value* const b = args.b.at(0, column);
  typename SumOf<Value>::Type sum = 0;
  for (long long i = first; i < args.k; i += step)
    sum = fma(widened(a[i * args.a.column_step]), widened(b[i * args.b.row_step]), sum);
  return sum;
}

template <class Value, class Stored>
SddmmArguments<Value, Stored> arguments_of(const Sddmm& p) {
  using Sum = typename SumOf<Value>::Type;
  return {p.rows,
          p.entries,
          p.k,
          static_cast<const Stored*>(p.offsets),
          static_cast<const Stored*>(p.column),
          elements_of<const Value>(p.a),
          elements_of<const Value>(p.b),
          static_cast<Sum>(p.alpha),
          static_cast<Sum>(p.beta),
          static_cast<Sum*>(p.value)};
}

// Calls Launch<Value, Stored>::of() for the problem's types, if the problem is valid.
template <template <class, class> class Launch>
cudaError_t launch_for_types(const Sddmm& p, cudaStream_t stream) {
  if (!validate(p).empty()) return cudaErrorInvalidValue;
  if (p.entries == 0) return cudaSuccess;
  if (p.k == 0 || ignores_operands(p.alpha, p.type))
    return scale({p.value, Layout::row, p.entries}, 1, p.entries, p.type, p.beta, stream);
  return for_types<Launch>(p.type, p.index_type, p, stream);
}

}  // namespace archgrid::sparse
