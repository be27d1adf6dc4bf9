// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Products with alpha = 0.
#pragma once

#include "sparse/spmm.h"

namespace archgrid::sparse {

// Reports whether a product of elements of `type` ignores its operands, because alpha is 0 after
// conversion to the type of its sums.
inline bool ignores_operands(double alpha, Number type) {
  return sum_of(type) == Number::f64 ? alpha == 0 : static_cast<float>(alpha) == 0;
}

// Launches C = beta * C for rows x columns elements of sum_of(type). With beta = 0, C is written
// without being read. Returns the error of the launch.
cudaError_t scale(const Dense<void*>& c, std::int64_t rows, std::int64_t columns, Number type,
                  double beta, cudaStream_t stream);

}  // namespace archgrid::sparse
