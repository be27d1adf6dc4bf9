// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// The arguments of the kernels of all variants.
#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "ptx/launch.cuh"
#include "sparse/scale.h"
#include "sparse/validate.h"
#include "sparse/variant.h"

namespace archgrid::sparse {

// The threads per block, unless a kernel defines its own.
constexpr int product_threads = 256;
constexpr int product_warps = product_threads / 32;

template <class Value>
struct SumOf {
  using Type = Value;
};
template <>
struct SumOf<__half> {
  using Type = float;
};

template <class Value, class StoredIndex>
struct SpmvArguments {
  using Sum = typename SumOf<Value>::Type;
  long long rows;
  long long entries;
  const StoredIndex* offsets;
  const StoredIndex* column;
  const Value* value;
  const Value* x;
  Sum alpha;
  Sum beta;
  Sum* y;
};

__device__ __forceinline__ float widened(float value) {
  return value;
}
__device__ __forceinline__ double widened(double value) {
  return value;
}
__device__ __forceinline__ float widened(__half value) {
  return __half2float(value);
}

// Returns the sum with entry i added.
template <class Value, class StoredIndex>
__device__ __forceinline__ typename SumOf<Value>::Type multiply_add_entry(
    const SpmvArguments<Value, StoredIndex>& args, long long i, typename SumOf<Value>::Type sum) {
  return fma(widened(args.value[i]), widened(args.x[args.column[i]]), sum);
}

// Stores alpha * sum + beta * (the old value). Does not read the old value if beta is 0.
template <class Sum>
__device__ __forceinline__ void store_scaled(Sum* to, Sum alpha, Sum sum, Sum beta) {
  *to = beta == 0 ? alpha * sum : fma(alpha, sum, beta * *to);
}

template <class Value, class StoredIndex>
__device__ __forceinline__ void store(const SpmvArguments<Value, StoredIndex>& args, long long row,
                                      typename SumOf<Value>::Type sum) {
  store_scaled(args.y + row, args.alpha, sum, args.beta);
}

template <class Value, class StoredIndex>
SpmvArguments<Value, StoredIndex> arguments_of(const Spmv& p) {
  using Sum = typename SumOf<Value>::Type;
  return {p.a.rows,
          p.a.entries,
          static_cast<const StoredIndex*>(p.a.offsets),
          static_cast<const StoredIndex*>(p.a.column),
          static_cast<const Value*>(p.a.value),
          static_cast<const Value*>(p.x),
          static_cast<Sum>(p.alpha),
          static_cast<Sum>(p.beta),
          static_cast<Sum*>(p.y)};
}

// Calls Launch<Value, StoredIndex>::launch(arguments...) for values and stored integers of the
// given types. The name of Launch must be unique among the sources, and not in an unnamed
// namespace: g++ treats the instantiations for equally named templates there as one, and links one
// of them for all.
template <template <class, class> class Launch, class... Arguments>
cudaError_t dispatch_types(Number type, Integer index_type, const Arguments&... arguments) {
  const bool is_narrow = index_type == Integer::i32;
  switch (type) {
    case Number::f16:
      return is_narrow ? Launch<__half, std::int32_t>::launch(arguments...)
                       : Launch<__half, std::int64_t>::launch(arguments...);
    case Number::f32:
      return is_narrow ? Launch<float, std::int32_t>::launch(arguments...)
                       : Launch<float, std::int64_t>::launch(arguments...);
    case Number::f64:
      return is_narrow ? Launch<double, std::int32_t>::launch(arguments...)
                       : Launch<double, std::int64_t>::launch(arguments...);
  }
  return cudaErrorInvalidValue;
}

// Calls Launch<Value, StoredIndex>::launch() for the problem's types, if the problem is valid and
// the workspace large enough.
template <template <class, class> class Launch>
cudaError_t launch_typed(const Spmv& p, std::size_t needed_bytes, void* workspace,
                         std::size_t workspace_bytes, cudaStream_t stream) {
  if (!validate(p).empty()) return cudaErrorInvalidValue;
  if (!validate_workspace(workspace, workspace_bytes, needed_bytes).empty())
    return cudaErrorInvalidValue;
  if (p.a.rows == 0) return cudaSuccess;
  if (ignores_operands(p.alpha, p.a.type))
    return scale({p.y, Layout::row, p.a.rows}, 1, p.a.rows, p.a.type, p.beta, stream);
  return dispatch_types<Launch>(p.a.type, p.a.index_type, p, workspace, stream);
}

}  // namespace archgrid::sparse
