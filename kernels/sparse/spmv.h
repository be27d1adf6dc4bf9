// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Products of a sparse matrix and a vector on a GPU: y = alpha * A * x + beta * y.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>
#include <vector>

#include "sparse/integers.h"

namespace archgrid::sparse {

enum class Number { f16, f32, f64 };

constexpr int bytes_of(Number type) {
  return type == Number::f16 ? 2 : type == Number::f32 ? 4 : 8;
}
// Returns the type of sums and of y: f64 for f64, otherwise f32.
constexpr Number sum_of(Number type) {
  return type == Number::f64 ? Number::f64 : Number::f32;
}

// A matrix in compressed sparse rows, in device memory: entry i of row r, for offsets[r] <= i <
// offsets[r + 1], is value[i] at column[i]. Rows may be empty and of any length. Entries of a row
// may be in any order. check() validates the contents of the arrays, and requires ordered entries,
// each column once; products do not.
struct CsrOnDevice {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t entries = 0;
  Integer index_type = Integer::i32;  // of offsets and columns
  const void* offsets = nullptr;      // [rows + 1]
  const void* column = nullptr;       // [entries]
  Number type = Number::f32;
  const void* value = nullptr;  // [entries]
};

// A product. x has a.columns elements of a.type, y has a.rows of sum_of(a.type), both in device
// memory. y shares no memory with x or the matrix. With beta = 0, y is written without being read,
// so it may contain anything, including NaN. Without entries, x is not read and may be null. If
// alpha is 0 after conversion to the type of the sums, y = beta * y: x and the arrays of the matrix
// are not read and may be null.
struct Spmv {
  CsrOnDevice a;
  double alpha = 1;
  const void* x = nullptr;
  double beta = 0;
  void* y = nullptr;
};

// Returns why `problem` is invalid (host-side checks only), or an empty string.
std::string validate(const Spmv& problem);
// Returns why the extents of `matrix` are invalid, or an empty string. Ignores its arrays.
std::string validate_extents(const CsrOnDevice& matrix);

struct SpmvVariant {
  const char* name;
  // Returns the device memory that the variant needs, in bytes, or 0 if the extents are invalid
  // (validate_extents()). The memory must be aligned to 8 bytes. Ignores alpha and beta.
  std::size_t (*workspace_bytes)(const Spmv&);
  // Launches the product. The result is bitwise reproducible. Returns cudaErrorInvalidValue if the
  // problem or the workspace is invalid, otherwise the error of a launch.
  cudaError_t (*launch)(const Spmv&, void* workspace, std::size_t workspace_bytes, cudaStream_t);
};

// Returns why `variant` refuses the problem or the workspace (host-side checks only), or an empty
// string. Any workspace is valid for a variant that needs none.
std::string validate(const SpmvVariant& variant, const Spmv& problem, const void* workspace,
                     std::size_t workspace_bytes);

const std::vector<SpmvVariant>& spmv_variants();
// Returns the variant with that name, or null.
const SpmvVariant* find_spmv_variant(const std::string& name);

// Statistics of the rows of a matrix. `longest` is in entries.
struct RowStatistics {
  std::int64_t rows = 0;
  std::int64_t entries = 0;
  std::int64_t longest = 0;
  std::int64_t empty = 0;
};

// Computes the statistics from the offsets. Waits for the stream. `workspace` is at least
// measure_rows_bytes of device memory, aligned to 8 bytes. Returns cudaErrorInvalidValue if an
// argument is invalid, otherwise the error of the runtime.
cudaError_t measure_rows(const CsrOnDevice& matrix, void* workspace, std::size_t workspace_bytes,
                         RowStatistics* rows, cudaStream_t stream);
constexpr std::size_t measure_rows_bytes = 16;
// Returns why measure_rows() refuses its arguments, or an empty string. Ignores `column` and
// `value`, which it does not read.
std::string validate_measure_rows(const CsrOnDevice& matrix, const void* workspace,
                                  std::size_t workspace_bytes);

struct SpmvChoice {
  const SpmvVariant* variant = nullptr;
  std::string reason;
};

// Picks a variant by the lengths of rows, and says why. `variant` is null if the statistics are
// invalid; `reason` then says why.
SpmvChoice choose(const RowStatistics& rows);
// Returns why the statistics are invalid, or an empty string.
std::string validate(const RowStatistics& rows);

}  // namespace archgrid::sparse
