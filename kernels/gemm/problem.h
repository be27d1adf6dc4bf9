// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// The definition of a matrix product, for the host compiler and the device compiler.
#pragma once

#include <cstddef>
#include <string>

namespace archgrid::gemm {

// The type of a matrix's elements.
enum class Type { f32, f64, f16, bf16, e4m3, e5m2, s8, s32 };

// Row-major: the elements of a row are contiguous, and the leading dimension is the distance
// between two rows in elements. Column-major: the same with columns.
enum class Layout { row, column };

// The function that is applied to an element before it is stored. gelu is the exact one, with erf.
enum class Activation { none, relu, gelu, silu };

template <class Pointer>
struct Matrix {
  Pointer data = nullptr;
  Layout layout = Layout::row;
  long long leading = 0;  // at least the length of a row (of a column)
  // In elements. 0 uses one A or B for all products of a batch. Matrices C lie one after another,
  // or side by side within a leading dimension.
  long long batch_stride = 0;
};

// clang-format off
// C = activation(alpha * A * B + beta * C + bias), `batches` times, in device memory: A is m x k,
// B is k x n, C is m x n. Matrices and the bias are aligned to the size of their elements. C shares
// no element with A, B or the bias; rows of one may lie between rows of another.
//
// input       output          type of alpha, beta and sums
// f32         f32             f32; with allow_tf32, tensor cores keep 10 fraction bits of A and B
// f64         f64             f64
// f16         f16, f32        f32
// bf16        bf16, f32       f32
// e4m3, e5m2  f32, f16, bf16  f32
// s8          s32             s32: integers; sums wrap around; no gelu, no silu
//
// With beta = 0, C is written without being read, so it may contain anything, including NaN. If k
// is 0, or alpha is 0 after conversion to its type, A and B are not read and may be null:
// C = activation(beta * C + bias).
// clang-format on
struct Problem {
  int m = 0;
  int n = 0;
  int k = 0;
  int batches = 1;
  Type input = Type::f32;
  Type output = Type::f32;
  bool allow_tf32 = false;
  Matrix<const void*> a;
  Matrix<const void*> b;
  Matrix<void*> c;
  double alpha = 1;
  double beta = 0;
  const void* bias = nullptr;  // n elements of the output's type, one per column of C; or null
  Activation activation = Activation::none;
};

// Reports whether the product reads A and B, unless k is 0.
inline bool reads_operands(const Problem& p) {
  return p.input == Type::f64 ? p.alpha != 0 : static_cast<float>(p.alpha) != 0;
}

// Returns the size of an element in bytes.
constexpr int bytes_of(Type type) {
  switch (type) {
    case Type::f64:
      return 8;
    case Type::f32:
    case Type::s32:
      return 4;
    case Type::f16:
    case Type::bf16:
      return 2;
    default:
      return 1;
  }
}

const char* name(Type type);

// The maximum of m, n and k.
constexpr int max_extent = 2147483647 - 256;
// The maximum number of elements from the first of a matrix to its last, including gaps.
constexpr long long max_elements = 1ll << 48;

// Returns why `problem` is invalid, or an empty string.
std::string validate(const Problem& problem);
// Returns why the extents of `problem` are invalid, or an empty string. Ignores its matrices.
std::string validate_extents(const Problem& problem);
// Returns why `problem` is invalid, or an empty string. Ignores A: for products that store A in
// another format.
std::string validate_except_a(const Problem& problem);

}  // namespace archgrid::gemm
