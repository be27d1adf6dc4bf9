// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "gemm/reference.h"

#include <cmath>
#include <cstddef>

namespace archgrid::gemm {
namespace {

double at(const float* matrix, int leading, int row, int column) {
  return matrix[static_cast<std::ptrdiff_t>(row) * leading + column];
}

}  // namespace

Reference reference(const Problem& p) {
  const std::size_t elements = static_cast<std::size_t>(p.m) * static_cast<std::size_t>(p.n);
  Reference result{std::vector<double>(elements), std::vector<double>(elements)};
  const double alpha = p.alpha;
  const double beta = p.beta;
  std::size_t element = 0;
  for (int row = 0; row < p.m; ++row) {
    for (int column = 0; column < p.n; ++column, ++element) {
      double product = 0;
      double magnitude = 0;
      for (int depth = 0; depth < p.k; ++depth) {
        const double term = at(p.a, p.lda, row, depth) * at(p.b, p.ldb, depth, column);
        product += term;
        magnitude += std::abs(term);
      }
      const double previous = p.beta == 0.0f ? 0.0 : beta * at(p.c, p.ldc, row, column);
      result.value[element] = alpha * product + previous;
      result.magnitude[element] = std::abs(alpha) * magnitude + std::abs(previous);
    }
  }
  return result;
}

}  // namespace archgrid::gemm
