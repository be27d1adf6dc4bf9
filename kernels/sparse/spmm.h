// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Products of a sparse matrix and a dense matrix on a GPU: C = alpha * A * B + beta * C.
#pragma once

#include "gemm/problem.h"
#include "sparse/spmv.h"

namespace archgrid::sparse {

using gemm::Layout;

// A dense matrix in device memory. Adjacent rows (of a column-major one: columns) are `leading`
// elements apart.
template <class Pointer>
struct Dense {
  Pointer data = nullptr;
  Layout layout = Layout::row;
  std::int64_t leading = 0;
};

// A product. B has a.columns x n elements of a.type, C has a.rows x n of sum_of(a.type). C shares
// no element with B or A; rows of one may lie between rows of another. With beta = 0, C is
// written without being read. Without entries, B is not read and may be null. If alpha is 0 after
// conversion to the type of the sums, C = beta * C: B and the arrays of A are not read and may be
// null.
struct Spmm {
  CsrOnDevice a;
  std::int64_t n = 0;
  double alpha = 1;
  Dense<const void*> b;
  double beta = 0;
  Dense<void*> c;
};

// Returns why `problem` is invalid (host-side checks only), or an empty string.
std::string validate(const Spmm& problem);
// Returns why the extents of `problem` are invalid, or an empty string. Ignores its arrays and
// matrices.
std::string validate_extents(const Spmm& problem);

struct SpmmVariant {
  const char* name;
  // Returns the device memory that the variant needs, in bytes; it must be aligned to 8 bytes.
  // Returns 0 if the extents are invalid (validate_extents()), or if C has no elements. Ignores
  // alpha and beta.
  std::size_t (*workspace_bytes)(const Spmm&);
  // Launches the product. Every variant supports all layouts. The result is bitwise reproducible.
  // Returns cudaErrorInvalidValue if the problem or the workspace is invalid, otherwise the error
  // of a launch.
  cudaError_t (*launch)(const Spmm&, void* workspace, std::size_t workspace_bytes, cudaStream_t);
};

// Returns why `variant` refuses the problem or the workspace (host-side checks only), or an empty
// string. Any workspace is valid for a variant that needs none.
std::string validate(const SpmmVariant& variant, const Spmm& problem, const void* workspace,
                     std::size_t workspace_bytes);

const std::vector<SpmmVariant>& spmm_variants();
// Returns the variant with that name, or null.
const SpmmVariant* find_spmm_variant(const std::string& name);

struct SpmmChoice {
  const SpmmVariant* variant = nullptr;
  std::string reason;
};

// Picks a variant by the lengths of rows, the layout of B and its number of columns, and says why.
// `variant` is null if the arguments are invalid; `reason` then says why.
SpmmChoice choose(const RowStatistics& rows, Layout b, std::int64_t n);

}  // namespace archgrid::sparse
