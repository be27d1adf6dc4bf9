// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// What a matrix product is, in words that the host's and the device's compiler both read.
#pragma once

#include <cstddef>
#include <string>

namespace archgrid::gemm {

// The type of a matrix's elements.
enum class Type { f32, f64, f16, bf16, e4m3, e5m2, s8, s32 };

// Row-major: the elements of a row lie side by side, and a leading dimension is the distance of two
// rows in elements. Column-major: the same with columns.
enum class Layout { row, column };

// What is done to an element before it is stored. gelu is the exact one, with erf.
enum class Activation { none, relu, gelu, silu };

template <class Pointer>
struct Matrix {
  Pointer data = nullptr;
  Layout layout = Layout::row;
  long long leading = 0;  // at least the length of a row (of a column)
  // In elements. 0 uses one A or B for all products of a batch. Matrices C lie one behind another,
  // or side by side within a leading dimension.
  long long batch_stride = 0;
};

// clang-format off
// C = activation(alpha * A * B + beta * C + bias), `batches` times, in device memory: A is m x k,
// B is k x n, C is m x n. Matrices and the bias begin at multiples of their elements' size. C shares
// no element with A, B or the bias; the lines of one may lie between those of another.
//
// input       output          alpha and beta are of
// f32         f32             f32; with allow_tf32, tensor cores keep 10 bits of the fractions of A and B
// f64         f64             f64
// f16         f16, f32        f32
// bf16        bf16, f32       f32
// e4m3, e5m2  f32, f16, bf16  f32
// s8          s32             s32: whole numbers; sums wrap around; no gelu, no silu
//
// Sums are kept in what alpha and beta are of. With beta = 0, C is written without being read, so that
// it may hold anything, NaN included. With alpha = 0 in the type that it is of, A and B are not looked
// at: C = activation(beta * C + bias), whatever they hold, and they may be null. With k = 0 it is the
// same, whatever alpha is.
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
  const void* bias = nullptr;  // n elements of the output's type, one a column of C; or none
  Activation activation = Activation::none;
};

// Reports whether the product looks at A and B.
inline bool reads_operands(const Problem& p) {
  return p.input == Type::f64 ? p.alpha != 0 : static_cast<float>(p.alpha) != 0;
}

// The size of an element in bytes.
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

// The most that m, n and k may be.
constexpr int largest_extent = 2147483647 - 256;
// The most elements from the first of a matrix to its last, with all that lies between.
constexpr long long most_elements = 1ll << 48;

// Why `problem` is none; empty if it is one.
std::string mistake_in(const Problem& problem);
// The same as far as its extents tell, whatever its matrices are.
std::string mistake_in_extents(const Problem& problem);
// The same but for A, which is not looked at: for products whose A is kept in another way.
std::string mistake_beside_a(const Problem& problem);

}  // namespace archgrid::gemm
