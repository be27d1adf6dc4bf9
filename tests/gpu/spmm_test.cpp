// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Tests of products of sparse and dense matrices, on GPUs. tests/unit/kernels also compiles them
// for the CPU.
#include "sparse/spmm.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "dense_cases.hpp"

namespace archgrid::sparse {
namespace {

using Tested = TestedVariant<SpmmVariant>;

void expect_product(const Tested& tested, const Csr& m, const DenseCase& tried) {
  const CsrMemory a(m, tested.type, tested.index_type);
  const DenseOperands dense(m, tried, tested.type, rows_of_b(m));
  // Without entries B is not read.
  const Dense<const void*> b = m.column.empty() ? Dense<const void*>{} : dense.b();
  Spmm problem{a.matrix, tried.n, tried.alpha, b, tried.beta, dense.c()};
  // With alpha = 0 neither A nor B is read.
  if (tried.alpha == 0) {
    problem.a.offsets = problem.a.column = problem.a.value = nullptr;
    problem.b = {};
  }
  ASSERT_EQ(validate(problem), "");
  const DeviceBytes workspace(
      std::vector<unsigned char>(tested.variant->workspace_bytes(problem), 0x5a));
  ASSERT_EQ(tested.variant->launch(problem, workspace.data(), workspace.size(), nullptr),
            cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  workspace.to_host();
  dense.expect_product(unit_of(sum_of(tested.type)));
}

class SpmmOf : public ::testing::TestWithParam<Tested> {};
INSTANTIATE_TEST_SUITE_P(Variants, SpmmOf, ::testing::ValuesIn(with_all_types(spmm_variants())),
                         [](const auto& tested) { return test_name(tested.param); });

TEST_P(SpmmOf, IsExactForSmallWholeNumbers) {
  for (const auto& [name, matrix] : matrices_of_every_kind(Entries::integers)) {
    // Large matrices take long on the CPU, and show nothing that small ones do not.
    if (matrix.column.size() > 2500) continue;
    SCOPED_TRACE(name);
    DenseCase tried;
    tried.n = 5;
    tried.alpha = -3;
    tried.beta = 2;
    ASSERT_NO_FATAL_FAILURE(expect_product(GetParam(), matrix, tried));
  }
}

TEST_P(SpmmOf, TakesAnyLayoutsAndNumbersOfColumns) {
  const Csr matrix = power_law(60, 45, 700, 1.1, Entries::integers, 3);
  for (const Layout b : {Layout::row, Layout::column}) {
    for (const Layout c : {Layout::row, Layout::column}) {
      for (const Index n : {1, 4, 33, 130}) {
        SCOPED_TRACE("n " + std::to_string(n));
        DenseCase tried;
        tried.n = n;
        tried.b = b;
        tried.c = c;
        tried.gap = n % 3;
        ASSERT_NO_FATAL_FAILURE(expect_product(GetParam(), matrix, tried));
      }
    }
  }
}

TEST_P(SpmmOf, StaysWithinTheBound) {
  for (const Csr& matrix :
       {power_law(80, 90, 2000, 1.1, Entries::reals, 3), uniform(9, 900, 600, Entries::reals, 4)}) {
    DenseCase tried;
    tried.n = 7;
    tried.alpha = 0.75;
    tried.beta = -1.25;
    tried.entries = Entries::reals;
    ASSERT_NO_FATAL_FAILURE(expect_product(GetParam(), matrix, tried));
  }
}

TEST_P(SpmmOf, AddsUpRowsOfManyPieces) {
  std::vector<Index> lengths(40, 1);
  lengths[17] = 3000;
  lengths[18] = 1500;
  lengths[39] = 2900;
  DenseCase tried;
  tried.beta = 1;
  for (const int n : {3, 150}) {
    tried.n = n;
    ASSERT_NO_FATAL_FAILURE(
        expect_product(GetParam(), with_row_lengths(lengths, 3000, Entries::integers, 3), tried));
  }
}

TEST_P(SpmmOf, ReadsNeitherANorBWhereAlphaIs0) {
  const Csr matrix = power_law(60, 45, 700, 1.1, Entries::integers, 3);
  for (const Layout c : {Layout::row, Layout::column}) {
    for (const double beta : {0.0, 1.0, -3.0}) {
      DenseCase tried;
      tried.n = 33;
      tried.c = c;
      tried.gap = 2;
      tried.alpha = 0;
      tried.beta = beta;
      ASSERT_NO_FATAL_FAILURE(expect_product(GetParam(), matrix, tried));
    }
  }
}

TEST(SpmmWorkspace, IsNeededInFull) {
  const CsrMemory a(power_law(60, 45, 700, 1.1, Entries::integers, 3), Number::f64, Integer::i32);
  const DeviceBytes b(std::vector<unsigned char>(45 * 5 * 8));
  const DeviceBytes c(std::vector<unsigned char>(60 * 5 * 8));
  Spmm p{a.matrix, 5, 1, {b.data(), Layout::row, 5}, 0, {c.data(), Layout::row, 5}};
  for (const SpmmVariant& variant : spmm_variants()) {
    SCOPED_TRACE(variant.name);
    const auto launch = [&](void* memory, std::size_t bytes) {
      return variant.launch(p, memory, bytes, nullptr);
    };
    const auto reason = [&](void* memory, std::size_t bytes) {
      return validate(variant, p, memory, bytes);
    };
    if (variant.workspace_bytes(p) > 0) {
      expect_just_enough(variant.workspace_bytes(p), launch, reason);
    } else {
      EXPECT_EQ(reason(nullptr, 0), "");
      EXPECT_EQ(launch(nullptr, 0), cudaSuccess);
    }
  }
  const SpmmVariant& merge = *find_spmm_variant("spmm_merge");
  // 760 rows and entries in pieces of 256: the number of a row and five sums each.
  EXPECT_EQ(merge.workspace_bytes(p), 3u * (8 + 5 * 8));
  p.n = 0;
  EXPECT_EQ(merge.workspace_bytes(p), 0u);
  EXPECT_EQ(merge.launch(p, nullptr, 0, nullptr), cudaSuccess) << "there is nothing to do";
}

TEST(SpmmWorkspace, IsCountedWithoutOverflow) {
  Spmm p;
  p.a.index_type = Integer::i64;
  p.a.rows = std::int64_t{1} << 33;
  p.a.columns = 1;
  p.a.entries = std::int64_t{1} << 36;
  p.n = 65535 * 128;
  EXPECT_EQ(find_spmm_variant("spmm_merge")->workspace_bytes(p),
            (9ull << 33) / 256 * (8 + 65535ull * 128 * 8));
}

TEST(SpmmErrors, AreNamedAndRefused) {
  const CsrMemory a(uniform(3, 4, 2, Entries::integers, 1), Number::f32, Integer::i32);
  alignas(8) unsigned char memory[64] = {};
  unsigned char* const c = memory + 32;
  const auto reason = [&](auto change) {
    Spmm p{a.matrix, 2, 1, {memory, Layout::row, 2}, 0, {c, Layout::row, 2}};
    change(p);
    for (const SpmmVariant& variant : spmm_variants())
      EXPECT_EQ(variant.launch(p, memory, sizeof memory, nullptr), cudaErrorInvalidValue)
          << variant.name;
    return validate(p);
  };
  EXPECT_EQ(reason([](Spmm& p) { p.n = -1; }), "n is -1, and cannot be negative");
  EXPECT_EQ(reason([](Spmm& p) { p.a.offsets = nullptr; }), "offsets is a null pointer");
  EXPECT_EQ(reason([](Spmm& p) { p.b.leading = 1; }),
            "B's leading dimension is 1, and its rows have 2 elements");
  EXPECT_EQ(reason([](Spmm& p) {
              p.c.layout = Layout::column;
              p.c.leading = 2;
            }),
            "C's leading dimension is 2, and its columns have 3 elements");
  EXPECT_EQ(reason([](Spmm& p) { p.b.data = nullptr; }), "B is a null pointer");
  EXPECT_EQ(reason([&](Spmm& p) { p.c.data = c + 2; }),
            "C does not begin at a multiple of 4 bytes");
  EXPECT_EQ(reason([](Spmm& p) { p.n = 1ll << 40; }),
            "n is 1099511627776, and at most 8388480 is taken");
  EXPECT_EQ(reason([](Spmm& p) { p.b.leading = std::numeric_limits<std::int64_t>::max(); }),
            "B's leading dimension is 9223372036854775807, and it has 4 rows: more than any device "
            "has room for");
  EXPECT_EQ(reason([](Spmm& p) { p.c.leading = 1ll << 47; }),
            "C's leading dimension is 140737488355328, and it has 3 rows: more than any device has "
            "room for");
}

TEST(SpmmErrors, AreMatricesThatAreReadAndWritten) {
  const CsrMemory a(uniform(3, 4, 2, Entries::integers, 1), Number::f32, Integer::i32);
  alignas(8) unsigned char memory[256] = {};
  const auto reason = [&](Layout layout, const void* b, const void* c, std::int64_t leading) {
    const Spmm p{a.matrix, 2, 1, {b, layout, leading}, 0, {const_cast<void*>(c), layout, leading}};
    const std::string found = validate(p);
    for (const SpmmVariant& variant : spmm_variants()) {
      if (!found.empty()) {
        EXPECT_EQ(variant.launch(p, memory, sizeof memory, nullptr), cudaErrorInvalidValue)
            << variant.name;
      }
    }
    return found;
  };
  const std::string b_and_c = "C and B share memory: C is written while B is read";
  // B has 4 rows of 2 elements, C has 3.
  EXPECT_EQ(reason(Layout::row, memory, memory, 2), b_and_c);
  EXPECT_EQ(reason(Layout::row, memory, memory + 28, 2), b_and_c);
  EXPECT_EQ(reason(Layout::row, memory, memory + 32, 2), "");
  EXPECT_EQ(reason(Layout::row, memory + 24, memory, 2), "");
  // B and C lie side by side in rows of 8 elements: each has two.
  EXPECT_EQ(reason(Layout::row, memory, memory + 8, 8), "");
  EXPECT_EQ(reason(Layout::row, memory + 24, memory, 8), "");
  EXPECT_EQ(reason(Layout::row, memory, memory + 28, 8), b_and_c) << "at the ends of rows";
  EXPECT_EQ(reason(Layout::row, memory, memory + 4, 8), b_and_c);
  EXPECT_EQ(reason(Layout::column, memory, memory + 16, 8), "");
  EXPECT_EQ(reason(Layout::column, memory, memory + 12, 8), b_and_c);
  EXPECT_EQ(reason(Layout::row, memory, a.matrix.value, 2),
            "C and value share memory: C is written while value is read");
  EXPECT_EQ(reason(Layout::row, memory, a.matrix.offsets, 2),
            "C and offsets share memory: C is written while offsets is read");
}

TEST(SpmmErrors, AreOfExtentsThatNeedNoWorkspace) {
  constexpr std::int64_t max = std::numeric_limits<std::int64_t>::max();
  for (const SpmmVariant& variant : spmm_variants()) {
    Spmm p;
    p.a.index_type = Integer::i64;
    p.n = max;
    EXPECT_EQ(variant.workspace_bytes(p), 0u) << variant.name;
    p.n = 1;
    p.a.rows = p.a.columns = p.a.entries = max;
    EXPECT_EQ(variant.workspace_bytes(p), 0u) << variant.name;
  }
}

TEST(SpmmChoice, GoesByTheRowsAndByB) {
  const auto chosen = [](const RowStatistics& rows, Layout b, std::int64_t n) {
    const SpmmChoice choice = choose(rows, b, n);
    return std::string(choice.variant->name) + ": " + choice.reason;
  };
  EXPECT_EQ(chosen({100, 1000, 20, 0}, Layout::row, 9),
            "spmm_lane_per_column: B's rows lie side by side: lanes read neighbouring columns of "
            "them");
  EXPECT_EQ(chosen({100, 1000, 20, 0}, Layout::column, 128),
            "spmm_lane_per_entry: B's columns lie side by side: lanes share the entries of a row "
            "out");
  EXPECT_EQ(chosen({100, 1000, 20, 0}, Layout::row, 8),
            "spmm_lane_per_entry: B has 8 columns: lanes share the entries of a row out");
  EXPECT_EQ(
      chosen({1000, 20000, 9000, 0}, Layout::row, 8),
      "spmm_merge: the longest row has 9000 of 20000 entries: rows are cut into equal pieces");
  for (const std::int64_t rows : {1, 4, 8, 100})
    EXPECT_EQ(choose({rows, rows * 100000, 100000, 0}, Layout::row, 128).variant,
              find_spmm_variant("spmm_merge"))
        << rows << " warps would have all the work";
  EXPECT_EQ(choose({4096, 4096 * 1000, 1000, 0}, Layout::row, 128).variant,
            find_spmm_variant("spmm_lane_per_column"));
  EXPECT_EQ(find_spmm_variant("spmm_by_hand"), nullptr);
  constexpr std::int64_t max = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(choose({max, max, max, 0}, Layout::row, 128).variant, find_spmm_variant("spmm_merge"));
  const SpmmChoice none = choose({-3, 0, 0, 0}, Layout::row, 128);
  EXPECT_EQ(none.variant, nullptr);
  EXPECT_EQ(none.reason, "rows is -3, and cannot be negative");
  EXPECT_EQ(choose({100, 1000, 20, 0}, Layout::row, -1).reason, "n is -1, and cannot be negative");
}

}  // namespace
}  // namespace archgrid::sparse
