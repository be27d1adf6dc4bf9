// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Sparse matrices for tests.
#ifndef ARCHGRID_TESTS_GPU_MATRICES_HPP
#define ARCHGRID_TESTS_GPU_MATRICES_HPP

#include <archgrid/gtest.hpp>
#include <cstdint>
#include <vector>

#include "sparse/spmv.h"

namespace archgrid::sparse {

/// A matrix in host memory.
struct HostCsr {
  int columns = 0;
  std::vector<int> row_offsets = {0};
  std::vector<int> column_indices;
  std::vector<float> values;

  int rows() const { return static_cast<int>(row_offsets.size()) - 1; }
  Csr view() const {
    return {rows(), columns, row_offsets.data(), column_indices.data(), values.data()};
  }
};

/// A matrix whose row r has lengths[r] entries, all over the row; columns may repeat.
inline HostCsr with_row_lengths(const std::vector<int>& lengths, int columns,
                                std::vector<float> (*numbers)(std::size_t, std::uint64_t)) {
  HostCsr matrix;
  matrix.columns = columns;
  std::uint32_t state = 1;
  for (int length : lengths) {
    for (int i = 0; i < length; ++i) {
      state = state * 1664525u + 1013904223u;
      matrix.column_indices.push_back(
          static_cast<int>((state >> 8) % static_cast<std::uint32_t>(columns)));
    }
    matrix.row_offsets.push_back(matrix.row_offsets.back() + length);
  }
  matrix.values = numbers(matrix.column_indices.size(), 4);
  return matrix;
}

/// A matrix in device memory.
struct DeviceCsr {
  explicit DeviceCsr(const HostCsr& host)
      : rows(host.rows()),
        columns(host.columns),
        row_offsets(host.row_offsets),
        column_indices(host.column_indices),
        values(host.values) {}

  Csr view() const {
    return {rows, columns, row_offsets.data(), column_indices.data(), values.data()};
  }

  int rows;
  int columns;
  DeviceBuffer<int> row_offsets;
  DeviceBuffer<int> column_indices;
  DeviceBuffer<float> values;
};

}  // namespace archgrid::sparse

#endif
