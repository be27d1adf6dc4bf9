// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/reference.h"

#include <cmath>

namespace archgrid::sparse {

Reference reference(const Problem& p) {
  Reference result;
  const double alpha = p.alpha;
  const double beta = p.beta;
  for (int row = 0; row < p.a.rows; ++row) {
    const int begin = p.a.row_offsets[row];
    const int end = p.a.row_offsets[row + 1];
    double product = 0;
    double magnitude = 0;
    for (int i = begin; i < end; ++i) {
      const double term = static_cast<double>(p.a.values[i]) * p.x[p.a.column_indices[i]];
      product += term;
      magnitude += std::abs(term);
    }
    const double previous = p.beta == 0.0f ? 0.0 : beta * p.y[row];
    result.value.push_back(alpha * product + previous);
    result.magnitude.push_back(std::abs(alpha) * magnitude + std::abs(previous));
    result.terms.push_back(end - begin);
  }
  return result;
}

}  // namespace archgrid::sparse
