// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Products of a sparse matrix with a dense one on a GPU: C = alpha * A * B + beta * C.
#pragma once

#include "gemm/problem.h"
#include "sparse/spmv.h"

namespace archgrid::sparse {

using gemm::Layout;

// A dense matrix in device memory. Neighbours across its contiguous direction are `leading`
// elements apart.
template <class Pointer>
struct Dense {
  Pointer data = nullptr;
  Layout layout = Layout::row;
  std::int64_t leading = 0;
};

// B has a.columns x n elements of a.type, C has a.rows x n of sum_of(a.type). C shares no element
// with B or A; the lines of one may lie between those of another. With beta = 0, C is written
// without being read. Without entries B is not looked at, and may be null. With alpha = 0 in the
// type of the sums, neither B nor A's arrays are looked at: C = beta * C, whatever they hold, and
// they may be null.
struct Spmm {
  CsrOnDevice a;
  std::int64_t n = 0;
  double alpha = 1;
  Dense<const void*> b;
  double beta = 0;
  Dense<void*> c;
};

// Why `problem` is none, as far as the host sees; empty if it is one.
std::string mistake_in(const Spmm& problem);
// The same as far as its extents tell, whatever its arrays and matrices are.
std::string mistake_in_extents(const Spmm& problem);

struct SpmmVariant {
  const char* name;
  // Device memory that it needs, in bytes; it begins at a multiple of 8. 0 where there is a
  // mistake_in_extents(), and where C has no element. Alpha and beta do not matter.
  std::size_t (*workspace_bytes)(const Spmm&);
  // Begins the product; any variant takes any layouts. The same result each time, bit for bit.
  // Returns cudaErrorInvalidValue where there is a mistake_in() the variant, the problem and the
  // workspace; else the error of a launch.
  cudaError_t (*launch)(const Spmm&, void* workspace, std::size_t workspace_bytes, cudaStream_t);
};

// Returns why `variant` does not take the problem with a workspace of so many bytes, as far as the
// host sees, or an empty string. A variant that needs none takes any workspace.
std::string mistake_in(const SpmmVariant& variant, const Spmm& problem, const void* workspace,
                       std::size_t workspace_bytes);

const std::vector<SpmmVariant>& spmm_variants();
// The one of that name; null if there is none.
const SpmmVariant* find_spmm_variant(const std::string& name);

struct SpmmChoice {
  const SpmmVariant* variant = nullptr;
  std::string reason;
};

// Picks by what the rows are like and how B lies, and says why. `variant` is null where there is a
// mistake_in() the statistics, which `reason` then is.
SpmmChoice choose(const RowStatistics& rows, Layout b);

}  // namespace archgrid::sparse
