// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// The epilogue: converts sums to elements of C and stores them.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "gemm/arguments.cuh"

namespace archgrid::gemm {

__device__ __forceinline__ float activated(float x, Activation activation) {
  switch (activation) {
    case Activation::relu:
      return x < 0.0f ? 0.0f : x;
    case Activation::gelu:
      return 0.5f * x * (1.0f + erff(x * 0.70710678f));
    case Activation::silu:
      return x / (1.0f + expf(-x));
    default:
      return x;
  }
}

__device__ __forceinline__ double activated(double x, Activation activation) {
  switch (activation) {
    case Activation::relu:
      return x < 0.0 ? 0.0 : x;
    case Activation::gelu:
      return 0.5 * x * (1.0 + erf(x * 0.70710678118654752));
    case Activation::silu:
      return x / (1.0 + exp(-x));
    default:
      return x;
  }
}

__device__ __forceinline__ int activated(int x, Activation activation) {
  return activation == Activation::relu && x < 0 ? 0 : x;
}

__device__ __forceinline__ void convert(__half from, float& to) {
  to = __half2float(from);
}
__device__ __forceinline__ void convert(__nv_bfloat16 from, float& to) {
  to = __bfloat162float(from);
}
__device__ __forceinline__ void convert(float from, __half& to) {
  to = __float2half_rn(from);
}
__device__ __forceinline__ void convert(float from, __nv_bfloat16& to) {
  to = __float2bfloat16_rn(from);
}
template <class T>
__device__ __forceinline__ void convert(T from, T& to) {
  to = from;
}

// Elements that are loaded and stored at once, aligned to their total size.
template <class T, int Count>
struct alignas(sizeof(T) * Count) AlignedArray {
  T element[Count];
};

template <class T, class Sum, int Count>
__device__ __forceinline__ void load_as(const void* data, long long index, Sum (&values)[Count]) {
  const auto vector =
      *reinterpret_cast<const AlignedArray<T, Count>*>(static_cast<const T*>(data) + index);
#pragma unroll
  for (int i = 0; i < Count; ++i) convert(vector.element[i], values[i]);
}
template <class T, class Sum, int Count>
__device__ __forceinline__ void store_as(void* data, long long index, const Sum (&values)[Count]) {
  AlignedArray<T, Count> vector;
#pragma unroll
  for (int i = 0; i < Count; ++i) convert(values[i], vector.element[i]);
  *reinterpret_cast<AlignedArray<T, Count>*>(static_cast<T*>(data) + index) = vector;
}

template <int Count>
__device__ __forceinline__ void load(const void* data, long long index, Type type,
                                     float (&values)[Count]) {
  switch (type) {
    case Type::f16:
      return load_as<__half>(data, index, values);
    case Type::bf16:
      return load_as<__nv_bfloat16>(data, index, values);
    default:
      return load_as<float>(data, index, values);
  }
}
// For other sums, elements have the type of the sum.
template <class Sum, int Count>
__device__ __forceinline__ void load(const void* data, long long index, Type,
                                     Sum (&values)[Count]) {
  load_as<Sum>(data, index, values);
}

template <int Count>
__device__ __forceinline__ void store(void* data, long long index, Type type,
                                      const float (&values)[Count]) {
  switch (type) {
    case Type::f16:
      return store_as<__half>(data, index, values);
    case Type::bf16:
      return store_as<__nv_bfloat16>(data, index, values);
    default:
      return store_as<float>(data, index, values);
  }
}
template <class Sum, int Count>
__device__ __forceinline__ void store(void* data, long long index, Type,
                                      const Sum (&values)[Count]) {
  store_as<Sum>(data, index, values);
}

// Returns factor * x + to. Integers wrap around, which C++ guarantees only for unsigned types.
__device__ __forceinline__ float multiply_add(float factor, float x, float to) {
  return fmaf(factor, x, to);
}
__device__ __forceinline__ double multiply_add(double factor, double x, double to) {
  return fma(factor, x, to);
}
__device__ __forceinline__ int multiply_add(int factor, int x, int to) {
  return static_cast<int>(static_cast<unsigned>(factor) * static_cast<unsigned>(x) +
                          static_cast<unsigned>(to));
}

// Stores adjacent elements of a row of C, given their sums over all of K.
template <class Sum, int Count>
__device__ __forceinline__ void apply_epilogue(const Arguments<Sum>& args, int batch, int row,
                                               int column, const Sum (&sum)[Count]) {
  const long long index = batch * args.c_batch_stride + row * args.ldc + column;
  Sum value[Count] = {};
  if (args.beta != Sum(0)) {
    Sum before[Count];
    load(args.c, index, args.output, before);
#pragma unroll
    for (int i = 0; i < Count; ++i) value[i] = multiply_add(args.beta, before[i], value[i]);
  }
  if (args.bias != nullptr) {
    Sum bias[Count];
    if (args.is_bias_per_row) {
      Sum of_row[1];
      load(args.bias, row, args.output, of_row);
#pragma unroll
      for (int i = 0; i < Count; ++i) bias[i] = of_row[0];
    } else {
      load(args.bias, column, args.output, bias);
    }
#pragma unroll
    for (int i = 0; i < Count; ++i) value[i] = multiply_add(Sum(1), bias[i], value[i]);
  }
#pragma unroll
  for (int i = 0; i < Count; ++i) value[i] = multiply_add(args.alpha, sum[i], value[i]);
  if (args.activation != Activation::none) {
#pragma unroll
    for (int i = 0; i < Count; ++i) value[i] = activated(value[i], args.activation);
  }
  store(args.c, index, args.output, value);
}

// Stores the elements of C, or the sums of this part if K is split.
template <class Sum, int Count>
__device__ __forceinline__ void store(const Arguments<Sum>& args, const TileCoord& tile, int row,
                                      int column, const Sum (&sum)[Count]) {
  if (args.splits == 1) {
    apply_epilogue(args, tile.batch, row, column, sum);
  } else {
    const long long product = static_cast<long long>(tile.split) * args.batches + tile.batch;
    store_as<Sum>(args.partials, (product * args.m + row) * args.n + column, sum);
  }
}

// Stores a vector whose sums lie `Step` apart in shared memory. Nearly all vectors are whole and
// aligned in global memory, and are stored at once.
template <int Step, class Sum>
__device__ __forceinline__ void store_vector(const Arguments<Sum>& args, const TileCoord& tile,
                                             const Sum* sums, int row, int column) {
  constexpr int count = elements_per_vector<Sum>;
  if (row >= args.m) return;
  const bool is_whole = args.n - column >= count;
  if (is_whole && (count == 1 || args.is_epilogue_aligned)) {
    Sum sum[count];
    if (Step == 1) {
      load_as<Sum>(sums, 0, sum);
    } else {
#pragma unroll
      for (int i = 0; i < count; ++i) sum[i] = sums[i * Step];
    }
    store(args, tile, row, column, sum);
    return;
  }
  if constexpr (count > 1) {
#pragma unroll 1
    for (int i = 0; i < count && column + i < args.n; ++i) {
      const Sum sum[1] = {sums[i * Step]};
      store(args, tile, row, column + i, sum);
    }
  }
}

// Stores a fragment of sums from shared memory, with rows `Pitch` elements apart, as the elements
// of C from (row, column) on. Rows of the fragment are `row_step` rows of C apart. Thread `first`
// stores vectors first, first + Threads, ... Sums pass through shared memory so that adjacent
// elements are stored together, and so that the epilogue's code exists once, not for every
// register.
template <int Rows, int Columns, int Pitch, int Threads, class Sum>
__device__ __forceinline__ void store_fragment(const Arguments<Sum>& args, const TileCoord& tile,
                                               const Sum* fragment, int row, int row_step,
                                               int column, int first) {
  constexpr int vector = elements_per_vector<Sum>;
  static_assert(Columns % vector == 0 && Pitch % vector == 0, "whole vectors");
#pragma unroll 1
  for (int i = first * vector; i < Rows * Columns; i += Threads * vector) {
    store_vector<1>(args, tile, fragment + i / Columns * Pitch + i % Columns,
                    row + i / Columns * row_step, column + i % Columns);
  }
}

// Stores a fragment of a transposed product: rows of the fragment are columns of C, from `column`
// on, and its columns are rows of C, from `row` on.
template <int Rows, int Columns, int Pitch, int Threads, class Sum>
__device__ __forceinline__ void store_transposed_fragment(const Arguments<Sum>& args,
                                                          const TileCoord& tile,
                                                          const Sum* fragment, int row, int column,
                                                          int first) {
  constexpr int vector = elements_per_vector<Sum>;
  static_assert(Rows % vector == 0, "whole vectors");
#pragma unroll 1
  for (int i = first * vector; i < Rows * Columns; i += Threads * vector) {
    store_vector<Pitch>(args, tile, fragment + i % Rows * Pitch + i / Rows, row + i / Rows,
                        column + i % Rows);
  }
}

}  // namespace archgrid::gemm
