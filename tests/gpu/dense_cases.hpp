// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Test cases with dense matrices in any layout.
#ifndef ARCHGRID_TESTS_GPU_DENSE_CASES_HPP
#define ARCHGRID_TESTS_GPU_DENSE_CASES_HPP

#include <cmath>
#include <limits>
#include <vector>

#include "sparse/spmm.h"
#include "spmv_cases.hpp"

namespace archgrid::sparse {

/// The columns of a dense matrix, each without gaps.
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

/// Returns a matrix as it is stored in memory. The `gap` elements between rows must not be read or
/// written.
inline std::vector<double> laid_out(const Columns& columns, Index rows, Layout layout, Index gap) {
  const auto n = static_cast<Index>(columns.size());
  const Index leading = (layout == Layout::row ? n : rows) + gap;
  const Index outer = layout == Layout::row ? rows : n;
  std::vector<double> memory(static_cast<std::size_t>(leading * outer),
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

/// The parameters of a product with a dense matrix of n columns.
struct DenseCase {
  Index n = 1;
  Layout b = Layout::row;
  Layout c = Layout::row;
  double alpha = 1;
  double beta = 0;
  Index gap = 0;
  Entries entries = Entries::integers;
};

/// Returns for each column of a matrix whether it has an entry. A product reads only these rows of
/// B.
inline std::vector<bool> rows_of_b(const Csr& matrix) {
  std::vector<bool> rows(static_cast<std::size_t>(matrix.columns), false);
  for (const Index column : matrix.column) rows[static_cast<std::size_t>(column)] = true;
  return rows;
}

/// B and C in device memory, for a sparse matrix of `type`. Rows of B that are not read are NaN.
class DenseOperands {
 public:
  DenseOperands(const Csr& matrix, const DenseCase& tried, Number type,
                const std::vector<bool>& read_rows)
      : matrix_(matrix),
        tried_(tried),
        sum_(sum_of(type)),
        columns_(random_columns(matrix.columns, tried.n, tried.entries, 11, type)),
        before_(random_columns(matrix.rows, tried.n, tried.entries, 77, sum_)),
        b_(stored(laid_out(read(columns_, read_rows), matrix.columns, tried.b, tried.gap), type)),
        c_(stored(c_before(), sum_)) {
    matrix_.value = rounded(matrix.value, type);
  }

  Dense<const void*> b() const {
    return {b_.data(), tried_.b,
            (tried_.b == Layout::row ? tried_.n : matrix_.columns) + tried_.gap};
  }
  Dense<void*> c() const { return {c_.data(), tried_.c, c_leading()}; }

  std::vector<unsigned char> stored_c() const { return c_.to_host(); }

  /// Compares C with the reference for sums with a unit roundoff of `unit`.
  void expect_product(double unit) const {
    const std::vector<double> got = numbers_in(c_.to_host(), sum_);
    std::size_t elements = 0;
    for (Index j = 0; j < tried_.n; ++j) {
      const auto column = static_cast<std::size_t>(j);
      const SpmvReference expected =
          reference(matrix_, tried_.alpha, columns_[column], tried_.beta, before_[column], unit);
      for (Index row = 0; row < matrix_.rows; ++row, ++elements) {
        const Index at = tried_.c == Layout::row ? row * c_leading() + j : j * c_leading() + row;
        const auto index = static_cast<std::size_t>(row);
        const double bound = tried_.entries == Entries::integers ? 0 : expected.bound[index];
        ASSERT_LE(std::abs(got[static_cast<std::size_t>(at)] - expected.value[index]), bound)
            << "row " << row << " column " << j;
      }
    }
    // Elements between rows are still NaN.
    std::size_t others = 0;
    for (const double value : got) others += std::isnan(value);
    EXPECT_EQ(others, got.size() - elements) << "something beside C was written";
  }

 private:
  static Columns read(Columns columns, const std::vector<bool>& rows) {
    for (std::vector<double>& column : columns) {
      for (std::size_t row = 0; row < column.size(); ++row) {
        if (!rows[row]) column[row] = std::numeric_limits<double>::quiet_NaN();
      }
    }
    return columns;
  }
  Index c_leading() const {
    return (tried_.c == Layout::row ? tried_.n : matrix_.rows) + tried_.gap;
  }
  // With beta = 0, C is not read.
  std::vector<double> c_before() const {
    std::vector<double> memory = laid_out(before_, matrix_.rows, tried_.c, tried_.gap);
    if (tried_.beta == 0) memory.assign(memory.size(), std::numeric_limits<double>::quiet_NaN());
    return memory;
  }

  Csr matrix_;  // with values as stored
  DenseCase tried_;
  Number sum_;
  Columns columns_;
  Columns before_;
  DeviceBytes b_;
  DeviceBytes c_;
};

}  // namespace archgrid::sparse

#endif
