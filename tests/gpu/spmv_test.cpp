// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Tests of products of sparse matrices and vectors, on GPUs. tests/unit/kernels also compiles them
// for the CPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "spmv_cases.hpp"

namespace archgrid::sparse {
namespace {

using Tested = TestedVariant<SpmvVariant>;

struct Vectors {
  std::vector<double> x;
  std::vector<double> y;
};

Vectors vectors_for(const Csr& m, const Tested& tested, Entries entries) {
  // The values of matrices with one row.
  return {rounded(uniform(1, m.columns, m.columns, entries, 8).value, tested.type),
          rounded(uniform(1, m.rows, m.rows, entries, 9).value, sum_of(tested.type))};
}

std::vector<double> run(const Tested& tested, const Csr& m, const Vectors& vectors, double alpha,
                        double beta) {
  const CsrMemory a(m, tested.type, tested.index_type);
  const DeviceBytes x(stored(vectors.x, tested.type));
  const DeviceBytes y(stored(vectors.y, sum_of(tested.type)));
  // Without entries x is not read.
  const Spmv problem{a.matrix, alpha, m.column.empty() ? nullptr : x.data(), beta, y.data()};
  EXPECT_EQ(validate(problem), "");
  const DeviceBytes workspace(
      std::vector<unsigned char>(tested.variant->workspace_bytes(problem), 0x5a));
  EXPECT_EQ(tested.variant->launch(problem, workspace.data(), workspace.size(), nullptr),
            cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  workspace.to_host();
  return numbers_in(y.to_host(), sum_of(tested.type));
}

void expect_within(const std::vector<double>& got, const SpmvReference& expected, bool is_exact) {
  ASSERT_EQ(got.size(), expected.value.size());
  for (std::size_t row = 0; row < got.size(); ++row) {
    const double bound = is_exact ? 0 : expected.bound[row];
    ASSERT_LE(std::abs(got[row] - expected.value[row]), bound)
        << "row " << row << " is " << got[row] << ", not " << expected.value[row];
  }
}

class SpmvOf : public ::testing::TestWithParam<Tested> {};
INSTANTIATE_TEST_SUITE_P(Variants, SpmvOf, ::testing::ValuesIn(with_all_types(spmv_variants())),
                         [](const auto& tested) { return test_name(tested.param); });

TEST_P(SpmvOf, IsExactForSmallWholeNumbers) {
  for (const auto& [name, matrix] : matrices_of_every_kind(Entries::integers)) {
    SCOPED_TRACE(name);
    for (const double beta : {0.0, 2.0}) {
      Vectors vectors = vectors_for(matrix, GetParam(), Entries::integers);
      const SpmvReference expected = reference(matrix, -3, vectors.x, beta, vectors.y, 0);
      // With beta = 0, y is not read.
      if (beta == 0) vectors.y.assign(vectors.y.size(), std::numeric_limits<double>::quiet_NaN());
      expect_within(run(GetParam(), matrix, vectors, -3, beta), expected, true);
    }
  }
}

TEST_P(SpmvOf, StaysWithinTheBound) {
  for (auto& [name, matrix] : matrices_of_every_kind(Entries::reals)) {
    SCOPED_TRACE(name);
    Csr as_stored = matrix;
    as_stored.value = rounded(matrix.value, GetParam().type);
    const Vectors vectors = vectors_for(matrix, GetParam(), Entries::reals);
    expect_within(
        run(GetParam(), matrix, vectors, 0.75, -1.25),
        reference(as_stored, 0.75, vectors.x, -1.25, vectors.y, unit_of(sum_of(GetParam().type))),
        false);
  }
}

TEST_P(SpmvOf, IsTheSameAgain) {
  const Csr matrix = power_law(300, 300, 9000, 1.1, Entries::reals, 3);
  const Vectors vectors = vectors_for(matrix, GetParam(), Entries::reals);
  const std::vector<double> first = run(GetParam(), matrix, vectors, 1, 0);
  Csr as_stored = matrix;
  as_stored.value = rounded(matrix.value, GetParam().type);
  expect_within(first, reference(as_stored, 1, vectors.x, 0, {}, unit_of(sum_of(GetParam().type))),
                false);
  EXPECT_EQ(run(GetParam(), matrix, vectors, 1, 0), first);
}

TEST_P(SpmvOf, AddsUpRowsOfManyTiles) {
  std::vector<Index> lengths(40, 1);
  lengths[17] = 90000;
  lengths[18] = 2000;
  lengths[39] = 40000;
  const Csr matrix = with_row_lengths(lengths, 90000, Entries::integers, 3);
  const Vectors vectors = vectors_for(matrix, GetParam(), Entries::integers);
  expect_within(run(GetParam(), matrix, vectors, 1, 2),
                reference(matrix, 1, vectors.x, 2, vectors.y, 0), true);
}

TEST_P(SpmvOf, ReadsNeitherTheMatrixNorXWhereAlphaIs0) {
  const Csr matrix = power_law(300, 200, 3000, 1.1, Entries::integers, 3);
  const Vectors vectors = vectors_for(matrix, GetParam(), Entries::integers);
  const Number sum = sum_of(GetParam().type);
  Spmv problem;
  problem.a.rows = matrix.rows;
  problem.a.columns = matrix.columns;
  problem.a.entries = static_cast<std::int64_t>(matrix.column.size());
  problem.a.index_type = GetParam().index_type;
  problem.a.type = GetParam().type;
  for (const double beta : {0.0, 1.0, -3.0}) {
    // The last is 0 as f32.
    for (const double alpha : {0.0, sum == Number::f32 ? 1e-60 : -0.0}) {
      std::vector<double> before = vectors.y;
      if (beta == 0) before.assign(before.size(), std::numeric_limits<double>::quiet_NaN());
      const DeviceBytes y(stored(before, sum));
      problem.alpha = alpha;
      problem.beta = beta;
      problem.y = y.data();
      ASSERT_EQ(validate(problem), "");
      const SpmvVariant& variant = *GetParam().variant;
      const DeviceBytes workspace(std::vector<unsigned char>(variant.workspace_bytes(problem)));
      ASSERT_EQ(variant.launch(problem, workspace.data(), workspace.size(), nullptr), cudaSuccess);
      ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
      expect_within(numbers_in(y.to_host(), sum), reference(matrix, 0, {}, beta, vectors.y, 0),
                    true);
    }
  }
}

TEST(SpmvWorkspace, IsNeededInFull) {
  const CsrMemory a(power_law(300, 300, 9000, 1.1, Entries::integers, 3), Number::f64,
                    Integer::i32);
  const DeviceBytes x(std::vector<unsigned char>(300 * 8));
  const DeviceBytes y(std::vector<unsigned char>(300 * 8));
  const Spmv p{a.matrix, 1, x.data(), 0, y.data()};
  for (const SpmvVariant& variant : spmv_variants()) {
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
  // Tiles of 1024 rows and entries, of 16 bytes each.
  const auto tiles = static_cast<std::size_t>(p.a.rows + p.a.entries + 1023) / 1024;
  EXPECT_EQ(find_spmv_variant("spmv_merge")->workspace_bytes(p), tiles * 16);
}

TEST(SpmvWorkspace, IsCountedWithoutOverflow) {
  Spmv p;
  p.a.index_type = Integer::i64;
  p.a.rows = std::int64_t{1} << 33;
  p.a.columns = 1;
  p.a.entries = std::int64_t{1} << 36;
  EXPECT_EQ(find_spmv_variant("spmv_merge")->workspace_bytes(p), (9ull << 33) / 1024 * 16);
}

TEST(SpmvRows, NeedTheirWorkspaceInFull) {
  const CsrMemory a(uniform(3, 4, 2, Entries::integers, 1), Number::f32, Integer::i32);
  RowStatistics rows;
  expect_just_enough(
      measure_rows_bytes,
      [&](void* memory, std::size_t bytes) {
        return measure_rows(a.matrix, memory, bytes, &rows, nullptr);
      },
      [&](void* memory, std::size_t bytes) {
        return validate_measure_rows(a.matrix, memory, bytes);
      });
}

TEST(SpmvErrors, AreNamedAndRefused) {
  const CsrMemory a(uniform(3, 4, 2, Entries::integers, 1), Number::f32, Integer::i32);
  alignas(8) unsigned char memory[64] = {};
  unsigned char* const y = memory + 32;
  const auto reason = [&](auto change) {
    Spmv p{a.matrix, 1, memory, 0, y};
    change(p);
    for (const SpmvVariant& variant : spmv_variants())
      EXPECT_EQ(variant.launch(p, memory, sizeof memory, nullptr), cudaErrorInvalidValue)
          << variant.name;
    return validate(p);
  };
  EXPECT_EQ(reason([](Spmv& p) { p.a.rows = -1; }), "rows is -1, and cannot be negative");
  EXPECT_EQ(reason([](Spmv& p) { p.a.entries = -7; }), "entries is -7, and cannot be negative");
  EXPECT_EQ(reason([](Spmv& p) { p.a.columns = 0; }), "entries is 6, and there are no columns");
  EXPECT_EQ(reason([](Spmv& p) { p.a.rows = 0; }), "entries is 6, and there are no rows");
  EXPECT_EQ(reason([](Spmv& p) { p.a.offsets = nullptr; }), "offsets is a null pointer");
  EXPECT_EQ(reason([](Spmv& p) { p.a.column = nullptr; }), "column is a null pointer");
  EXPECT_EQ(reason([](Spmv& p) { p.a.value = nullptr; }), "value is a null pointer");
  EXPECT_EQ(reason([](Spmv& p) { p.x = nullptr; }), "x is a null pointer");
  EXPECT_EQ(reason([](Spmv& p) { p.y = nullptr; }), "y is a null pointer");
  EXPECT_EQ(reason([&](Spmv& p) { p.y = y + 1; }), "y does not begin at a multiple of 4 bytes");
  EXPECT_EQ(reason([&](Spmv& p) { p.x = memory + 2; }),
            "x does not begin at a multiple of 4 bytes");
  EXPECT_EQ(reason([](Spmv& p) { p.a.offsets = static_cast<const char*>(p.a.offsets) + 2; }),
            "offsets does not begin at a multiple of 4 bytes");
  EXPECT_EQ(reason([](Spmv& p) {
              p.a.index_type = Integer::i64;
              p.a.column = static_cast<const char*>(p.a.column) + 4;
            }),
            "column does not begin at a multiple of 8 bytes");
  EXPECT_EQ(reason([](Spmv& p) { p.a.entries = 3000000000; }),
            "entries is 3000000000, which integers of 32 bits do not count: take those of 64");
  EXPECT_EQ(reason([](Spmv& p) { p.a.rows = (std::int64_t{1} << 33) + 1; }),
            "rows is 8589934593, and at most 8589934592 is taken");
  EXPECT_EQ(reason([](Spmv& p) {
              p.a.index_type = Integer::i64;
              p.a.entries = (std::int64_t{1} << 36) + 1;
            }),
            "entries is 68719476737, and at most 68719476736 is taken");
  EXPECT_EQ(reason([](Spmv& p) { p.a.columns = std::int64_t{1} << 62; }),
            "columns is 4611686018427387904, and at most 281474976710656 is taken");
  Spmv nothing;
  for (const SpmvVariant& variant : spmv_variants())
    EXPECT_EQ(variant.launch(nothing, memory, sizeof memory, nullptr), cudaSuccess)
        << "there is nothing to do";
}

TEST(SpmvErrors, AreArraysThatAreReadAndWritten) {
  const CsrMemory a(uniform(3, 4, 2, Entries::integers, 1), Number::f32, Integer::i32);
  alignas(8) unsigned char memory[64] = {};
  const auto reason = [&](const void* x, const void* y) {
    const Spmv p{a.matrix, 1, x, 0, const_cast<void*>(y)};
    const std::string found = validate(p);
    for (const SpmvVariant& variant : spmv_variants()) {
      if (!found.empty()) {
        EXPECT_EQ(variant.launch(p, memory, sizeof memory, nullptr), cudaErrorInvalidValue)
            << variant.name;
      }
    }
    return found;
  };
  const std::string x_and_y = "y and x share memory: y is written while x is read";
  EXPECT_EQ(reason(memory, memory), x_and_y);
  // x has 16 bytes, y 12.
  EXPECT_EQ(reason(memory, memory + 12), x_and_y);
  EXPECT_EQ(reason(memory + 8, memory), x_and_y);
  EXPECT_EQ(reason(memory, memory + 16), "");
  EXPECT_EQ(reason(memory + 12, memory), "");
  EXPECT_EQ(reason(memory, static_cast<const char*>(a.matrix.offsets) + 12),
            "y and offsets share memory: y is written while offsets is read");
  EXPECT_EQ(reason(memory, a.matrix.column),
            "y and column share memory: y is written while column is read");
  EXPECT_EQ(reason(memory, a.matrix.value),
            "y and value share memory: y is written while value is read");
  // Without entries x is not read.
  const CsrMemory empty({3, 4, {0, 0, 0, 0}, {}, {}}, Number::f32, Integer::i32);
  EXPECT_EQ(validate(Spmv{empty.matrix, 1, memory, 0, memory}), "");
}

TEST(SpmvErrors, AreOfExtentsThatNeedNoWorkspace) {
  constexpr std::int64_t max = std::numeric_limits<std::int64_t>::max();
  for (const SpmvVariant& variant : spmv_variants()) {
    for (const std::int64_t extent : {max, std::int64_t{-1}}) {
      Spmv p;
      p.a.index_type = Integer::i64;
      p.a.rows = p.a.columns = p.a.entries = extent;
      EXPECT_EQ(variant.workspace_bytes(p), 0u) << variant.name;
    }
  }
}

TEST(SpmvErrors, AreThoseOfWhatIsMeasured) {
  const CsrMemory a(uniform(3, 4, 2, Entries::integers, 1), Number::f32, Integer::i32);
  const DeviceBytes workspace(std::vector<unsigned char>(24));
  const auto reason = [&](auto change) {
    CsrOnDevice matrix = a.matrix;
    void* memory = workspace.data();
    change(matrix, memory);
    RowStatistics rows;
    EXPECT_EQ(measure_rows(matrix, memory, 16, &rows, nullptr), cudaErrorInvalidValue);
    return validate_measure_rows(matrix, memory, 16);
  };
  EXPECT_EQ(validate_measure_rows(a.matrix, workspace.data(), 16), "");
  EXPECT_EQ(reason([](CsrOnDevice& m, void*&) { m.rows = -2; }),
            "rows is -2, and cannot be negative");
  EXPECT_EQ(reason([](CsrOnDevice& m, void*&) { m.offsets = nullptr; }),
            "offsets is a null pointer");
  EXPECT_EQ(
      reason([](CsrOnDevice& m, void*&) { m.offsets = static_cast<const char*>(m.offsets) + 1; }),
      "offsets does not begin at a multiple of 4 bytes");
  EXPECT_EQ(reason([](CsrOnDevice&, void*& memory) { memory = nullptr; }),
            "the workspace is a null pointer, and 16 bytes are needed");
  EXPECT_EQ(reason([](CsrOnDevice&, void*& memory) { memory = static_cast<char*>(memory) + 4; }),
            "the workspace does not begin at a multiple of 8 bytes");
  RowStatistics rows;
  EXPECT_EQ(measure_rows({}, nullptr, 0, &rows, nullptr), cudaSuccess) << "there is nothing to do";
}

// --- the choice ----------------------------------------------------------------------------------

RowStatistics statistics_of(const Csr& m, Integer type) {
  const CsrMemory a(m, Number::f32, type);
  const DeviceBytes workspace(std::vector<unsigned char>(16, 0x5a));
  RowStatistics rows;
  EXPECT_EQ(measure_rows(a.matrix, workspace.data(), workspace.size(), &rows, nullptr),
            cudaSuccess);
  return rows;
}

TEST(SpmvRows, AreMeasuredOnTheDevice) {
  for (const auto& [name, matrix] : matrices_of_every_kind(Entries::integers)) {
    SCOPED_TRACE(name);
    std::int64_t longest = 0;
    std::int64_t empty = 0;
    for (std::size_t row = 0; row + 1 < matrix.offsets.size(); ++row) {
      const std::int64_t length = matrix.offsets[row + 1] - matrix.offsets[row];
      longest = std::max(longest, length);
      empty += length == 0;
    }
    for (const Integer type : {Integer::i32, Integer::i64}) {
      const RowStatistics rows = statistics_of(matrix, type);
      EXPECT_EQ(rows.rows, matrix.rows);
      EXPECT_EQ(rows.entries, static_cast<std::int64_t>(matrix.column.size()));
      EXPECT_EQ(rows.longest, longest);
      EXPECT_EQ(rows.empty, empty);
    }
  }
}

TEST(SpmvChoice, GoesByTheRowsAndSaysWhy) {
  const auto chosen = [](const RowStatistics& rows) {
    const SpmvChoice choice = choose(rows);
    return std::string(choice.variant->name) + ": " + choice.reason;
  };
  EXPECT_EQ(chosen({1000, 4000, 8, 0}),
            "spmv_thread_per_row: no row has more than 8 entries: a thread is enough for each");
  EXPECT_EQ(
      chosen({1000, 64000, 70, 0}),
      "spmv_warp_per_row: rows have 64.0 entries in the mean, and none more than 70: warps share "
      "them out");
  EXPECT_EQ(
      chosen({1000, 20000, 9000, 500}),
      "spmv_merge: the longest row has 9000 entries, the mean one 20.0: rows are cut into equal "
      "pieces");
  EXPECT_EQ(choose({1, 100000, 100000, 0}).variant->name, std::string("spmv_merge"));
  EXPECT_EQ(choose({}).variant->name, std::string("spmv_thread_per_row"));
  EXPECT_EQ(find_spmv_variant("spmv_by_hand"), nullptr);
  EXPECT_EQ(choose({3, 5, 9, 0}).reason,
            "longest is 9, and entries is 5: measure_rows() says so of offsets that are none");
  EXPECT_EQ(choose({3, 5, 5, 4}).reason,
            "empty is 4, and rows is 3: measure_rows() says so of offsets that are none");
  const SpmvChoice none = choose(RowStatistics{5, 8, -1, 0});
  EXPECT_EQ(none.variant, nullptr);
  EXPECT_EQ(none.reason, "longest is -1, and cannot be negative");
}

}  // namespace
}  // namespace archgrid::sparse
