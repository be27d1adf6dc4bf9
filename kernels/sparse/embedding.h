// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Pooled embedding lookups: for each bag of indices the sum, or the mean, of the rows that they
// name.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "sparse/bucketize.h"

namespace archgrid::sparse {

enum class Pooling { sum, mean };

// All pointers are to device memory. Of F features, B bags in all and N indices:
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
  const float* weights = nullptr;        // [N], or null: by which rows are multiplied
  const float* const* tables = nullptr;  // [F]: [rows][width] each
  const std::int64_t* rows = nullptr;    // [F]; indices beyond them add nothing
  float* pooled = nullptr;               // [B][width]; zeros for an empty bag
};

// Why `problem` is none, as far as the host sees; empty if it is one.
std::string mistake_in(const EmbeddingLookup& problem);

// Finds what is wrong with the lengths, if anything is, and says where first. Any index is right.
// Everything else is as check() of bucketize.h has it.
cudaError_t check(const EmbeddingLookup& problem, void* workspace, std::size_t workspace_bytes,
                  std::string* mistake, cudaStream_t stream);

// Device memory, in bytes, that the lookup needs; it begins at a multiple of 8 bytes. 0 for
// a number of features, bags or indices that is not taken.
std::size_t workspace_bytes(const EmbeddingLookup& problem);

// Begins the lookup. The lengths must add up to `count`: what they say is not looked at here. Rows
// are added up in the order of the indices, in single precision: the result is the same, bit for
// bit, each time. The mean is over the bag's length. Returns cudaErrorInvalidValue where there is a
// mistake_in() the problem and the workspace, else the error of a launch.
cudaError_t look_up(const EmbeddingLookup& problem, void* workspace, std::size_t workspace_bytes,
                    cudaStream_t stream);
// Returns why look_up() does not take the problem with a workspace of so many bytes, as far as the
// host sees, or an empty string.
std::string mistake_in(const EmbeddingLookup& problem, const void* workspace,
                       std::size_t workspace_bytes);

}  // namespace archgrid::sparse
