// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Large dense matrices for benchmarks of sparse products.
#ifndef ARCHGRID_TESTS_GPU_DENSE_PERF_HPP
#define ARCHGRID_TESTS_GPU_DENSE_PERF_HPP

#include <string>
#include <vector>

#include "sparse_perf.hpp"

namespace archgrid::sparse {

/// Returns the suffix of a name for the layout of B and C and their columns, such as "_rows_128".
inline std::string suffix_of(Layout layout, Index n) {
  return (layout == Layout::row ? "_rows_" : "_columns_") + std::to_string(n);
}

/// B and C of n columns for a sparse matrix. All columns of B are equal: one reference serves all.
class DensePerfData {
 public:
  DensePerfData(const Csr& matrix, Index n, Layout layout, Number type)
      : matrix_(matrix),
        n_(n),
        layout_(layout),
        type_(type),
        x_(uniform(1, matrix.columns, matrix.columns, Entries::integers, 5).value),
        b_(stored(repeated(), type)),
        c_(unwritten(matrix.rows * n, sum_of(type))) {}

  Dense<const void*> b() const { return {b_.data(), layout_, leading(matrix_.columns)}; }
  Dense<void*> c() const { return {c_.data(), layout_, leading(matrix_.rows)}; }
  CusparseObject b_of(const Cusparse& library) const {
    return library.dense(matrix_.columns, n_, b(), type_);
  }
  CusparseObject c_of(const Cusparse& library) const {
    return library.dense(matrix_.rows, n_, {c_.data(), layout_, leading(matrix_.rows)},
                         sum_of(type_));
  }

  ::testing::AssertionResult is_right() const {
    const std::vector<double> expected = reference(matrix_, 1, x_, 0, {}, 0).value;
    const std::vector<double> got = numbers_in(c_.to_host(), sum_of(type_));
    for (Index i = 0; i < matrix_.rows * n_; ++i) {
      const Index row = layout_ == Layout::row ? i / n_ : i % matrix_.rows;
      const double value = got[static_cast<std::size_t>(i)];
      if (value == expected[static_cast<std::size_t>(row)]) continue;
      return ::testing::AssertionFailure() << "element " << i << " is " << value << ", not "
                                           << expected[static_cast<std::size_t>(row)];
    }
    return ::testing::AssertionSuccess();
  }

 private:
  Index leading(Index rows) const { return layout_ == Layout::row ? n_ : rows; }
  std::vector<double> repeated() const {
    std::vector<double> b;
    b.reserve(static_cast<std::size_t>(matrix_.columns * n_));
    for (Index i = 0; i < matrix_.columns * n_; ++i)
      b.push_back(
          x_[static_cast<std::size_t>(layout_ == Layout::row ? i / n_ : i % matrix_.columns)]);
    return b;
  }

  const Csr& matrix_;
  Index n_;
  Layout layout_;
  Number type_;
  std::vector<double> x_;
  DeviceBytes b_;
  DeviceBytes c_;
};

}  // namespace archgrid::sparse

#endif
