// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Tests of products of matrices of dense blocks and dense matrices, on GPUs. tests/unit/kernels
// also compiles them for the CPU.
#include "sparse/bsrmm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "bsr_memory.hpp"
#include "dense_cases.hpp"
#include "sparse/variant.h"

namespace archgrid::sparse {
namespace {

using Tested = TestedVariant<BsrmmVariant>;

bool is_on_tensor_cores(const Tested& tested) {
  return row(tested.variant->name).instruction == std::string("HMMA");
}

// Returns for each row of B whether a block multiplies it.
std::vector<bool> rows_of_b(const Bsr& m) {
  std::vector<bool> rows(static_cast<std::size_t>(m.columns), false);
  for (const Index column : m.column) {
    for (Index k = column * m.block_columns;
         k < std::min(m.columns, (column + 1) * m.block_columns); ++k)
      rows[static_cast<std::size_t>(k)] = true;
  }
  return rows;
}

void expect_product(const Tested& tested, const Bsr& m, const DenseCase& tried) {
  SCOPED_TRACE("blocks of " + std::to_string(m.block_rows) + " x " +
               std::to_string(m.block_columns));
  const BsrMemory a(m, tested.type, tested.index_type);
  const DenseOperands dense(csr_of(m), tried, tested.type, rows_of_b(m));
  // Without blocks B is not read.
  const Dense<const void*> b = m.column.empty() ? Dense<const void*>{} : dense.b();
  Bsrmm problem{a.matrix, tried.n, tried.alpha, b, tried.beta, dense.c()};
  // With alpha = 0 neither A nor B is read.
  if (tried.alpha == 0) {
    problem.a.offsets = problem.a.column = problem.a.value = nullptr;
    problem.b = {};
  }
  ASSERT_EQ(validate(problem), "");
  ASSERT_EQ(tested.variant->validate(problem), "");
  ASSERT_EQ(tested.variant->launch(problem, nullptr), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  // Tensor cores truncate sums: at most four roundings per product (docs/cpu-emulator.md).
  const double unit = unit_of(sum_of(tested.type));
  dense.expect_product(is_on_tensor_cores(tested) ? 4 * unit : unit);
}

std::vector<Tested> those_that_run() {
  int device = 0;
  EXPECT_EQ(current_device(&device), cudaSuccess);
  std::vector<Tested> all;
  for (const Tested& tested : with_all_types(bsrmm_variants())) {
    if (is_on_tensor_cores(tested) && tested.type != Number::f16) continue;
    if (device >= row(tested.variant->name).first_device && tested.variant->launch != nullptr)
      all.push_back(tested);
  }
  return all;
}

/// Runs `body` for each variant and its types that this device supports.
template <class Body>
void for_each(Body body) {
  for (const Tested& tested : those_that_run()) {
    SCOPED_TRACE(test_name(tested));
    ASSERT_NO_FATAL_FAILURE(body(tested));
  }
}

using Extents = std::vector<std::pair<Index, Index>>;

/// Returns extents of blocks: some that every variant supports, and others without tensor cores.
Extents extents_for(const Tested& tested) {
  Extents extents = {{1, 8}, {8, 8}, {5, 24}, {16, 16}, {20, 40}, {32, 32}, {65, 8}, {130, 16}};
  if (!is_on_tensor_cores(tested)) {
    const Extents others = {{1, 1}, {2, 3}, {7, 5}, {33, 17}};
    extents.insert(extents.end(), others.begin(), others.end());
  }
  return extents;
}

TEST(Bsrmm, HasAVariantForEveryDevice) {
  EXPECT_FALSE(those_that_run().empty());
}

TEST(Bsrmm, IsExactForSmallWholeNumbers) {
  for_each([](const Tested& tested) {
    for (const auto& [block_rows, block_columns] : extents_for(tested)) {
      for (const auto& [name, matrix] : matrices_of_every_kind(Entries::integers)) {
        // Large matrices take long on the CPU, and show nothing that small ones do not.
        if (matrix.column.size() > 300 || matrix.columns > 400) continue;
        SCOPED_TRACE(name);
        DenseCase tried;
        tried.n = 5;
        tried.alpha = -3;
        tried.beta = 2;
        ASSERT_NO_FATAL_FAILURE(
            expect_product(tested, bsr_of(matrix, block_rows, block_columns), tried));
      }
    }
  });
}

TEST(Bsrmm, GoesThroughLongRowsOfBlocksOfAnyExtents) {
  const Csr matrix = power_law(40, 60, 500, 0.8, Entries::integers, 3);
  for_each([&](const Tested& tested) {
    for (const auto& [block_rows, block_columns] : extents_for(tested)) {
      DenseCase tried;
      tried.n = 3;
      ASSERT_NO_FATAL_FAILURE(
          expect_product(tested, bsr_of(matrix, block_rows, block_columns), tried));
    }
  });
}

TEST(Bsrmm, TakesAnyLayoutsAndNumbersOfColumns) {
  const Csr matrix = power_law(60, 45, 700, 1.1, Entries::integers, 3);
  for_each([&](const Tested& tested) {
    for (const Layout b : {Layout::row, Layout::column}) {
      for (const Layout c : {Layout::row, Layout::column}) {
        // The last one leaves B aligned to 16 bytes, with elements beyond whole vectors.
        for (const auto& [n, gap] : {std::pair<Index, Index>{1, 1}, {33, 0}, {130, 6}}) {
          SCOPED_TRACE("n " + std::to_string(n));
          DenseCase tried;
          tried.n = n;
          tried.b = b;
          tried.c = c;
          tried.gap = b == Layout::row ? gap : (gap + 3) / 8 * 8 + (gap == 6 ? 3 : 0);
          ASSERT_NO_FATAL_FAILURE(expect_product(tested, bsr_of(matrix, 12, 16), tried));
        }
      }
    }
  });
}

TEST(Bsrmm, ReadsNoRowOfBThatNoBlockMultiplies) {
  // One block leaves room for others in a k-tile.
  Csr matrix = uniform(8, 8, 3, Entries::integers, 5);
  matrix.columns = 48;
  for (Index& column : matrix.column) column += 40;
  for_each([&](const Tested& tested) {
    for (const Layout b : {Layout::row, Layout::column}) {
      DenseCase tried;
      tried.n = 8;
      tried.b = b;
      ASSERT_NO_FATAL_FAILURE(expect_product(tested, bsr_of(matrix, 8, 8), tried));
    }
  });
}

TEST(Bsrmm, StaysWithinTheBound) {
  for_each([](const Tested& tested) {
    for (const Csr& matrix :
         {blocks(3, 20, 16, 6, Entries::reals, 3), uniform(9, 900, 600, Entries::reals, 4)}) {
      DenseCase tried;
      tried.n = 7;
      tried.alpha = 0.75;
      tried.beta = -1.25;
      tried.entries = Entries::reals;
      ASSERT_NO_FATAL_FAILURE(expect_product(tested, bsr_of(matrix, 16, 32), tried));
    }
  });
}

TEST(Bsrmm, ReadsNeitherANorBWhereAlphaIs0) {
  const Csr matrix = power_law(40, 60, 500, 0.8, Entries::integers, 3);
  for_each([&](const Tested& tested) {
    for (const Layout c : {Layout::row, Layout::column}) {
      for (const double beta : {0.0, 1.0, -3.0}) {
        DenseCase tried;
        tried.n = 13;
        tried.c = c;
        tried.gap = 2;
        tried.alpha = 0;
        tried.beta = beta;
        ASSERT_NO_FATAL_FAILURE(expect_product(tested, bsr_of(matrix, 12, 16), tried));
      }
    }
  });
}

/// A small valid problem.
struct SmallProblem {
  SmallProblem()
      : a(bsr_of(uniform(8, 8, 4, Entries::integers, 1), 4, 8), Number::f16, Integer::i32),
        dense(std::vector<unsigned char>(512)),
        other(std::vector<unsigned char>(512)),
        problem{a.matrix, 2, 1, {dense.data(), Layout::row, 2}, 0, {other.data(), Layout::row, 2}} {
  }

  BsrMemory a;
  DeviceBytes dense;
  DeviceBytes other;
  Bsrmm problem;
};

TEST(BsrmmErrors, AreNamedAndRefused) {
  const auto reason = [](auto change) {
    SmallProblem small;
    change(small.problem);
    for (const BsrmmVariant& variant : bsrmm_variants()) {
      if (variant.launch == nullptr) continue;
      EXPECT_EQ(variant.launch(small.problem, nullptr), cudaErrorInvalidValue) << variant.name;
    }
    return validate(small.problem);
  };
  EXPECT_EQ(reason([](Bsrmm& p) { p.n = -1; }), "n is -1, and cannot be negative");
  EXPECT_EQ(reason([](Bsrmm& p) { p.a.blocks = -5; }), "blocks is -5, and cannot be negative");
  EXPECT_EQ(reason([](Bsrmm& p) { p.a.columns = 0; }), "blocks is 2, and there are no columns");
  EXPECT_EQ(reason([](Bsrmm& p) { p.n = 1ll << 40; }),
            "n is 1099511627776, and at most 4194240 is taken");
  EXPECT_EQ(reason([](Bsrmm& p) { p.a.block_columns = 0; }),
            "blocks have 1 to 1024 rows and columns, not 0");
  EXPECT_EQ(reason([](Bsrmm& p) { p.a.block_rows = 1025; }),
            "blocks have 1 to 1024 rows and columns, not 1025");
  EXPECT_EQ(reason([](Bsrmm& p) { p.a.blocks = 1ll << 33; }),
            "blocks is 8589934592, which integers of 32 bits do not count: take those of 64");
  EXPECT_EQ(reason([](Bsrmm& p) { p.a.rows = 1ll << 31; }),
            "rows is 2147483648, and at most 2147483647 is taken");
  EXPECT_EQ(reason([](Bsrmm& p) { p.a.offsets = nullptr; }), "offsets is a null pointer");
  EXPECT_EQ(reason([](Bsrmm& p) { p.a.column = nullptr; }), "column is a null pointer");
  EXPECT_EQ(reason([](Bsrmm& p) { p.a.offsets = static_cast<const char*>(p.a.offsets) + 3; }),
            "offsets does not begin at a multiple of 4 bytes");
  EXPECT_EQ(reason([](Bsrmm& p) { p.a.value = static_cast<const char*>(p.a.value) + 1; }),
            "value does not begin at a multiple of 2 bytes");
  EXPECT_EQ(reason([](Bsrmm& p) { p.b.leading = 1; }),
            "B's leading dimension is 1, and its rows have 2 elements");
  EXPECT_EQ(reason([](Bsrmm& p) { p.c.data = nullptr; }), "C is a null pointer");
  EXPECT_EQ(reason([](Bsrmm& p) { p.c.leading = 1ll << 62; }),
            "C's leading dimension is 4611686018427387904, and it has 8 rows: more than any device "
            "has room for");
}

TEST(BsrmmErrors, AreMatricesThatAreReadAndWritten) {
  const auto reason = [](auto change) {
    SmallProblem small;
    change(small.problem);
    const std::string found = validate(small.problem);
    EXPECT_EQ(choose(small.problem).reason == found, !found.empty());
    for (const BsrmmVariant& variant : bsrmm_variants()) {
      if (variant.launch != nullptr && !found.empty()) {
        EXPECT_EQ(variant.launch(small.problem, nullptr), cudaErrorInvalidValue) << variant.name;
      }
    }
    return found;
  };
  const auto behind = [](const void* data, int bytes) {
    return const_cast<char*>(static_cast<const char*>(data)) + bytes;
  };
  const std::string b_and_c = "C and B share memory: C is written while B is read";
  EXPECT_EQ(reason([](Bsrmm&) {}), "");
  // B has 32 bytes.
  EXPECT_EQ(reason([&](Bsrmm& p) { p.c.data = behind(p.b.data, 28); }), b_and_c);
  EXPECT_EQ(reason([&](Bsrmm& p) { p.c.data = behind(p.b.data, 32); }), "");
  // B and C lie side by side in rows of 32 bytes: B has 4 bytes of each, C has 8.
  const auto in_lines = [&](int bytes) {
    return reason([&](Bsrmm& p) {
      p.b.leading = 16;
      p.c = {behind(p.b.data, bytes), Layout::row, 8};
    });
  };
  EXPECT_EQ(in_lines(0), b_and_c);
  EXPECT_EQ(in_lines(4), "");
  EXPECT_EQ(in_lines(24), "");
  EXPECT_EQ(in_lines(28), b_and_c);
  EXPECT_EQ(reason([](Bsrmm& p) { p.c.data = const_cast<void*>(p.a.offsets); }),
            "C and offsets share memory: C is written while offsets is read");
  EXPECT_EQ(reason([](Bsrmm& p) { p.c.data = const_cast<void*>(p.a.column); }),
            "C and column share memory: C is written while column is read");
  // The values are 2 blocks of 32 elements of 2 bytes.
  EXPECT_EQ(reason([&](Bsrmm& p) { p.c.data = behind(p.a.value, 124); }),
            "C and value share memory: C is written while value is read");
  EXPECT_EQ(reason([&](Bsrmm& p) { p.c.data = behind(p.a.value, 128); }), "");
}

TEST(BsrmmErrors, AreWhatAVariantDoesNotTake) {
  const BsrmmVariant* const variant = find_bsrmm_variant("bsrmm_mma_f16");
  ASSERT_NE(variant, nullptr);
  if (variant->launch == nullptr) return;
  const auto launched = [&](auto change) {
    SmallProblem small;
    change(small.problem);
    EXPECT_EQ(validate(small.problem), "");
    return variant->launch(small.problem, nullptr);
  };
  EXPECT_EQ(launched([](Bsrmm& p) { p.a.type = Number::f32; }), cudaErrorInvalidValue);
  EXPECT_EQ(launched([](Bsrmm& p) { p.a.block_columns = 12; }), cudaErrorInvalidValue);
  EXPECT_EQ(launched([](Bsrmm& p) { p.a.value = static_cast<const char*>(p.a.value) + 2; }),
            cudaErrorInvalidValue);
}

TEST(BsrmmChoice, GoesByTheDeviceAndTheBlocks) {
  const auto chosen = [](int device, bool has_all, auto change) {
    SmallProblem small;
    change(small.problem);
    const BsrmmChoice choice = choose(
        small.problem, device,
        has_all ? +[](const BsrmmVariant&) { return true; }
                : +[](const BsrmmVariant& v) { return v.name == std::string("bsrmm_simt"); });
    return (choice.variant == nullptr ? "none" : std::string(choice.variant->name)) + ": " +
           choice.reason;
  };
  const auto as_it_is = [](Bsrmm&) {};
  const std::string first = "the first that takes the problem";
  if (row("bsrmm_mma_f16").is_built) {
    EXPECT_EQ(chosen(80, true, as_it_is), "bsrmm_mma_f16: " + first);
    EXPECT_EQ(
        chosen(80, false, as_it_is),
        "bsrmm_simt: " + first + "; bsrmm_mma_f16 has no image for device 8.0 in this binary");
  }
  EXPECT_EQ(chosen(61, true, as_it_is),
            "bsrmm_simt: " + first + "; bsrmm_mma_f16 needs a device from 7.5 on, this is 6.1");
  EXPECT_EQ(chosen(80, true, [](Bsrmm& p) { p.a.type = Number::f32; }),
            "bsrmm_simt: " + first + "; bsrmm_mma_f16 computes f16");
  EXPECT_EQ(chosen(80, true, [](Bsrmm& p) { p.a.block_columns = 12; }),
            "bsrmm_simt: " + first +
                "; bsrmm_mma_f16 needs blocks of a multiple of 8 columns, these have 12");
  EXPECT_EQ(
      chosen(80, true, [](Bsrmm& p) { p.a.value = static_cast<const char*>(p.a.value) + 2; }),
      "bsrmm_simt: " + first + "; bsrmm_mma_f16 needs values that begin at a multiple of 16 bytes");
  EXPECT_EQ(find_bsrmm_variant("bsrmm_by_hand"), nullptr);
  EXPECT_EQ(chosen(80, true, [](Bsrmm& p) { p.a.column = nullptr; }),
            "none: column is a null pointer");
  EXPECT_EQ(chosen(80, true, [](Bsrmm& p) { p.n = -1; }), "none: n is -1, and cannot be negative");
}

}  // namespace
}  // namespace archgrid::sparse
