// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "gemm/problem.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <utility>

#include "gemm/footprint.h"

namespace archgrid::gemm {
namespace {

bool is_supported(Type input, Type output) {
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

std::string validate_alignment(const std::string& what, const void* address, int bytes) {
  if (is_multiple(address, bytes)) return "";
  return what + " does not begin at a multiple of " + std::to_string(bytes) + " bytes";
}

// The extents of a matrix in memory: rows and columns if it is row-major, columns and rows
// otherwise. The elements of the inner dimension are contiguous.
struct StorageExtents {
  long long outer;
  long long inner;
};
StorageExtents storage_extents(Layout layout, long long rows, long long columns) {
  return layout == Layout::row ? StorageExtents{rows, columns} : StorageExtents{columns, rows};
}

// Returns the footprint of a matrix that satisfies has_room(). Leaves out the pitch of a single
// row and the stride of a single batch, which may be any number.
template <class Pointer>
Footprint footprint_of(const Matrix<Pointer>& matrix, Type type, int rows, int columns,
                       int batches) {
  if (rows == 0 || columns == 0 || batches == 0) return {};
  const long long bytes = bytes_of(type);
  const StorageExtents extents = storage_extents(matrix.layout, rows, columns);
  Footprint found{matrix.data, extents.inner * bytes, extents.outer};
  if (extents.outer > 1) found.pitch = matrix.leading * bytes;
  if (batches > 1) found.batch_stride = matrix.batch_stride * bytes;
  found.batches = batches;
  return found;
}

// Reports whether the span from a matrix's first element to the last one of its batch is at most
// max_elements.
template <class Pointer>
bool has_room(const Matrix<Pointer>& matrix, const StorageExtents& extents, int batches) {
  long long to_last_outer = 0;
  long long to_last_batch = 0;
  long long span = 0;
  return !__builtin_mul_overflow(extents.outer - 1, matrix.leading, &to_last_outer) &&
         !__builtin_mul_overflow(batches - 1ll, matrix.batch_stride, &to_last_batch) &&
         !__builtin_add_overflow(to_last_outer, to_last_batch, &span) &&
         span <= max_elements - extents.inner;
}

template <class Pointer>
std::string validate(const std::string& what, const Matrix<Pointer>& matrix, Type type, int rows,
                     int columns, int batches) {
  const StorageExtents extents = storage_extents(matrix.layout, rows, columns);
  if (matrix.leading < extents.inner) {
    return what + "'s leading dimension is " + std::to_string(matrix.leading) + ", and its " +
           (matrix.layout == Layout::row ? "rows" : "columns") + " have " +
           std::to_string(extents.inner) + " elements";
  }
  if (matrix.batch_stride < 0) {
    return what + "'s batch stride is " + std::to_string(matrix.batch_stride) +
           ", and cannot be negative";
  }
  const bool has_elements = rows > 0 && columns > 0 && batches > 0;
  if (has_elements && matrix.data == nullptr) return what + " is a null pointer";
  if (has_elements && !has_room(matrix, extents, batches)) {
    return what + "'s leading dimension is " + std::to_string(matrix.leading) +
           " and its batch stride " + std::to_string(matrix.batch_stride) +
           ": it has more elements than any device has room for";
  }
  return validate_alignment(what, matrix.data, bytes_of(type));
}

bool is_whole_number(double value) {
  return value == std::floor(value) && std::abs(value) <= std::numeric_limits<int>::max();
}

std::string text_of(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

// Returns an error message if products of a batch share elements of C, which they would write at
// the same time.
std::string validate_batch(const Problem& p) {
  if (p.batches < 2 || p.m == 0 || p.n == 0) return "";
  const StorageExtents extents = storage_extents(p.c.layout, p.m, p.n);
  const long long span = (extents.outer - 1) * p.c.leading + extents.inner;
  const long long stride = p.c.batch_stride;
  if (stride >= span) return "";
  // Side by side within a leading dimension, as the heads of a token are.
  const long long row_of_batch = (p.batches - 1) * stride + extents.inner;
  if (stride >= extents.inner && row_of_batch <= p.c.leading) return "";
  return "C's batch stride is " + std::to_string(stride) + ": " + std::to_string(p.batches) +
         " products of " + std::to_string(span) +
         " elements lie neither one behind another, nor side by side within its leading "
         "dimension of " +
         std::to_string(p.c.leading);
}

std::string validate_scalars(const Problem& p) {
  if (p.input != Type::s8) return "";
  for (const auto& [name_of_it, value] : {std::pair{"alpha", p.alpha}, {"beta", p.beta}}) {
    if (!is_whole_number(value)) {
      return std::string(name_of_it) + " is " + text_of(value) +
             ", and those of a product of s8 are whole numbers of 32 bits";
    }
  }
  if (p.activation != Activation::none && p.activation != Activation::relu) {
    return "a product of s8 has no activation but relu";
  }
  return "";
}

std::string validate_extent(const char* what, int extent, int max) {
  if (extent < 0)
    return std::string(what) + " is " + std::to_string(extent) + ", and cannot be negative";
  if (extent <= max) return "";
  return std::string(what) + " is " + std::to_string(extent) + ", and at most " +
         std::to_string(max) + " is taken";
}

// Returns an error message if C shares memory with an input.
std::string validate_disjoint(const Problem& p, bool has_a) {
  const bool reads = reads_operands(p);
  const Footprint c = footprint_of(p.c, p.output, p.m, p.n, p.batches);
  std::string reason;
  if (has_a && reads)
    reason = validate_disjoint("C", c, "A", footprint_of(p.a, p.input, p.m, p.k, p.batches));
  if (reason.empty() && reads)
    reason = validate_disjoint("C", c, "B", footprint_of(p.b, p.input, p.k, p.n, p.batches));
  const long long bytes = bytes_of(p.output);
  if (reason.empty()) reason = validate_disjoint("C", c, "the bias", {p.bias, p.n * bytes});
  return reason;
}

std::string validate_problem(const Problem& p, bool has_a) {
  std::string reason = validate_extents(p);
  if (!reason.empty()) return reason;
  if (!is_supported(p.input, p.output)) {
    return std::string("products of ") + name(p.input) + " are not stored as " + name(p.output);
  }
  const bool reads = reads_operands(p);
  if (has_a && reads) reason = validate("A", p.a, p.input, p.m, p.k, p.batches);
  if (reason.empty() && reads) reason = validate("B", p.b, p.input, p.k, p.n, p.batches);
  if (reason.empty()) reason = validate("C", p.c, p.output, p.m, p.n, p.batches);
  if (reason.empty()) reason = validate_batch(p);
  if (reason.empty()) reason = validate_alignment("the bias", p.bias, bytes_of(p.output));
  if (reason.empty()) reason = validate_scalars(p);
  return reason.empty() ? validate_disjoint(p, has_a) : reason;
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

std::string validate_extents(const Problem& p) {
  constexpr int max_batches = std::numeric_limits<int>::max();
  for (const std::string& reason :
       {validate_extent("m", p.m, max_extent), validate_extent("n", p.n, max_extent),
        validate_extent("k", p.k, max_extent),
        validate_extent("batches", p.batches, max_batches)}) {
    if (!reason.empty()) return reason;
  }
  long long elements = 0;
  if (!__builtin_mul_overflow(1ll * p.m * p.n, 1ll * p.batches, &elements) &&
      elements <= max_elements)
    return "";
  return "C is " + std::to_string(p.m) + " x " + std::to_string(p.n) + ", " +
         std::to_string(p.batches) + " times: it has more elements than any device has room for";
}

std::string validate(const Problem& p) {
  return validate_problem(p, true);
}

std::string validate_except_a(const Problem& p) {
  return validate_problem(p, false);
}

}  // namespace archgrid::gemm
