// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Products of a sparse matrix with a vector on a GPU: y = alpha * A * x + beta * y.
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
// What products are added up in, and y is: f64 for f64, else f32.
constexpr Number sum_of(Number type) {
  return type == Number::f64 ? Number::f64 : Number::f32;
}

// A matrix in compressed sparse rows, in device memory: entry i of row r, for offsets[r] <= i <
// offsets[r + 1], is value[i] at column[i]. Rows may be empty and of any length; entries of a row
// need no order. What the arrays say is not looked at: check() does, and wants entries in order,
// each column once.
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

// x has a.columns elements of a.type, y has a.rows of sum_of(a.type), both in device memory. y
// shares no memory with x or the matrix. With beta = 0, y is written without being read, so that it
// may hold anything, NaN included. Without entries x is not looked at, and may be null. With
// alpha = 0 in the type of the sums, neither x nor the matrix's arrays are looked at: y = beta * y,
// whatever they hold, and they may be null.
struct Spmv {
  CsrOnDevice a;
  double alpha = 1;
  const void* x = nullptr;
  double beta = 0;
  void* y = nullptr;
};

// Why `problem` is none, as far as the host sees; empty if it is one.
std::string mistake_in(const Spmv& problem);
// The same as far as the extents of its matrix tell, whatever its arrays are.
std::string mistake_in_extents(const CsrOnDevice& matrix);

struct SpmvVariant {
  const char* name;
  // Device memory that it needs, in bytes; it begins at a multiple of 8. 0 where there is a
  // mistake_in_extents(). Alpha and beta do not matter.
  std::size_t (*workspace_bytes)(const Spmv&);
  // Begins the product. The same result each time, bit for bit. Returns cudaErrorInvalidValue where
  // there is a mistake_in() the variant, the problem and the workspace; else the error of a launch.
  cudaError_t (*launch)(const Spmv&, void* workspace, std::size_t workspace_bytes, cudaStream_t);
};

// Returns why `variant` does not take the problem with a workspace of so many bytes, as far as the
// host sees, or an empty string. A variant that needs none takes any workspace.
std::string mistake_in(const SpmvVariant& variant, const Spmv& problem, const void* workspace,
                       std::size_t workspace_bytes);

const std::vector<SpmvVariant>& spmv_variants();
// The one of that name; null if there is none.
const SpmvVariant* find_spmv_variant(const std::string& name);

// What the rows of a matrix are like.
struct RowStatistics {
  std::int64_t rows = 0;
  std::int64_t entries = 0;
  std::int64_t longest = 0;
  std::int64_t empty = 0;
};

// Looks at the offsets, and waits for the stream. `workspace` is measure_rows_bytes of device
// memory, or more, at a multiple of 8. Returns cudaErrorInvalidValue where there is a mistake_in()
// what it is given, else the error of what it calls.
cudaError_t measure_rows(const CsrOnDevice& matrix, void* workspace, std::size_t workspace_bytes,
                         RowStatistics* rows, cudaStream_t stream);
constexpr std::size_t measure_rows_bytes = 16;
// Why measure_rows() does not take those, of whose column and value it reads nothing; empty if it
// does.
std::string mistake_in(const CsrOnDevice& matrix, const void* workspace,
                       std::size_t workspace_bytes);

struct SpmvChoice {
  const SpmvVariant* variant = nullptr;
  std::string reason;
};

// Picks by what the rows are like, and says why. `variant` is null for statistics that are none,
// and `reason` then says why they are.
SpmvChoice choose(const RowStatistics& rows);
// Why statistics are none; empty if they are some.
std::string mistake_in(const RowStatistics& rows);

}  // namespace archgrid::sparse
