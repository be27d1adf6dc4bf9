// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/spmv.h"

#include <algorithm>
#include <archgrid/gtest.hpp>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "matrices.hpp"
#include "sparse/reference.h"

namespace archgrid::sparse {
namespace {

struct Variant {
  const char* name;
  cudaError_t (*launch)(const Problem&, cudaStream_t);
};

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

constexpr Variant kVariants[] = {{"row_per_thread", row_per_thread},
                                 {"row_per_warp", row_per_warp}};

/// Row lengths that meet every path: empty rows, one entry, around a warp's width, very long, and
/// numbers of rows around what a block takes (8 by warps, 256 by threads).
std::vector<std::pair<std::string, std::vector<int>>> patterns() {
  std::vector<int> mixed;
  for (int row = 0; row < 700; ++row) mixed.push_back(row * 7 % 71 - 3 < 0 ? 0 : row * 7 % 71);
  return {{"one empty row", {0}},
          {"empty rows only", std::vector<int>(300, 0)},
          {"empty first and last", {0, 5, 0, 0, 33, 1, 0}},
          {"around a warp", {1, 2, 31, 32, 33, 63, 64, 65, 0, 96}},
          {"one long row", {20000}},
          {"long among short", {1, 0, 5000, 2, 0, 0, 3000, 1}},
          {"255 rows", std::vector<int>(255, 3)},
          {"257 rows", std::vector<int>(257, 4)},
          {"mixed", mixed}};
}

struct Vectors {
  std::vector<float> x;
  std::vector<float> y;
};

std::vector<float> run(const Variant& variant, const HostCsr& matrix, const Vectors& vectors,
                       float alpha, float beta) {
  const DeviceCsr a(matrix);
  const DeviceBuffer<float> x(vectors.x, {"x"});
  const DeviceBuffer<float> y(vectors.y, {"y"});
  EXPECT_LAUNCH(variant.launch({a.view(), alpha, x.data(), beta, y.data()}, nullptr));
  return y.to_host();
}

Reference expected(const HostCsr& matrix, Vectors vectors, float alpha, float beta) {
  return reference({matrix.view(), alpha, vectors.x.data(), beta, vectors.y.data()});
}

Vectors vectors_for(const HostCsr& matrix,
                    std::vector<float> (*numbers)(std::size_t, std::uint64_t)) {
  return {numbers(static_cast<std::size_t>(matrix.columns), 5),
          numbers(static_cast<std::size_t>(matrix.rows()), 6)};
}

class Spmv : public ::testing::TestWithParam<Variant> {};

INSTANTIATE_TEST_SUITE_P(Fp32, Spmv, ::testing::ValuesIn(kVariants),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(Spmv, IsExactForSmallIntegers) {
  for (const auto& [name, lengths] : patterns()) {
    SCOPED_TRACE(name);
    const HostCsr matrix = with_row_lengths(lengths, 501, small_integers);
    for (float beta : {0.0f, 2.0f}) {
      Vectors vectors = vectors_for(matrix, small_integers);
      // With beta = 0, y is not read.
      if (beta == 0.0f) std::fill(vectors.y.begin(), vectors.y.end(), kNan);
      EXPECT_TRUE(equal(run(GetParam(), matrix, vectors, -3.0f, beta),
                        expected(matrix, vectors, -3.0f, beta).value))
          << "beta=" << beta;
    }
  }
}

TEST_P(Spmv, StaysWithinTheRoundingBound) {
  for (const auto& [name, lengths] : patterns()) {
    SCOPED_TRACE(name);
    const HostCsr matrix = with_row_lengths(lengths, 501, uniform);
    const Vectors vectors = vectors_for(matrix, uniform);
    const Reference want = expected(matrix, vectors, 0.7f, -1.3f);
    std::vector<double> bound;
    for (std::size_t row = 0; row < want.value.size(); ++row) {
      bound.push_back(rounding_bound(want.terms[row], want.magnitude[row]));
    }
    EXPECT_TRUE(within(run(GetParam(), matrix, vectors, 0.7f, -1.3f), want.value, bound));
  }
}

TEST(SpmvAnyVariant, RefusesWhatItCannotCompute) {
  launches_no_kernel();
  const HostCsr matrix = with_row_lengths({1}, 1, small_integers);
  float one = 1.0f;
  for (const Variant& variant : kVariants) {
    SCOPED_TRACE(variant.name);
    const auto launch_with = [&](auto change) {
      Problem problem{matrix.view(), 1.0f, &one, 0.0f, &one};
      change(problem);
      return variant.launch(problem, nullptr);
    };
    EXPECT_EQ(launch_with([](Problem& p) { p.a.rows = -1; }), cudaErrorInvalidValue);
    EXPECT_EQ(launch_with([](Problem& p) { p.a.columns = -1; }), cudaErrorInvalidValue);
    EXPECT_EQ(launch_with([](Problem& p) { p.a.row_offsets = nullptr; }), cudaErrorInvalidValue);
    EXPECT_EQ(launch_with([](Problem& p) { p.y = nullptr; }), cudaErrorInvalidValue);
    EXPECT_EQ(launch_with([](Problem& p) { p.a.rows = 0; }), cudaSuccess)
        << "there is nothing to do";
  }
}

}  // namespace
}  // namespace archgrid::sparse
