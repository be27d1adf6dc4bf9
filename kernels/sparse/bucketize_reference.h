// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <vector>

#include "sparse/bucketize.h"

namespace archgrid::sparse {

// What bucketize() makes, as numbers of 64 bits; of 32-bit indices the bits are those of the lower
// half. `source` is where each new index was: new weights are the weights there.
struct BucketizeReference {
  std::vector<std::int64_t> new_lengths;
  std::vector<std::int64_t> new_indices;
  std::vector<std::int64_t> positions;
  std::vector<std::int64_t> places;
  std::vector<std::int64_t> bucket_of;
  std::vector<std::int64_t> source;
};

// Does the operator on the CPU, index by index. The pointers of the problem are to host memory.
BucketizeReference reference(const Bucketize& problem);

}  // namespace archgrid::sparse
