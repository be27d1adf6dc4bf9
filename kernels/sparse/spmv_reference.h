// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <vector>

#include "sparse/formats.h"

namespace archgrid::sparse {

// The expected y, and the error bound of a result whose products are added up in any order, in
// numbers with a unit roundoff of `unit` (2^-24 for f32, 2^-53 for f64).
//
// Each of n products is rounded at most once and passes at most n additions, so the error of their
// sum is at most (n + 1) * unit / (1 - (n + 1) * unit) times the sum of their magnitudes (Higham:
// Accuracy and Stability of Numerical Algorithms, 2002, section 3.1). Adding to a stored sum, and
// multiplying by alpha and beta, take four more roundings.
struct SpmvReference {
  std::vector<double> value;
  std::vector<double> bound;
};

// Computes alpha * A * x + beta * y in double precision, on the CPU. Does not read y if beta is 0,
// nor A's values and x if alpha is 0.
SpmvReference reference(const Csr& a, double alpha, const std::vector<double>& x, double beta,
                        const std::vector<double>& y, double unit);

}  // namespace archgrid::sparse
