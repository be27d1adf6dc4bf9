// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// The kernels' source, run on the CPU by the shim: that each element of a result is computed once
// and from the right elements, whatever the shape. The tests that count are tests/gpu.
#include <gtest/gtest.h>

#include <archgrid/compare.hpp>
#include <archgrid/numbers.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "gemm/reference.h"
#include "gemm/tile.cuh"
#include "sparse/reference.h"
#include "sparse/row_per_thread.cuh"
#include "sparse/row_per_warp.cuh"

namespace archgrid {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::size_t area(int rows, int columns) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

unsigned ceil_div(int extent, int part) {
  return static_cast<unsigned>((extent + part - 1) / part);
}

template <class S>
void expect_exact_product(int m, int n, int k, float beta) {
  SCOPED_TRACE("tile " + std::to_string(S::tile_m) + " m=" + std::to_string(m) +
               " n=" + std::to_string(n) + " k=" + std::to_string(k));
  const int gap = 3;
  const std::vector<float> a = small_integers(area(m, k + gap), 1);
  const std::vector<float> b = small_integers(area(k, n + gap), 2);
  std::vector<float> c = small_integers(area(m, n + gap), 3);
  if (beta == 0.0f) c.assign(c.size(), kNan);
  const std::vector<float> before = c;
  const gemm::Problem problem{m,        n,       k,    -2.0f,    a.data(), k + gap,
                              b.data(), n + gap, beta, c.data(), n + gap};
  const gemm::Reference expected = gemm::reference(problem);
  shim::launch(gemm::tile<S>, ceil_div(m, S::tile_m) * ceil_div(n, S::tile_n), S::threads, problem);
  std::vector<float> product;
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (i % static_cast<std::size_t>(n + gap) < static_cast<std::size_t>(n)) {
      product.push_back(c[i]);
    } else {
      EXPECT_TRUE(c[i] == before[i] || (std::isnan(c[i]) && std::isnan(before[i]))) << "gap " << i;
    }
  }
  EXPECT_TRUE(equal(product, expected.value, static_cast<std::size_t>(n)));
}

TEST(GemmOnTheHost, EachTileIsExactAroundItsEdges) {
  using Tile16 = gemm::Shape<16, 16, 16, 1, 1>;
  using Tile64 = gemm::Shape<64, 64, 16, 4, 4>;
  using Tile128 = gemm::Shape<128, 128, 8, 8, 8>;
  expect_exact_product<Tile16>(17, 33, 18, 0.0f);
  expect_exact_product<Tile16>(1, 1, 0, 3.0f);
  expect_exact_product<Tile64>(65, 63, 17, 3.0f);
  expect_exact_product<Tile64>(1, 130, 5, 0.0f);
  expect_exact_product<Tile128>(129, 127, 9, 3.0f);
  expect_exact_product<Tile128>(128, 128, 8, 0.0f);
}

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

template <class Kernel>
void expect_exact_rows(Kernel kernel, int threads_per_row, float beta) {
  SCOPED_TRACE(std::to_string(threads_per_row) + " threads a row, beta " + std::to_string(beta));
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
  shim::launch(kernel, ceil_div(rows * threads_per_row, sparse::block_threads),
               sparse::block_threads, problem);
  EXPECT_TRUE(equal(y, expected.value));
}

TEST(SpmvOnTheHost, EachVariantIsExactForAnyRowLength) {
  for (float beta : {0.0f, 3.0f}) {
    expect_exact_rows(sparse::spmv_row_per_thread, 1, beta);
    expect_exact_rows(sparse::spmv_row_per_warp, sparse::warp_threads, beta);
  }
}

}  // namespace
}  // namespace archgrid
