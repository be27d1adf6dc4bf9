// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "gemm/problem.h"

#include <cmath>
#include <cstdint>
#include <limits>

namespace archgrid::gemm {
namespace {

bool go_together(Type input, Type output) {
  switch (input) {
    case Type::f32:
      return output == Type::f32;
    case Type::f64:
      return output == Type::f64;
    case Type::f16:
      return output == Type::f16 || output == Type::f32;
    case Type::bf16:
      return output == Type::bf16 || output == Type::f32;
    case Type::e4m3:
    case Type::e5m2:
      return output == Type::f32 || output == Type::f16 || output == Type::bf16;
    case Type::s8:
      return output == Type::s32;
    default:
      return false;
  }
}

bool is_multiple(const void* address, int bytes) {
  return reinterpret_cast<std::uintptr_t>(address) % static_cast<std::uintptr_t>(bytes) == 0;
}

template <class Pointer>
std::string mistake_in(const char* what, const Matrix<Pointer>& matrix, Type type, long long rows,
                       long long columns, int batches) {
  const bool is_row_major = matrix.layout == Layout::row;
  const long long least = is_row_major ? columns : rows;
  const std::string matrix_name = what;
  if (matrix.leading < least) {
    return matrix_name + "'s leading dimension is " + std::to_string(matrix.leading) +
           ", and its " + (is_row_major ? "rows" : "columns") + " have " + std::to_string(least) +
           " elements";
  }
  if (matrix.batch_stride < 0) return matrix_name + "'s batch stride is negative";
  const bool has_elements = rows > 0 && columns > 0 && batches > 0;
  if (has_elements && matrix.data == nullptr) return matrix_name + " is a null pointer";
  if (!is_multiple(matrix.data, bytes_of(type))) {
    return matrix_name + " does not begin at a multiple of its elements' size";
  }
  return "";
}

bool is_whole_number(double value) {
  return value == std::floor(value) && std::abs(value) <= std::numeric_limits<int>::max();
}

// Products that share elements of C would write them at the same time.
std::string mistake_in_batch(const Problem& p) {
  constexpr long long most_elements = 1ll << 48;
  long long elements = 0;
  if (__builtin_mul_overflow(1ll * p.m * p.n, 1ll * p.batches, &elements) ||
      elements > most_elements) {
    return "C has more elements than any device has room for";
  }
  const bool is_row_major = p.c.layout == Layout::row;
  const long long lines = is_row_major ? p.m : p.n;
  const long long length = is_row_major ? p.n : p.m;
  if (p.batches > 1 && elements > 0 && p.c.batch_stride < (lines - 1) * p.c.leading + length) {
    return "C's batch stride lets the products of the batch overlap";
  }
  return "";
}

std::string mistake_in_numbers(const Problem& p) {
  if (p.bias != nullptr && !is_multiple(p.bias, bytes_of(p.output))) {
    return "the bias does not begin at a multiple of its elements' size";
  }
  if (p.input != Type::s8) return "";
  if (!is_whole_number(p.alpha) || !is_whole_number(p.beta)) {
    return "alpha and beta of a product of s8 are whole numbers of 32 bits";
  }
  if (p.activation != Activation::none && p.activation != Activation::relu) {
    return "a product of s8 has no activation but relu";
  }
  return "";
}

}  // namespace

const char* name(Type type) {
  switch (type) {
    case Type::f32:
      return "f32";
    case Type::f64:
      return "f64";
    case Type::f16:
      return "f16";
    case Type::bf16:
      return "bf16";
    case Type::e4m3:
      return "e4m3";
    case Type::e5m2:
      return "e5m2";
    case Type::s8:
      return "s8";
    case Type::s32:
      return "s32";
  }
  return "unknown";
}

std::string mistake_in(const Problem& p) {
  constexpr int largest_extent = std::numeric_limits<int>::max() - 256;
  if (p.m < 0 || p.n < 0 || p.k < 0 || p.batches < 0) return "m, n, k and batches are not negative";
  if (p.m > largest_extent || p.n > largest_extent || p.k > largest_extent) {
    return "m, n and k are at most " + std::to_string(largest_extent);
  }
  if (!go_together(p.input, p.output)) {
    return std::string("products of ") + name(p.input) + " are not stored as " + name(p.output);
  }
  for (const std::string& mistake : {mistake_in("A", p.a, p.input, p.m, p.k, p.batches),
                                     mistake_in("B", p.b, p.input, p.k, p.n, p.batches),
                                     mistake_in("C", p.c, p.output, p.m, p.n, p.batches),
                                     mistake_in_batch(p), mistake_in_numbers(p)}) {
    if (!mistake.empty()) return mistake;
  }
  return "";
}

}  // namespace archgrid::gemm
