// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/validate.h"

#include <cstdint>
#include <limits>

namespace archgrid::sparse {
namespace {

// Limits that fit every kernel's grid of 2^31 - 1 blocks with room to spare. Some kernels process
// only 8 rows per block, others only 64 entries.
constexpr std::int64_t max_rows = std::int64_t{1} << 33;
constexpr std::int64_t max_entries = std::int64_t{1} << 36;

// The extents of a matrix in memory: the elements of the inner dimension are contiguous.
struct StorageExtents {
  std::int64_t outer;
  std::int64_t inner;
};
StorageExtents storage_extents(Layout layout, std::int64_t rows, std::int64_t columns) {
  return layout == Layout::row ? StorageExtents{rows, columns} : StorageExtents{columns, rows};
}

// Reports whether the span from the first element to the last is at most gemm::max_elements.
bool has_room(const StorageExtents& extents, std::int64_t leading) {
  std::int64_t to_last_outer = 0;
  return extents.inner <= gemm::max_elements &&
         !__builtin_mul_overflow(extents.outer - 1, leading, &to_last_outer) &&
         to_last_outer <= gemm::max_elements - extents.inner;
}

std::string validate_alignment(const char* name, const void* data, std::size_t alignment) {
  if (reinterpret_cast<std::uintptr_t>(data) % alignment == 0) return "";
  return std::string(name) + " does not begin at a multiple of " + std::to_string(alignment) +
         (alignment == 1 ? " byte" : " bytes");
}

std::string validate_entries(const CsrOnDevice& a) {
  if (a.entries == 0 || (a.rows > 0 && a.columns > 0)) return "";
  return "entries is " + std::to_string(a.entries) + ", and there are no " +
         (a.rows == 0 ? "rows" : "columns");
}

}  // namespace

std::string first_of(std::initializer_list<std::string> reasons) {
  for (const std::string& reason : reasons) {
    if (!reason.empty()) return reason;
  }
  return "";
}

std::string validate_extent(const char* name, std::int64_t extent, std::int64_t max) {
  if (extent < 0)
    return std::string(name) + " is " + std::to_string(extent) + ", and cannot be negative";
  if (extent <= max) return "";
  return std::string(name) + " is " + std::to_string(extent) + ", and at most " +
         std::to_string(max) + " is taken";
}

std::string validate_count(const char* name, std::int64_t count, Integer type) {
  if (type == Integer::i64 || count <= INT32_MAX) return "";
  return std::string(name) + " is " + std::to_string(count) +
         ", which integers of 32 bits do not count: take those of 64";
}

std::string validate_features(int features, int bags, long long count) {
  constexpr std::int64_t max_int = std::numeric_limits<int>::max();
  return first_of({validate_extent("features", features, max_int),
                   validate_extent("bags", bags, max_int),
                   validate_extent("count", count, max_entries)});
}

std::string validate_array(const char* name, const void* data, std::int64_t elements,
                           std::size_t alignment) {
  if (elements == 0) return "";
  if (data == nullptr) return std::string(name) + " is a null pointer";
  return validate_alignment(name, data, alignment);
}

std::string validate_dense(const char* name, const Dense<const void*>& matrix, std::int64_t rows,
                           std::int64_t columns, int bytes) {
  const StorageExtents extents = storage_extents(matrix.layout, rows, columns);
  const std::string leading =
      std::string(name) + "'s leading dimension is " + std::to_string(matrix.leading);
  const char* const outer_name = matrix.layout == Layout::row ? "rows" : "columns";
  if (matrix.leading < extents.inner) {
    return leading + ", and its " + outer_name + " have " + std::to_string(extents.inner) +
           " elements";
  }
  const bool has_elements = rows > 0 && columns > 0;
  if (has_elements && matrix.data == nullptr) return std::string(name) + " is a null pointer";
  if (has_elements && !has_room(extents, matrix.leading)) {
    return leading + ", and it has " + std::to_string(extents.outer) + " " + outer_name +
           ": more than any device has room for";
  }
  return validate_alignment(name, matrix.data, static_cast<std::size_t>(bytes));
}

std::string validate_extents(const CsrOnDevice& a) {
  return first_of({validate_extent("rows", a.rows, max_rows),
                   validate_extent("columns", a.columns, gemm::max_elements),
                   validate_extent("entries", a.entries, max_entries),
                   validate_count("columns", a.columns, a.index_type),
                   validate_count("entries", a.entries, a.index_type), validate_entries(a)});
}

std::string validate_csr(const CsrOnDevice& a) {
  const std::string reason = validate_extents(a);
  if (!reason.empty()) return reason;
  const std::size_t bytes_of_index = bytes_of(a.index_type);
  return first_of(
      {validate_array("offsets", a.offsets, a.rows, bytes_of_index),
       validate_array("column", a.column, a.entries, bytes_of_index),
       validate_array("value", a.value, a.entries, static_cast<std::size_t>(bytes_of(a.type)))});
}

Footprint footprint_of(const void* data, std::int64_t elements, std::size_t bytes) {
  return {data, elements * static_cast<std::int64_t>(bytes)};
}

Footprint footprint_of(const Dense<const void*>& matrix, std::int64_t rows, std::int64_t columns,
                       int bytes) {
  if (rows == 0 || columns == 0) return {};
  const StorageExtents extents = storage_extents(matrix.layout, rows, columns);
  Footprint found{matrix.data, extents.inner * bytes, extents.outer};
  // A single row may have any leading dimension.
  if (extents.outer > 1) found.pitch = matrix.leading * bytes;
  return found;
}

std::string validate_disjoint(const char* written, const Footprint& to, const CsrOnDevice& from) {
  const std::size_t bytes_of_index = bytes_of(from.index_type);
  const std::int64_t offsets = from.rows == 0 ? 0 : from.rows + 1;
  return first_of({validate_disjoint(written, to, "offsets",
                                     footprint_of(from.offsets, offsets, bytes_of_index)),
                   validate_disjoint(written, to, "column",
                                     footprint_of(from.column, from.entries, bytes_of_index)),
                   validate_disjoint(written, to, "value",
                                     footprint_of(from.value, from.entries,
                                                  static_cast<std::size_t>(bytes_of(from.type))))});
}

}  // namespace archgrid::sparse
