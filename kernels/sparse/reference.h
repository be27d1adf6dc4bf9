// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <vector>

#include "sparse/spmv.h"

namespace archgrid::sparse {

// What y should hold, and for each element the sum of the magnitudes of its terms,
// |alpha| * |A| * |x| + |beta| * |y|, to which rounding errors are proportional, and the number of
// entries of its row.
struct Reference {
  std::vector<double> value;
  std::vector<double> magnitude;
  std::vector<int> terms;
};

// Computes the product in double precision on the CPU. The pointers of the problem must point to
// host memory; y is read where beta is not 0, and never written.
Reference reference(const Problem& problem);

}  // namespace archgrid::sparse
