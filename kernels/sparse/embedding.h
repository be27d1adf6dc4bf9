// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Pooled embedding lookups: the sum or the mean of the table rows that each bag of indices selects.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "sparse/bucketize.h"

namespace archgrid::sparse {

enum class Pooling { sum, mean };

// A lookup with F features, B bags in all and N indices. All pointers are to device memory.
struct EmbeddingLookup {
  int features = 0;     // F
  int bags = 0;         // B, a multiple of F: those of feature 0, then those of feature 1, ...
  long long count = 0;  // N
  int width = 0;        // elements of a row, and of a bag's result
  Integer length_type = Integer::i64;
  Integer index_type = Integer::i64;
  Pooling pooling = Pooling::sum;

  const void* lengths = nullptr;         // [B]
  const void* indices = nullptr;         // [N]
  const float* weights = nullptr;        // [N], or null: factors of the rows
  const float* const* tables = nullptr;  // [F]: [rows][width] each
  const std::int64_t* rows = nullptr;    // [F]; indices beyond them add nothing
  float* pooled = nullptr;               // [B][width]; zeros for an empty bag
};

// Returns why `problem` is invalid (host-side checks only), or an empty string.
std::string validate(const EmbeddingLookup& problem);

// Validates the lengths. Any index is valid. Otherwise like check() of bucketize.h.
cudaError_t check(const EmbeddingLookup& problem, void* workspace, std::size_t workspace_bytes,
                  std::string* reason, cudaStream_t stream);

// Returns the device memory that the lookup needs, in bytes, or 0 if the number of features, bags
// or indices is invalid. The memory must be aligned to 8 bytes.
std::size_t workspace_bytes(const EmbeddingLookup& problem);

// Launches the lookup. The lengths must add up to `count`, which is not checked here. Rows are
// added up in the order of the indices, in single precision, so the result is bitwise reproducible.
// The mean divides by the bag's length. Returns cudaErrorInvalidValue if the problem or the
// workspace is invalid, otherwise the error of a launch.
cudaError_t look_up(const EmbeddingLookup& problem, void* workspace, std::size_t workspace_bytes,
                    cudaStream_t stream);
// Returns why look_up() refuses the problem or the workspace (host-side checks only), or an empty
// string.
std::string validate(const EmbeddingLookup& problem, const void* workspace,
                     std::size_t workspace_bytes);

}  // namespace archgrid::sparse
