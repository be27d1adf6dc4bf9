// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Products of a matrix of dense blocks with a dense one on a GPU: C = alpha * A * B + beta * C.
#pragma once

#include "sparse/formats.h"
#include "sparse/spmm.h"

namespace archgrid::sparse {

// A matrix of blocks in compressed rows, in device memory: block i of block row r, for offsets[r]
// <= i < offsets[r + 1], is at block column column[i], and has its values row by row from i times
// their number on. What lies beyond the matrix in the last blocks is zero. What the arrays say is
// not looked at: check() does.
struct BsrOnDevice {
  std::int64_t rows = 0;     // of elements
  std::int64_t columns = 0;  // of elements
  int block_rows = 1;        // of a block, at most most_of_block
  int block_columns = 1;
  std::int64_t blocks = 0;
  Integer index_type = Integer::i32;  // of offsets and columns
  const void* offsets = nullptr;      // [block rows + 1]
  const void* column = nullptr;       // [blocks]
  Number type = Number::f32;
  const void* value = nullptr;  // [blocks][block_rows][block_columns]
};

// B has a.columns x n elements of a.type, C has a.rows x n of sum_of(a.type). C shares no element
// with B or A; the lines of one may lie between those of another. With beta = 0, C is written
// without being read. Without blocks B is not looked at, and may be null. With alpha = 0 in the
// type of the sums, neither B nor A's arrays are looked at: C = beta * C, whatever they hold, and
// they may be null. Rows of blocks are not cut: one much longer than the others is waited for.
struct Bsrmm {
  BsrOnDevice a;
  std::int64_t n = 0;
  double alpha = 1;
  Dense<const void*> b;
  double beta = 0;
  Dense<void*> c;
};

// Why `problem` is none, as far as the host sees; empty if it is one.
std::string mistake_in(const Bsrmm& problem);

struct BsrmmVariant {
  const char* name;
  // Why it does not take a problem; empty if it does.
  std::string (*refuses)(const Bsrmm&);
  // Begins the product. The same result each time, bit for bit. Returns cudaErrorInvalidValue where
  // there is a mistake_in() the problem, or it does not take it; else the error of a launch. Null
  // where this build left the variant out.
  cudaError_t (*launch)(const Bsrmm&, cudaStream_t);
  // cudaSuccess where the current device can run it.
  cudaError_t (*is_loadable)();
};

const std::vector<BsrmmVariant>& bsrmm_variants();
// The one of that name; null if there is none.
const BsrmmVariant* find_bsrmm_variant(const std::string& name);

struct BsrmmChoice {
  const BsrmmVariant* variant = nullptr;
  std::string reason;
};

// Picks for a device of that number, as 80 for 8.0, of the variants that `has` says are in the
// binary for it, the first that takes the problem; and says why not those before it. `variant` is
// null where none does, or there is a mistake_in() the problem, which `reason` then is.
BsrmmChoice choose(const Bsrmm& problem, int device, bool (*has)(const BsrmmVariant&));
// The same for the current device and this binary.
BsrmmChoice choose(const Bsrmm& problem);

}  // namespace archgrid::sparse
