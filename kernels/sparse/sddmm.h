// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Sampled products of dense matrices (SDDMM) on a GPU: only the elements at the entries of a sparse
// matrix are computed.
#pragma once

#include "sparse/spmm.h"

namespace archgrid::sparse {

// A product: value[i] = alpha * (row of entry i of A) * (column of entry i of B) + beta * value[i].
// A has rows x k, B has k x columns elements of `type`. Values are of sum_of(type), and share no
// memory with A, B or the pattern. With beta = 0, values are written without being read. Without
// entries, A and B are not read and may be null. If k is 0, alpha does not matter. If alpha is 0
// after conversion to the type of the sums, values are multiplied by beta: A, B and the pattern's
// arrays are not read and may be null.
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

// Returns why `problem` is invalid (host-side checks only), or an empty string.
std::string validate(const Sddmm& problem);

struct SddmmVariant {
  const char* name;
  // Launches the product. Every variant supports all layouts. The result is bitwise reproducible.
  // Returns cudaErrorInvalidValue if the problem is invalid, otherwise the error of a launch.
  cudaError_t (*launch)(const Sddmm&, cudaStream_t);
};

const std::vector<SddmmVariant>& sddmm_variants();
// Returns the variant with that name, or null.
const SddmmVariant* find_sddmm_variant(const std::string& name);

struct SddmmChoice {
  const SddmmVariant* variant = nullptr;
  std::string reason;
};

// Picks a variant for the layouts of A and B, and says why.
SddmmChoice choose(Layout a, Layout b);

}  // namespace archgrid::sparse
