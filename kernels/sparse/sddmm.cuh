// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// What the kernels of all variants are given. Both go by entries, whatever rows they are of: that
// is equal work for all.
#pragma once

#include "sparse/spmv.cuh"
#include "sparse/variant.h"

namespace archgrid::sparse {

// Elements of a dense matrix are row * row_step + column * column_step from its begin.
template <class Value, class Stored>
struct SddmmArguments {
  using Sum = typename SumOf<Value>::Type;
  long long rows;
  long long entries;
  long long k;
  const Stored* offsets;
  const Stored* column;
  const Value* a;
  long long a_row_step;
  long long a_k_step;
  const Value* b;
  long long b_k_step;
  long long b_column_step;
  Sum alpha;
  Sum beta;
  Sum* value;
};

// The row of an entry: the last that does not begin behind it.
template <class Value, class Stored>
__device__ __forceinline__ long long row_of(const SddmmArguments<Value, Stored>& args,
                                            long long entry) {
  long long first = 0;
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
  auto& value = args.value[entry];
  value = args.beta == 0 ? args.alpha * sum : fma(args.alpha, sum, args.beta * value);
}

// The sum over every `step`-th k from `first` on.
template <class Value, class Stored>
__device__ __forceinline__ typename SumOf<Value>::Type sum_along_k(
    const SddmmArguments<Value, Stored>& args, long long row, long long column, int first,
    int step) {
  const Value* const a = args.a + row * args.a_row_step;
  const Value* const b = args.b + column * args.b_column_step;
  typename SumOf<Value>::Type sum = 0;
  for (long long i = first; i < args.k; i += step)
    sum = fma(widened(a[i * args.a_k_step]), widened(b[i * args.b_k_step]), sum);
  return sum;
}

template <class Value, class Stored>
SddmmArguments<Value, Stored> arguments_of(const Sddmm& p) {
  using Sum = typename SumOf<Value>::Type;
  const bool a_rows = p.a.layout == Layout::row;
  const bool b_rows = p.b.layout == Layout::row;
  return {p.rows,
          p.entries,
          p.k,
          static_cast<const Stored*>(p.offsets),
          static_cast<const Stored*>(p.column),
          static_cast<const Value*>(p.a.data),
          a_rows ? p.a.leading : 1,
          a_rows ? 1 : p.a.leading,
          static_cast<const Value*>(p.b.data),
          b_rows ? p.b.leading : 1,
          b_rows ? 1 : p.b.leading,
          static_cast<Sum>(p.alpha),
          static_cast<Sum>(p.beta),
          static_cast<Sum*>(p.value)};
}

// Launch<Value, Stored>::of() for the problem's types, once it is known to be one.
template <template <class, class> class Launch>
cudaError_t launch_for_types(const Sddmm& p, cudaStream_t stream) {
  if (!mistake_in(p).empty()) return cudaErrorInvalidValue;
  if (p.entries == 0) return cudaSuccess;
  return for_types<Launch>(p.type, p.index_type, p, stream);
}

}  // namespace archgrid::sparse
