// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <vector>

#include "sparse/formats.h"

namespace archgrid::sparse {

// What y should hold, and how far from it a result may be whose products are added up in any order,
// in numbers with a unit roundoff of `unit` (2^-24 for f32, 2^-53 for f64).
//
// Each of n products is rounded at most once and passes at most n additions, so that the error of
// their sum is at most (n + 1) * unit / (1 - (n + 1) * unit) times the sum of their magnitudes
// (Higham: Accuracy and Stability of Numerical Algorithms, 2002, section 3.1). A sum that was
// stored and is added to, and alpha and beta, take four roundings more.
struct SpmvReference {
  std::vector<double> value;
  std::vector<double> bound;
};

// alpha * A * x + beta * y in double precision, on the CPU; y is not read where beta is 0, A's
// values and x not where alpha is 0.
SpmvReference reference(const Csr& a, double alpha, const std::vector<double>& x, double beta,
                        const std::vector<double>& y, double unit);

}  // namespace archgrid::sparse
