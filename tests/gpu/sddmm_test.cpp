// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Tests of sampled products of dense matrices, on GPUs. tests/unit/kernels also compiles them for
// the CPU.
#include "sparse/sddmm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "dense_cases.hpp"

namespace archgrid::sparse {
namespace {

using Tested = TestedVariant<SddmmVariant>;

struct Case {
  Index k = 5;
  Layout a = Layout::row;
  Layout b = Layout::column;
  double alpha = 1;
  double beta = 0;
  Index gap = 0;
  Entries entries = Entries::integers;
};

void expect_product(const Tested& tested, const Csr& pattern, const Case& tried) {
  const Number sum = sum_of(tested.type);
  const Columns a = random_columns(pattern.rows, tried.k, tried.entries, 5, tested.type);
  const Columns b = random_columns(tried.k, pattern.columns, tried.entries, 900, tested.type);
  const std::vector<double> before = rounded(pattern.value, sum);
  const CsrMemory memory(pattern, Number::f32, tested.index_type);
  const DeviceBytes a_memory(stored(laid_out(a, pattern.rows, tried.a, tried.gap), tested.type));
  const DeviceBytes b_memory(stored(laid_out(b, tried.k, tried.b, tried.gap), tested.type));
  // With beta = 0, values are not read.
  const DeviceBytes values(stored(
      tried.beta == 0 ? std::vector<double>(before.size(), std::numeric_limits<double>::quiet_NaN())
                      : before,
      sum));
  Sddmm problem;
  problem.rows = pattern.rows;
  problem.columns = pattern.columns;
  problem.entries = static_cast<Index>(pattern.column.size());
  problem.k = tried.k;
  problem.index_type = tested.index_type;
  // With alpha = 0, A, B and the pattern are not read.
  if (tried.alpha != 0) {
    problem.offsets = memory.offsets.data();
    problem.column = memory.column.data();
  }
  problem.type = tested.type;
  problem.alpha = tried.alpha;
  // Without entries A and B are not read.
  if (problem.entries > 0 && tried.alpha != 0) {
    problem.a = {a_memory.data(), tried.a,
                 (tried.a == Layout::row ? tried.k : pattern.rows) + tried.gap};
    problem.b = {b_memory.data(), tried.b,
                 (tried.b == Layout::row ? pattern.columns : tried.k) + tried.gap};
  }
  problem.beta = tried.beta;
  problem.value = values.data();
  ASSERT_EQ(validate(problem), "");
  ASSERT_EQ(tested.variant->launch(problem, nullptr), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  const std::vector<double> got = numbers_in(values.to_host(), sum);
  ASSERT_EQ(got.size(), pattern.column.size());
  for (std::size_t row = 0; row + 1 < pattern.offsets.size(); ++row) {
    // The row of A as a sparse matrix: its products have the same bound.
    Csr of_a{1, tried.k, {0, tried.k}, {}, {}};
    for (Index i = 0; i < tried.k; ++i) {
      of_a.column.push_back(i);
      of_a.value.push_back(a[static_cast<std::size_t>(i)][row]);
    }
    for (auto i = static_cast<std::size_t>(pattern.offsets[row]);
         i < static_cast<std::size_t>(pattern.offsets[row + 1]); ++i) {
      const SpmvReference expected = reference(of_a, tried.k == 0 ? 0 : tried.alpha,
                                               b[static_cast<std::size_t>(pattern.column[i])],
                                               tried.beta, {before[i]}, unit_of(sum));
      const double bound = tried.entries == Entries::integers ? 0 : expected.bound[0];
      ASSERT_LE(std::abs(got[i] - expected.value[0]), bound) << "row " << row << " entry " << i;
    }
  }
}

class SddmmOf : public ::testing::TestWithParam<Tested> {};
INSTANTIATE_TEST_SUITE_P(Variants, SddmmOf, ::testing::ValuesIn(with_all_types(sddmm_variants())),
                         [](const auto& tested) { return test_name(tested.param); });

TEST_P(SddmmOf, IsExactForSmallWholeNumbers) {
  for (const auto& [name, matrix] : matrices_of_every_kind(Entries::integers)) {
    // Large matrices take long on the CPU, and show nothing that small ones do not.
    if (matrix.column.size() > 2500 || matrix.columns > 600) continue;
    SCOPED_TRACE(name);
    Case tried;
    tried.alpha = -3;
    tried.beta = 2;
    ASSERT_NO_FATAL_FAILURE(expect_product(GetParam(), matrix, tried));
  }
}

TEST_P(SddmmOf, TakesAnyLayoutsAndDepths) {
  const Csr pattern = power_law(40, 35, 500, 1.1, Entries::integers, 3);
  for (const Layout a : {Layout::row, Layout::column}) {
    for (const Layout b : {Layout::row, Layout::column}) {
      for (const Index k : {0, 1, 31, 32, 100}) {
        SCOPED_TRACE("k " + std::to_string(k));
        Case tried;
        tried.k = k;
        tried.a = a;
        tried.b = b;
        tried.gap = k % 3;
        ASSERT_NO_FATAL_FAILURE(expect_product(GetParam(), pattern, tried));
      }
    }
  }
}

TEST_P(SddmmOf, StaysWithinTheBound) {
  Case tried;
  tried.k = 333;
  tried.alpha = 0.75;
  tried.beta = -1.25;
  tried.entries = Entries::reals;
  ASSERT_NO_FATAL_FAILURE(expect_product(GetParam(), uniform(30, 25, 9, Entries::reals, 4), tried));
}

TEST_P(SddmmOf, ReadsNeitherANorBWhereAlphaOrKIs0) {
  const Csr pattern = power_law(40, 35, 500, 1.1, Entries::integers, 3);
  for (const double beta : {0.0, 1.0, -3.0}) {
    Case tried;
    tried.alpha = 0;
    tried.beta = beta;
    ASSERT_NO_FATAL_FAILURE(expect_product(GetParam(), pattern, tried));
    tried.k = 0;
    tried.alpha = std::numeric_limits<double>::infinity();
    ASSERT_NO_FATAL_FAILURE(expect_product(GetParam(), pattern, tried));
  }
}

TEST(SddmmErrors, AreNamedAndRefused) {
  const CsrMemory pattern(uniform(3, 4, 2, Entries::integers, 1), Number::f32, Integer::i32);
  alignas(8) unsigned char memory[128] = {};
  const auto reason = [&](auto change) {
    Sddmm p;
    p.rows = 3;
    p.columns = 4;
    p.entries = 6;
    p.k = 2;
    p.offsets = pattern.offsets.data();
    p.column = pattern.column.data();
    p.a = {memory, Layout::row, 2};
    p.b = {memory, Layout::column, 2};
    p.value = memory + 64;
    change(p);
    for (const SddmmVariant& variant : sddmm_variants())
      EXPECT_EQ(variant.launch(p, nullptr), cudaErrorInvalidValue) << variant.name;
    return validate(p);
  };
  EXPECT_EQ(reason([](Sddmm& p) { p.k = -1; }), "k is -1, and cannot be negative");
  EXPECT_EQ(reason([](Sddmm& p) { p.offsets = nullptr; }), "offsets is a null pointer");
  EXPECT_EQ(reason([](Sddmm& p) { p.value = nullptr; }), "value is a null pointer");
  EXPECT_EQ(reason([](Sddmm& p) { p.rows = -1; }), "rows is -1, and cannot be negative");
  EXPECT_EQ(reason([](Sddmm& p) { p.rows = 0; }), "entries is 6, and there are no rows");
  EXPECT_EQ(reason([](Sddmm& p) { p.column = static_cast<const char*>(p.column) + 1; }),
            "column does not begin at a multiple of 4 bytes");
  EXPECT_EQ(reason([](Sddmm& p) { p.a.leading = 1; }),
            "A's leading dimension is 1, and its rows have 2 elements");
  EXPECT_EQ(reason([](Sddmm& p) { p.b.data = nullptr; }), "B is a null pointer");
  EXPECT_EQ(reason([](Sddmm& p) { p.k = std::numeric_limits<std::int64_t>::max(); }),
            "k is 9223372036854775807, and at most 281474976710656 is taken");
  EXPECT_EQ(reason([](Sddmm& p) { p.b.leading = std::int64_t{1} << 62; }),
            "B's leading dimension is 4611686018427387904, and it has 4 columns: more than any "
            "device has room for");
  // A has 24 bytes, B 32.
  EXPECT_EQ(reason([&](Sddmm& p) { p.value = memory + 20; }),
            "value and A share memory: value is written while A is read");
  EXPECT_EQ(reason([&](Sddmm& p) { p.value = memory + 28; }),
            "value and B share memory: value is written while B is read");
  EXPECT_EQ(reason([](Sddmm& p) { p.value = const_cast<void*>(p.column); }),
            "value and column share memory: value is written while column is read");
}

TEST(SddmmChoice, GoesByHowTheDenseMatricesLie) {
  EXPECT_EQ(choose(Layout::row, Layout::column).variant,
            find_sddmm_variant("sddmm_warp_per_entry"));
  for (const Layout a : {Layout::row, Layout::column}) {
    EXPECT_EQ(choose(a, Layout::row).variant, find_sddmm_variant("sddmm_thread_per_entry"));
    EXPECT_NE(choose(a, Layout::row).reason, "");
  }
  EXPECT_EQ(find_sddmm_variant("sddmm_by_hand"), nullptr);
}

}  // namespace
}  // namespace archgrid::sparse
