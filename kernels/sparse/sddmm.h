// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Some elements of a product of dense matrices on a GPU: those that a sparse matrix has.
#pragma once

#include "sparse/spmm.h"

namespace archgrid::sparse {

// value[i] = alpha * (row of entry i of A) * (column of entry i of B) + beta * value[i], with A of
// rows x k and B of k x columns elements of `type`, and values of sum_of(type), which share no
// memory with A, B or the pattern. With beta = 0, values are written without being read. Without
// entries A and B are not looked at, and may be null. Where k is 0, alpha does not matter. With
// alpha = 0 in the type of the sums, neither A and B nor the pattern's arrays are looked at: values
// are multiplied by beta, whatever those hold, and they may be null.
struct Sddmm {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t entries = 0;
  std::int64_t k = 0;
  Integer index_type = Integer::i32;
  const void* offsets = nullptr;  // [rows + 1]
  const void* column = nullptr;   // [entries]
  Number type = Number::f32;
  double alpha = 1;
  Dense<const void*> a;
  Dense<const void*> b;
  double beta = 0;
  void* value = nullptr;  // [entries]
};

// Why `problem` is none, as far as the host sees; empty if it is one.
std::string mistake_in(const Sddmm& problem);

struct SddmmVariant {
  const char* name;
  // Begins the product; any variant takes any layouts. The same result each time, bit for bit.
  // Returns cudaErrorInvalidValue where there is a mistake_in() the problem; else the error of a
  // launch.
  cudaError_t (*launch)(const Sddmm&, cudaStream_t);
};

const std::vector<SddmmVariant>& sddmm_variants();
// The one of that name; null if there is none.
const SddmmVariant* find_sddmm_variant(const std::string& name);

struct SddmmChoice {
  const SddmmVariant* variant = nullptr;
  std::string reason;
};

// Picks by how A and B lie, and says why.
SddmmChoice choose(Layout a, Layout b);

}  // namespace archgrid::sparse
