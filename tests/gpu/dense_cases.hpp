// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Dense matrices in any layout.
#ifndef ARCHGRID_TESTS_GPU_DENSE_CASES_HPP
#define ARCHGRID_TESTS_GPU_DENSE_CASES_HPP

#include <limits>
#include <vector>

#include "sparse/spmm.h"
#include "spmv_cases.hpp"

namespace archgrid::sparse {

/// Of a dense matrix: columns one after another, each without gaps.
using Columns = std::vector<std::vector<double>>;

inline Columns random_columns(Index rows, Index n, Entries entries, std::uint32_t seed,
                              Number type) {
  Columns columns;
  for (Index j = 0; j < n; ++j) {
    columns.push_back(
        rounded(uniform(1, rows, rows, entries, seed + static_cast<std::uint32_t>(j)).value, type));
  }
  return columns;
}

/// As it lies in memory, with `gap` elements between lines that nobody may read or write.
inline std::vector<double> laid_out(const Columns& columns, Index rows, Layout layout, Index gap) {
  const auto n = static_cast<Index>(columns.size());
  const Index leading = (layout == Layout::row ? n : rows) + gap;
  const Index lines = layout == Layout::row ? rows : n;
  std::vector<double> memory(static_cast<std::size_t>(leading * lines),
                             std::numeric_limits<double>::quiet_NaN());
  for (Index j = 0; j < n; ++j) {
    for (Index row = 0; row < rows; ++row) {
      const Index at = layout == Layout::row ? row * leading + j : j * leading + row;
      memory[static_cast<std::size_t>(at)] =
          columns[static_cast<std::size_t>(j)][static_cast<std::size_t>(row)];
    }
  }
  return memory;
}

}  // namespace archgrid::sparse

#endif
