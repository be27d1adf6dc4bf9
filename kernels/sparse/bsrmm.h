// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Products of a matrix of dense blocks (BSR) and a dense matrix on a GPU:
// C = alpha * A * B + beta * C.
#pragma once

#include "sparse/formats.h"
#include "sparse/spmm.h"

namespace archgrid::sparse {

// A matrix of blocks in compressed rows, in device memory. Block i of block row r, for offsets[r]
// <= i < offsets[r + 1], is at block column column[i]. Its values are stored row by row, beginning
// at i * block_rows * block_columns. Elements of the last blocks beyond the matrix are zero.
// check() validates the contents of the arrays; products do not.
struct BsrOnDevice {
  std::int64_t rows = 0;     // of elements
  std::int64_t columns = 0;  // of elements
  int block_rows = 1;        // rows of a block, at most max_block_extent
  int block_columns = 1;
  std::int64_t blocks = 0;
  Integer index_type = Integer::i32;  // of offsets and columns
  const void* offsets = nullptr;      // [block rows + 1]
  const void* column = nullptr;       // [blocks]
  Number type = Number::f32;
  const void* value = nullptr;  // [blocks][block_rows][block_columns]
};

// A product. B has a.columns x n elements of a.type, C has a.rows x n of sum_of(a.type). C shares
// no element with B or A; rows of one may lie between rows of another. With beta = 0, C is
// written without being read. Without blocks, B is not read and may be null. If alpha is 0 after
// conversion to the type of the sums, C = beta * C: B and the arrays of A are not read and may be
// null. A row of blocks is not split, so a row much longer than the others delays the product.
struct Bsrmm {
  BsrOnDevice a;
  std::int64_t n = 0;
  double alpha = 1;
  Dense<const void*> b;
  double beta = 0;
  Dense<void*> c;
};

// Returns why `problem` is invalid (host-side checks only), or an empty string.
std::string validate(const Bsrmm& problem);

struct BsrmmVariant {
  const char* name;
  // Returns why the variant does not support a problem, or an empty string.
  std::string (*validate)(const Bsrmm&);
  // Launches the product. The result is bitwise reproducible. Returns cudaErrorInvalidValue if the
  // problem is invalid or not supported, otherwise the error of a launch. Null if this build omits
  // the variant.
  cudaError_t (*launch)(const Bsrmm&, cudaStream_t);
  // Returns cudaSuccess if the current device can run it.
  cudaError_t (*is_loadable)();
};

const std::vector<BsrmmVariant>& bsrmm_variants();
// Returns the variant with that name, or null.
const BsrmmVariant* find_bsrmm_variant(const std::string& name);

struct BsrmmChoice {
  const BsrmmVariant* variant = nullptr;
  std::string reason;
};

// Picks the first variant that supports the problem, among those that the binary has for the device
// (80 for 8.0) according to `has`. `reason` says why earlier variants were skipped. `variant` is
// null if no variant supports the problem, or if the problem is invalid; `reason` then says why.
BsrmmChoice choose(const Bsrmm& problem, int device, bool (*has)(const BsrmmVariant&));
// Picks for the current device and the running binary.
BsrmmChoice choose(const Bsrmm& problem);

}  // namespace archgrid::sparse
