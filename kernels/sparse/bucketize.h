// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Shares the indices of sparse features out among the devices that hold their embedding tables: the
// operator that recommenders know as block_bucketize_sparse_features (FBGEMM, whose contract this
// is).
//
// A feature has bags of indices into its table. The table is cut into buckets, one a device: an
// index goes to the bucket that holds its row, and is counted from that bucket's first row on.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "sparse/integers.h"

namespace archgrid::sparse {

// All pointers are to device memory. Of F features, B bags in all, N indices and W buckets:
struct Bucketize {
  int features = 0;     // F
  int bags = 0;         // B: those of feature 0, then those of feature 1, ...
  long long count = 0;  // N: of all bags, one after another
  int buckets = 1;      // W, at most most_buckets
  Integer length_type = Integer::i64;
  Integer index_type = Integer::i64;

  const void* lengths = nullptr;  // [B], length_type; their sum is N
  const void* indices = nullptr;  // [N], index_type, whose bits are taken for an unsigned number
  // [F], index_type: rows of a block of the feature's table. 0: the indices are identifiers of any
  // size, which are dealt out to blocks in turn.
  const void* block_sizes = nullptr;

  // What may be left out, and is null then.
  const void* batch_sizes = nullptr;   // [F], length_type: bags of each feature; else B / F
  const void* block_counts = nullptr;  // [F], index_type: blocks of each table, multiples of W,
                                       // which lie in buckets of equal size, unless there are
                                       // block_bounds; else W
  const void* block_bounds = nullptr;  // [F][W + 1], index_type: first rows of the buckets and the
                                       // table's end, from 0 on and not falling; else equal blocks
  bool keeps_indices = false;          // indices stay as they are
  const bool* keeps_indices_of = nullptr;  // [F]: which takes the place of keeps_indices
  const void* weights = nullptr;           // [N][weight_bytes], moved along with the indices
  int weight_bytes = 0;                    // of all that an index has, a multiple of 4

  // What is made. Bags lie bucket by bucket, each with those of all features in their order; within
  // a bag, indices keep their order.
  void* new_lengths = nullptr;  // [W][B], length_type
  void* new_indices = nullptr;  // [N], index_type
  void* new_weights = nullptr;  // as weights
  void* positions = nullptr;    // [N], index_type, or null: of each new index in its old bag
  void* places = nullptr;       // [N], index_type, or null: where each old index has gone
  void* bucket_of = nullptr;    // [N], index_type, or null: of each old index
};

constexpr int most_buckets = 8192;

// Why `problem` is none, as far as the host sees; empty if it is one. check() looks at the data.
std::string mistake_in(const Bucketize& problem);
// The same as far as the numbers of features, bags, indices and buckets tell, each by itself.
std::string mistake_in_extents(const Bucketize& problem);

// Finds what is wrong with the data, if anything is, and says where first: of batch_sizes, lengths,
// block_counts and block_bounds in that order. Any index is right. Waits for the stream. Returns
// cudaErrorInvalidValue where there is a mistake_in() the problem or in the workspace, which it
// says then, else the error of what it calls. `workspace` is features_check_bytes of device memory,
// or more, at a multiple of 8.
cudaError_t check(const Bucketize& problem, void* workspace, std::size_t workspace_bytes,
                  std::string* mistake, cudaStream_t stream);
constexpr std::size_t features_check_bytes = 64;

// Device memory, in bytes, that the operator needs. 0 where there is a mistake_in_extents().
std::size_t workspace_bytes(const Bucketize& problem);

// Begins the operator. The result is the same, bit for bit, each time. An index beyond its table
// goes, of its b blocks, to the bucket that has block `index % b`, as `index / b`; with
// block_bounds to bucket `index % W`, as `index / W`. The workspace begins at a multiple of 8
// bytes. Returns cudaErrorInvalidValue where there is a mistake_in() the problem and the workspace,
// else the error of a launch.
cudaError_t bucketize(const Bucketize& problem, void* workspace, std::size_t workspace_bytes,
                      cudaStream_t stream);
// Returns why bucketize() does not take the problem with a workspace of so many bytes, as far as
// the host sees, or an empty string.
std::string mistake_in(const Bucketize& problem, const void* workspace,
                       std::size_t workspace_bytes);

}  // namespace archgrid::sparse
