// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// How sums become elements of C.
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

__device__ __forceinline__ float loaded(const void* data, long long index, Type type, float) {
  switch (type) {
    case Type::f16:
      return __half2float(static_cast<const __half*>(data)[index]);
    case Type::bf16:
      return __bfloat162float(static_cast<const __nv_bfloat16*>(data)[index]);
    default:
      return static_cast<const float*>(data)[index];
  }
}
__device__ __forceinline__ double loaded(const void* data, long long index, Type, double) {
  return static_cast<const double*>(data)[index];
}
__device__ __forceinline__ int loaded(const void* data, long long index, Type, int) {
  return static_cast<const int*>(data)[index];
}

__device__ __forceinline__ void stored(void* data, long long index, Type type, float value) {
  switch (type) {
    case Type::f16:
      static_cast<__half*>(data)[index] = __float2half_rn(value);
      return;
    case Type::bf16:
      static_cast<__nv_bfloat16*>(data)[index] = __float2bfloat16_rn(value);
      return;
    default:
      static_cast<float*>(data)[index] = value;
  }
}
__device__ __forceinline__ void stored(void* data, long long index, Type, double value) {
  static_cast<double*>(data)[index] = value;
}
__device__ __forceinline__ void stored(void* data, long long index, Type, int value) {
  static_cast<int*>(data)[index] = value;
}

// Integers wrap around, which C++ promises of unsigned ones alone.
__device__ __forceinline__ float scaled(float factor, float x, float to) {
  return fmaf(factor, x, to);
}
__device__ __forceinline__ double scaled(double factor, double x, double to) {
  return fma(factor, x, to);
}
__device__ __forceinline__ int scaled(int factor, int x, int to) {
  return static_cast<int>(static_cast<unsigned>(factor) * static_cast<unsigned>(x) +
                          static_cast<unsigned>(to));
}

template <class Sum>
__device__ __forceinline__ void finish(const Arguments<Sum>& args, int batch, int row, int column,
                                       Sum sum) {
  const long long index = batch * args.c_batch_stride + row * args.ldc + column;
  Sum value = Sum(0);
  if (args.beta != Sum(0))
    value = scaled(args.beta, loaded(args.c, index, args.output, Sum()), value);
  if (args.bias != nullptr) {
    value = scaled(
        Sum(1), loaded(args.bias, args.is_bias_of_rows ? row : column, args.output, Sum()), value);
  }
  value = scaled(args.alpha, sum, value);
  stored(args.c, index, args.output, activated(value, args.activation));
}

// Stores the sum of a part of K, or, if it is all of K, the element.
template <class Sum>
__device__ __forceinline__ void store(const Arguments<Sum>& args, const Work& work, int row,
                                      int column, Sum sum) {
  if (row >= args.m || column >= args.n) return;
  if (args.splits == 1) {
    finish(args, work.batch, row, column, sum);
  } else {
    const long long product = static_cast<long long>(work.split) * args.batches + work.batch;
    args.partials[(product * args.m + row) * args.n + column] = sum;
  }
}

// Stores a strip of sums that lies in shared memory, `Pitch` apart from row to row, as the elements
// from (row, column) on; rows of the strip are `row_step` rows of C apart. Threads first, first +
// Threads, ... of it take neighbouring elements. Sums pass through shared memory because neighbours
// then are stored together, and because what is done to an element is there once, not for every
// register.
template <int Rows, int Columns, int Pitch, int Threads, class Sum>
__device__ __forceinline__ void store_strip(const Arguments<Sum>& args, const Work& work,
                                            const Sum* strip, int row, int row_step, int column,
                                            int first) {
#pragma unroll 1
  for (int i = first; i < Rows * Columns; i += Threads) {
    store(args, work, row + i / Columns * row_step, column + i % Columns,
          strip[i / Columns * Pitch + i % Columns]);
  }
}

// The same for a product whose C is the transposed one's: rows of the strip are columns of C, from
// `column` on, and its columns rows of C, from `row` on.
template <int Rows, int Columns, int Pitch, int Threads, class Sum>
__device__ __forceinline__ void store_transposed_strip(const Arguments<Sum>& args, const Work& work,
                                                       const Sum* strip, int row, int column,
                                                       int first) {
#pragma unroll 1
  for (int i = first; i < Rows * Columns; i += Threads) {
    store(args, work, row + i / Rows, column + i % Rows, strip[i % Rows * Pitch + i / Rows]);
  }
}

}  // namespace archgrid::gemm
