// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// The sparse kernels, run on the CPU. tests/gpu has those for GPUs.
#include "sparse/spmv.h"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <archgrid/compare.hpp>
#include <archgrid/numbers.hpp>
#include <limits>
#include <string>
#include <vector>

#include "sparse/reference.h"

namespace archgrid {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

struct Matrix {
  std::vector<int> row_offsets = {0};
  std::vector<int> column_indices;
  std::vector<float> values;
};

constexpr int kColumns = 37;

Matrix with_row_lengths(const std::vector<int>& lengths) {
  Matrix matrix;
  for (int length : lengths) {
    for (int i = 0; i < length; ++i) matrix.column_indices.push_back((i * 11 + length) % kColumns);
    matrix.row_offsets.push_back(matrix.row_offsets.back() + length);
  }
  matrix.values = small_integers(matrix.column_indices.size(), 4);
  return matrix;
}

using Launch = cudaError_t (*)(const sparse::Problem&, cudaStream_t);

void expect_exact_rows(Launch launch, float beta) {
  SCOPED_TRACE("beta " + std::to_string(beta));
  const Matrix matrix = with_row_lengths({0, 1, 31, 32, 33, 0, 0, 64, 65, 200, 0});
  const int rows = static_cast<int>(matrix.row_offsets.size()) - 1;
  const std::vector<float> x = small_integers(kColumns, 5);
  std::vector<float> y = small_integers(static_cast<std::size_t>(rows), 6);
  if (beta == 0.0f) y.assign(y.size(), kNan);
  const sparse::Problem problem{{rows, kColumns, matrix.row_offsets.data(),
                                 matrix.column_indices.data(), matrix.values.data()},
                                -2.0f,
                                x.data(),
                                beta,
                                y.data()};
  const sparse::Reference expected = sparse::reference(problem);
  ASSERT_EQ(launch(problem, nullptr), cudaSuccess);
  EXPECT_TRUE(equal(y, expected.value));
}

TEST(SpmvOnTheHost, EachVariantIsExactForAnyRowLength) {
  for (float beta : {0.0f, 3.0f}) {
    expect_exact_rows(sparse::row_per_thread, beta);
    expect_exact_rows(sparse::row_per_warp, beta);
  }
}

}  // namespace
}  // namespace archgrid
