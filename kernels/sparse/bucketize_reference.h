// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <vector>

#include "sparse/bucketize.h"

namespace archgrid::sparse {

// The expected results of bucketize(), as 64-bit numbers. 32-bit indices are in the lower half.
// `source` is the old place of each new index: new weights are the weights from there.
struct BucketizeReference {
  std::vector<std::int64_t> new_lengths;
  std::vector<std::int64_t> new_indices;
  std::vector<std::int64_t> positions;
  std::vector<std::int64_t> places;
  std::vector<std::int64_t> bucket_of;
  std::vector<std::int64_t> source;
};

// Runs the operator on the CPU, index by index. The pointers of the problem must be to host memory.
BucketizeReference reference(const Bucketize& problem);

}  // namespace archgrid::sparse
