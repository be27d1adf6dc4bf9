// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "gemm/gemm.h"

#include <algorithm>
#include <archgrid/gtest.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "gemm/reference.h"

namespace archgrid::gemm {
namespace {

struct Variant {
  const char* name;
  cudaError_t (*launch)(const Problem&, cudaStream_t);
};

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

constexpr Variant kVariants[] = {
    {"tile_16x16", tile_16x16},
    {"tile_64x64", tile_64x64},
    {"tile_128x128", tile_128x128},
};

struct Extents {
  int m, n, k;
};

/// One below, at and one above every tile's extents, a prime, long and thin, and one tile in a row
/// of many.
constexpr Extents kExtents[] = {
    {1, 1, 1},    {1, 1, 1000},  {15, 17, 16},  {16, 16, 15},   {64, 64, 64},   {63, 65, 17},
    {65, 63, 7},  {97, 89, 101}, {127, 129, 9}, {128, 128, 8},  {129, 127, 33}, {1, 515, 40},
    {515, 1, 40}, {3, 1030, 5},  {300, 200, 1}, {256, 384, 72},
};

/// A problem in host memory. Rows are `gap` elements longer than they need be, and what lies in the
/// gaps is NaN: reading or writing it shows.
struct Host {
  Host(Extents extents, int gap, float alpha, float beta, const std::vector<float>& a_values,
       const std::vector<float>& b_values, const std::vector<float>& c_values)
      : a(spread(a_values, extents.m, extents.k, gap)),
        b(spread(b_values, extents.k, extents.n, gap)),
        c(spread(c_values, extents.m, extents.n, gap)) {
    problem = {extents.m, extents.n,       extents.k, alpha,    a.data(),       extents.k + gap,
               b.data(),  extents.n + gap, beta,      c.data(), extents.n + gap};
  }

  static std::vector<float> spread(const std::vector<float>& values, int rows, int columns,
                                   int gap) {
    std::vector<float> matrix;
    auto next = values.begin();
    for (int row = 0; row < rows; ++row, next += columns) {
      matrix.insert(matrix.end(), next, next + columns);
      matrix.insert(matrix.end(), static_cast<std::size_t>(gap), kNan);
    }
    return matrix;
  }

  Problem problem;
  std::vector<float> a;
  std::vector<float> b;
  std::vector<float> c;
};

std::size_t area(int rows, int columns) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

Host integers(Extents e, int gap, float alpha, float beta) {
  return Host(e, gap, alpha, beta, small_integers(area(e.m, e.k), 1),
              small_integers(area(e.k, e.n), 2), small_integers(area(e.m, e.n), 3));
}

Host reals(Extents e, int gap, float alpha, float beta) {
  return Host(e, gap, alpha, beta, uniform(area(e.m, e.k), 1), uniform(area(e.k, e.n), 2),
              uniform(area(e.m, e.n), 3));
}

/// Launches on copies of the host's matrices and returns C without its gaps, which must still be
/// NaN.
std::vector<float> run(const Variant& variant, const Host& host) {
  const DeviceBuffer<float> a(host.a, {"A"});
  const DeviceBuffer<float> b(host.b, {"B"});
  const DeviceBuffer<float> c(host.c, {"C"});
  Problem problem = host.problem;
  problem.a = a.data();
  problem.b = b.data();
  problem.c = c.data();
  EXPECT_LAUNCH(variant.launch(problem, nullptr));

  const std::vector<float> rows = c.to_host();
  std::vector<float> product;
  int written_gaps = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const int column = static_cast<int>(i % static_cast<std::size_t>(problem.ldc));
    if (column < problem.n) {
      product.push_back(rows[i]);
    } else if (!std::isnan(rows[i])) {
      ++written_gaps;
    }
  }
  EXPECT_EQ(written_gaps, 0) << "elements between the rows of C were overwritten";
  return product;
}

std::string described(Extents e) {
  return "m=" + std::to_string(e.m) + " n=" + std::to_string(e.n) + " k=" + std::to_string(e.k);
}

class Gemm : public ::testing::TestWithParam<Variant> {};

INSTANTIATE_TEST_SUITE_P(Fp32, Gemm, ::testing::ValuesIn(kVariants),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(Gemm, IsExactForSmallIntegers) {
  for (Extents extents : kExtents) {
    SCOPED_TRACE(described(extents));
    const Host host = integers(extents, 0, 1.0f, 0.0f);
    EXPECT_TRUE(equal(run(GetParam(), host), reference(host.problem).value,
                      static_cast<std::size_t>(extents.n)));
  }
}

TEST_P(Gemm, StaysWithinTheRoundingBound) {
  for (Extents extents : {Extents{97, 89, 101}, Extents{130, 70, 2000}}) {
    SCOPED_TRACE(described(extents));
    const Host host = reals(extents, 0, 0.7f, -1.3f);
    const Reference expected = reference(host.problem);
    std::vector<double> bound;
    for (double magnitude : expected.magnitude) {
      bound.push_back(rounding_bound(extents.k, magnitude));
    }
    EXPECT_TRUE(
        within(run(GetParam(), host), expected.value, bound, static_cast<std::size_t>(extents.n)));
  }
}

TEST_P(Gemm, HonoursAlphaBetaAndLeadingDimensions) {
  for (Extents extents : {Extents{33, 47, 19}, Extents{130, 66, 40}, Extents{20, 30, 0}}) {
    for (float alpha : {0.0f, -2.0f}) {
      for (float beta : {0.0f, 1.0f, 3.0f}) {
        SCOPED_TRACE(described(extents) + " alpha=" + std::to_string(alpha) +
                     " beta=" + std::to_string(beta));
        Host host = integers(extents, 5, alpha, beta);
        // With beta = 0, C is not read.
        if (beta == 0.0f) std::fill(host.c.begin(), host.c.end(), kNan);
        EXPECT_TRUE(equal(run(GetParam(), host), reference(host.problem).value,
                          static_cast<std::size_t>(extents.n)));
      }
    }
  }
}

TEST(GemmAnyVariant, RefusesWhatItCannotCompute) {
  launches_no_kernel();
  const Host host = integers({4, 4, 4}, 0, 1.0f, 0.0f);
  for (const Variant& variant : kVariants) {
    SCOPED_TRACE(variant.name);
    const auto launch_with = [&](auto change) {
      Problem problem = host.problem;
      change(problem);
      return variant.launch(problem, nullptr);
    };
    EXPECT_EQ(launch_with([](Problem& p) { p.m = -1; }), cudaErrorInvalidValue);
    EXPECT_EQ(launch_with([](Problem& p) { p.k = -1; }), cudaErrorInvalidValue);
    EXPECT_EQ(launch_with([](Problem& p) { p.lda = 3; }), cudaErrorInvalidValue);
    EXPECT_EQ(launch_with([](Problem& p) { p.ldb = 3; }), cudaErrorInvalidValue);
    EXPECT_EQ(launch_with([](Problem& p) { p.ldc = 3; }), cudaErrorInvalidValue);
    EXPECT_EQ(launch_with([](Problem& p) { p.b = nullptr; }), cudaErrorInvalidValue);
    EXPECT_EQ(launch_with([](Problem& p) { p.n = p.ldb = p.ldc = 2147483647; }),
              cudaErrorInvalidValue);
    EXPECT_EQ(launch_with([](Problem& p) { p.m = 0; }), cudaSuccess) << "there is nothing to do";
  }
}

// All variants compute the same; which one is picked, tests/unit/kernels tests.
TEST(GemmAnyVariant, IsExactThroughMultiply) {
  for (Extents extents : {Extents{5, 900, 30}, Extents{100, 70, 30}, Extents{513, 600, 11}}) {
    SCOPED_TRACE(described(extents));
    const Host host = integers(extents, 0, 1.0f, 0.0f);
    EXPECT_TRUE(equal(run({"multiply", multiply}, host), reference(host.problem).value,
                      static_cast<std::size_t>(extents.n)));
  }
}

}  // namespace
}  // namespace archgrid::gemm
