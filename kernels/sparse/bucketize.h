// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Distributes the indices of sparse features among the devices that hold their embedding tables.
// Recommenders know the operator as block_bucketize_sparse_features; the contract is FBGEMM's.
//
// A feature has bags of indices into its table. The table is cut into buckets, one per device. An
// index goes to the bucket that contains its row, and becomes relative to that bucket's first row.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "sparse/integers.h"

namespace archgrid::sparse {

// A problem with F features, B bags in all, N indices and W buckets. All pointers are to device
// memory.
struct Bucketize {
  int features = 0;     // F
  int bags = 0;         // B: those of feature 0, then those of feature 1, ...
  long long count = 0;  // N: of all bags, one after another
  int buckets = 1;      // W, at most max_buckets
  Integer length_type = Integer::i64;
  Integer index_type = Integer::i64;

  const void* lengths = nullptr;  // [B], length_type; their sum is N
  const void* indices = nullptr;  // [N], index_type, read as unsigned numbers
  // [F], index_type: rows of a block of the feature's table. 0: the indices are identifiers of any
  // size, which are distributed over the blocks round-robin.
  const void* block_sizes = nullptr;

  // Optional inputs: null if absent.
  const void* batch_sizes = nullptr;   // [F], length_type: bags of each feature; default: B / F
  const void* block_counts = nullptr;  // [F], index_type: blocks of each table; default: W.
                                       // Without block_bounds, multiples of W, in buckets of
                                       // equal size
  const void* block_bounds = nullptr;  // [F][W + 1], index_type: first rows of the buckets and the
                                       // table's end, nondecreasing from 0; default: equal blocks
  bool keeps_indices = false;          // indices stay as they are
  const bool* keeps_indices_of = nullptr;  // [F]: overrides keeps_indices
  const void* weights = nullptr;           // [N][weight_bytes], moved along with the indices
  int weight_bytes = 0;                    // size of an index's weights, a multiple of 4

  // Outputs. Bags are ordered by bucket; each bucket has the bags of all features in their order.
  // Within a bag, indices keep their order.
  void* new_lengths = nullptr;  // [W][B], length_type
  void* new_indices = nullptr;  // [N], index_type
  void* new_weights = nullptr;  // as weights
  void* positions = nullptr;    // [N], index_type, or null: each new index's position in its bag
  void* places = nullptr;       // [N], index_type, or null: each old index's place in new_indices
  void* bucket_of = nullptr;    // [N], index_type, or null: each old index's bucket
};

constexpr int max_buckets = 8192;

// Returns why `problem` is invalid (host-side checks only), or an empty string. check() validates
// the data.
std::string validate(const Bucketize& problem);
// Returns why the number of features, bags, indices or buckets is invalid by itself, or an empty
// string.
std::string validate_extents(const Bucketize& problem);

// Validates the data. Writes the first error of batch_sizes, lengths, block_counts and
// block_bounds, in that order, to `reason`, or an empty string. Any index is valid. Waits for the
// stream. Returns cudaErrorInvalidValue if the problem or the workspace is invalid, with the reason
// in `reason`, otherwise the error of the runtime. `workspace` is at least features_check_bytes of
// device memory, aligned to 8 bytes.
cudaError_t check(const Bucketize& problem, void* workspace, std::size_t workspace_bytes,
                  std::string* reason, cudaStream_t stream);
constexpr std::size_t features_check_bytes = 64;

// Returns the device memory that the operator needs, in bytes, or 0 if the extents are invalid
// (validate_extents()).
std::size_t workspace_bytes(const Bucketize& problem);

// Launches the operator. The result is bitwise reproducible. An index beyond a table of b blocks
// goes to the bucket of block `index % b`, as `index / b`; with block_bounds it goes to bucket
// `index % W`, as `index / W`. The workspace must be aligned to 8 bytes. Returns
// cudaErrorInvalidValue if the problem or the workspace is invalid, otherwise the error of a
// launch.
cudaError_t bucketize(const Bucketize& problem, void* workspace, std::size_t workspace_bytes,
                      cudaStream_t stream);
// Returns why bucketize() refuses the problem or the workspace (host-side checks only), or an empty
// string.
std::string validate(const Bucketize& problem, const void* workspace, std::size_t workspace_bytes);

}  // namespace archgrid::sparse
