// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/spmv_reference.h"

#include <cmath>

namespace archgrid::sparse {

SpmvReference reference(const Csr& a, double alpha, const std::vector<double>& x, double beta,
                        const std::vector<double>& y, double unit) {
  SpmvReference result;
  for (std::size_t row = 0; row + 1 < a.offsets.size(); ++row) {
    const auto begin = static_cast<std::size_t>(a.offsets[row]);
    const auto end = static_cast<std::size_t>(a.offsets[row + 1]);
    double sum = 0;
    double magnitude = 0;
    for (std::size_t i = begin; alpha != 0 && i < end; ++i) {
      const double term = a.value[i] * x[static_cast<std::size_t>(a.column[i])];
      sum += term;
      magnitude += std::abs(term);
    }
    const double before = beta == 0 ? 0 : beta * y[row];
    const double roundings = static_cast<double>(end - begin + 1 + 4) * unit;
    result.value.push_back(alpha * sum + before);
    result.bound.push_back(roundings / (1 - roundings) *
                           (std::abs(alpha) * magnitude + std::abs(before)));
  }
  return result;
}

}  // namespace archgrid::sparse
