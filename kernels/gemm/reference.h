// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <vector>

#include "gemm/gemm.h"

namespace archgrid::gemm {

// What C should hold, row by row without gaps, and for each element the sum of the magnitudes of
// its terms, |alpha| * |A| * |B| + |beta| * |C|, to which rounding errors are proportional.
struct Reference {
  std::vector<double> value;
  std::vector<double> magnitude;
};

// Computes the product in double precision on the CPU. The pointers of the problem must point to
// host memory; C is read where beta is not 0, and never written.
Reference reference(const Problem& problem);

}  // namespace archgrid::gemm
