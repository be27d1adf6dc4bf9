// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Tests sparse products on the CPU with dense matrices, columns or entries that lie beyond 2^32
// elements. Excludes objects that take memory or work in proportion to their length: y, the values
// of sampled products, the entries of matrices that are cut into equal pieces, compressed 2:4
// matrices.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "../../gpu/bsr_memory.hpp"
#include "far_apart.hpp"
#include "sparse/embedding.h"
#include "sparse/sddmm.h"
#include "sparse/variant.h"

namespace archgrid::sparse {
namespace {

using far_apart::each_apart;
using far_apart::kApart;
using far_apart::matches;
using far_apart::number;
using far_apart::Places;
using far_apart::side_by_side;
using gemm::Type;
using Far = far_apart::Matrix;

// Seeds that number() gets for the elements of each matrix.
constexpr int of_a = 1;
constexpr int of_b = 2;
constexpr int of_c = 3;

// --- how things lie ------------------------------------------------------------------------------

Type gemm_type(Number type) {
  return type == Number::f16 ? Type::f16 : type == Number::f32 ? Type::f32 : Type::f64;
}

template <class Pointer>
Dense<Pointer> dense(const Far& matrix, Layout layout) {
  return {matrix.data(), layout, matrix.leading()};
}

struct Layouts {
  Layout first;
  Layout second;
  bool is_aligned;
};

std::string described(const Layouts& layouts) {
  const auto letter = [](Layout layout) { return layout == Layout::row ? "r" : "c"; };
  return std::string(letter(layouts.first)) + letter(layouts.second) +
         (layouts.is_aligned ? " aligned" : "");
}

template <class Body>
void for_all_layouts(Body body) {
  for (const Layout first : {Layout::row, Layout::column}) {
    for (const Layout second : {Layout::row, Layout::column}) {
      for (const bool is_aligned : {true, false}) {
        const Layouts layouts = {first, second, is_aligned};
        SCOPED_TRACE(described(layouts));
        ASSERT_NO_FATAL_FAILURE(body(layouts));
      }
    }
  }
}

Far filled_rows(Type type, Layout layout, int rows, int columns, bool is_aligned, int seed) {
  Far matrix = Far::of_lines(type, layout, rows, columns, is_aligned);
  matrix.fill(seed);
  return matrix;
}

/// Returns C or y before a product: filled if the product reads it, that is, if beta is not 0.
Far c_before(Far matrix, double beta) {
  if (beta != 0) matrix.fill(of_c);
  return matrix;
}

Far vector_of(Type type, const Places& places) {
  return {type, places, {0}, {1, 0, 0, 1, true}};
}

/// Returns the rows at `rows` of a matrix without gaps.
Far some_rows(Type type, Layout layout, const Places& rows, int columns, int seed) {
  const bool is_row_major = layout == Layout::row;
  Far matrix(type, rows, side_by_side(columns),
             {is_row_major ? columns : 1, is_row_major ? 1 : rows.back() + 1, 0, 1, true});
  matrix.fill(seed);
  return matrix;
}

// --- sparse matrices -----------------------------------------------------------------------------

/// Returns a matrix with every `step`-th column of each row, and with the whole row 5.
Csr some_of_each_row(int rows, int columns, int step) {
  Csr m;
  m.rows = rows;
  m.columns = columns;
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      if (row != 5 && (row * 7 + column) % step != 0) continue;
      m.column.push_back(column);
      m.value.push_back(number(of_a, 0, row, column));
    }
    m.offsets.push_back(static_cast<Index>(m.column.size()));
  }
  return m;
}

/// Moves columns, or block columns, to `places`, the only ones with entries.
Numbers moved(Numbers columns, const Places& places) {
  for (Index& column : columns) column = places[static_cast<std::size_t>(column)];
  return columns;
}

/// Columns and values of entries, or of blocks. The first is at kApart + 3, as in the rows of a
/// larger matrix. Everything before it is zero.
class FarEntries {
 public:
  FarEntries(const Numbers& column, const std::vector<double>& value, Number type)
      : values_of_entry_(static_cast<Index>(value.size() / column.size())),
        end_(first + static_cast<Index>(column.size())),
        column_(end_ * 8),
        value_(end_ * values_of_entry_ * bytes_of(type)) {
    std::memcpy(column_.data() + first * 8, column.data(), column.size() * 8);
    const std::vector<unsigned char> bytes = stored(value, type);
    std::memcpy(value_.data() + first * values_of_entry_ * bytes_of(type), bytes.data(),
                bytes.size());
  }

  static Numbers offsets(Numbers of_near_entries) {
    for (Index& offset : of_near_entries) offset += first;
    return of_near_entries;
  }
  Index end() const { return end_; }
  const void* column() const { return column_.data(); }
  const void* value() const { return value_.data(); }

 private:
  static constexpr Index first = kApart + 3;
  Index values_of_entry_;
  Index end_;
  far_apart::Memory column_;
  far_apart::Memory value_;
};

/// Returns element (row, column) of alpha * A * B + beta * C.
double product(const Csr& a, double alpha, double beta, int row, int column) {
  const auto r = static_cast<std::size_t>(row);
  double sum = 0;
  for (auto i = static_cast<std::size_t>(a.offsets[r]);
       i < static_cast<std::size_t>(a.offsets[r + 1]); ++i)
    sum += a.value[i] * number(of_b, 0, static_cast<int>(a.column[i]), column);
  return alpha * sum + (beta == 0 ? 0 : beta * number(of_c, 0, row, column));
}

/// Reports whether the variant visits all entries, even those before the first row's.
template <class Variant>
bool cuts_into_pieces(const Variant& variant) {
  return std::string(variant.name).find("merge") != std::string::npos;
}

template <class Variant>
std::vector<TestedVariant<Variant>> of_wide_indices(std::vector<TestedVariant<Variant>> all) {
  all.erase(std::remove_if(all.begin(), all.end(),
                           [](const auto& tested) { return tested.index_type == Integer::i32; }),
            all.end());
  return all;
}
template <class Variant>
std::vector<TestedVariant<Variant>> that_go_by_rows(std::vector<TestedVariant<Variant>> all) {
  all.erase(std::remove_if(all.begin(), all.end(),
                           [](const auto& tested) { return cuts_into_pieces(*tested.variant); }),
            all.end());
  return all;
}

// --- products with vectors -----------------------------------------------------------------------

using TestedSpmv = TestedVariant<SpmvVariant>;

class SpmvFarApart : public ::testing::TestWithParam<TestedSpmv> {
 protected:
  /// Checks the product with `a`, which has the entries of `m` in the columns at `places`.
  static void expect_product(const CsrOnDevice& a, const Csr& m, const Places& places) {
    constexpr double alpha = 2;
    constexpr double beta = 3;
    const Type sum = gemm_type(sum_of(a.type));
    Far x = vector_of(gemm_type(a.type), places);
    x.fill(of_b);
    const Far y = c_before(vector_of(sum, side_by_side(static_cast<int>(m.rows))), beta);
    const Spmv problem{a, alpha, x.data(), beta, y.data()};
    ASSERT_EQ(validate(problem), "");
    const SpmvVariant& variant = *GetParam().variant;
    const DeviceBytes workspace(std::vector<unsigned char>(variant.workspace_bytes(problem)));
    ASSERT_EQ(variant.launch(problem, workspace.data(), workspace.size(), nullptr), cudaSuccess);
    EXPECT_TRUE(matches(
        y, sum, [&](int, int row, int column) { return product(m, alpha, beta, row, column); }));
  }
};
class SpmvOfWideIndices : public SpmvFarApart {};
INSTANTIATE_TEST_SUITE_P(Variants, SpmvOfWideIndices,
                         ::testing::ValuesIn(of_wide_indices(with_all_types(spmv_variants()))),
                         [](const auto& tested) { return test_name(tested.param); });
class SpmvOfRows : public SpmvFarApart {};
INSTANTIATE_TEST_SUITE_P(
    Variants, SpmvOfRows,
    ::testing::ValuesIn(that_go_by_rows(of_wide_indices(with_all_types(spmv_variants())))),
    [](const auto& tested) { return test_name(tested.param); });

TEST_P(SpmvOfWideIndices, ColumnsAreFound) {
  const Csr near = some_of_each_row(300, 40, 8);
  const Places places = each_apart(40, kApart);
  Csr m = near;
  m.columns = places.back() + 1;
  m.column = moved(near.column, places);
  const CsrMemory a(m, GetParam().type, GetParam().index_type);
  expect_product(a.matrix, near, places);
}

TEST_P(SpmvOfRows, EntriesAreFound) {
  const Csr m = some_of_each_row(300, 40, 8);
  const FarEntries entries(m.column, m.value, GetParam().type);
  const DeviceNumbers offsets(FarEntries::offsets(m.offsets), Integer::i64);
  expect_product({m.rows, m.columns, entries.end(), Integer::i64, offsets.data(), entries.column(),
                  GetParam().type, entries.value()},
                 m, side_by_side(40));
}

// --- products with matrices ----------------------------------------------------------------------

using TestedSpmm = TestedVariant<SpmmVariant>;

class SpmmFarApart : public ::testing::TestWithParam<TestedSpmm> {
 protected:
  static constexpr double alpha = 2;

  static void expect_product(const CsrOnDevice& a, const Csr& m, const Dense<const void*>& b,
                             const Layouts& layouts, int n) {
    const double beta = layouts.is_aligned ? 0 : 3;
    const Type sum = gemm_type(sum_of(a.type));
    const Far c = c_before(
        Far::of_lines(sum, layouts.second, static_cast<int>(m.rows), n, layouts.is_aligned), beta);
    const Spmm problem{a, n, alpha, b, beta, dense<void*>(c, layouts.second)};
    ASSERT_EQ(validate(problem), "");
    const SpmmVariant& variant = *GetParam().variant;
    const DeviceBytes workspace(std::vector<unsigned char>(variant.workspace_bytes(problem)));
    ASSERT_EQ(variant.launch(problem, workspace.data(), workspace.size(), nullptr), cudaSuccess);
    EXPECT_TRUE(matches(
        c, sum, [&](int, int row, int column) { return product(m, alpha, beta, row, column); }));
  }
};
INSTANTIATE_TEST_SUITE_P(Variants, SpmmFarApart,
                         ::testing::ValuesIn(with_all_types(spmm_variants())),
                         [](const auto& tested) { return test_name(tested.param); });
class SpmmOfWideIndices : public SpmmFarApart {};
INSTANTIATE_TEST_SUITE_P(Variants, SpmmOfWideIndices,
                         ::testing::ValuesIn(of_wide_indices(with_all_types(spmm_variants()))),
                         [](const auto& tested) { return test_name(tested.param); });
class SpmmOfRows : public SpmmFarApart {};
INSTANTIATE_TEST_SUITE_P(
    Variants, SpmmOfRows,
    ::testing::ValuesIn(that_go_by_rows(of_wide_indices(with_all_types(spmm_variants())))),
    [](const auto& tested) { return test_name(tested.param); });

// 128 columns, one warp's share, and a few more; a row that several pieces share.
TEST_P(SpmmFarApart, LinesAreReadAndWritten) {
  constexpr int n = 133;
  const Csr m = some_of_each_row(18, 320, 40);
  const CsrMemory a(m, GetParam().type, GetParam().index_type);
  for_all_layouts([&](const Layouts& layouts) {
    const Far b =
        filled_rows(gemm_type(GetParam().type), layouts.first, 320, n, layouts.is_aligned, of_b);
    expect_product(a.matrix, m, dense<const void*>(b, layouts.first), layouts, n);
  });
}

TEST_P(SpmmOfWideIndices, ColumnsAreFound) {
  constexpr int n = 9;
  const Csr near = some_of_each_row(18, 40, 8);
  const Places places = each_apart(40, kApart);
  Csr m = near;
  m.columns = places.back() + 1;
  m.column = moved(near.column, places);
  const CsrMemory a(m, GetParam().type, GetParam().index_type);
  for_all_layouts([&](const Layouts& layouts) {
    const Far b = some_rows(gemm_type(GetParam().type), layouts.first, places, n, of_b);
    const Dense<const void*> view = {b.data(), layouts.first,
                                     layouts.first == Layout::row ? n : m.columns};
    expect_product(a.matrix, near, view, layouts, n);
  });
}

TEST_P(SpmmOfRows, EntriesAreFound) {
  constexpr int n = 9;
  const Csr m = some_of_each_row(18, 320, 40);
  const FarEntries entries(m.column, m.value, GetParam().type);
  const DeviceNumbers offsets(FarEntries::offsets(m.offsets), Integer::i64);
  const CsrOnDevice a = {m.rows,         m.columns,        entries.end(),   Integer::i64,
                         offsets.data(), entries.column(), GetParam().type, entries.value()};
  const Layouts layouts = {Layout::row, Layout::row, true};
  const Far b = filled_rows(gemm_type(GetParam().type), Layout::row, 320, n, true, of_b);
  expect_product(a, m, dense<const void*>(b, Layout::row), layouts, n);
}

// --- sampled products ----------------------------------------------------------------------------

using TestedSddmm = TestedVariant<SddmmVariant>;

class SddmmFarApart : public ::testing::TestWithParam<TestedSddmm> {
 protected:
  static constexpr int k = 70;

  /// Completes `problem` and checks the values. `m` has the entries, one after another.
  static void expect_product(Sddmm problem, const Csr& m, double beta) {
    const Type sum = gemm_type(sum_of(GetParam().type));
    const auto entries = static_cast<int>(m.column.size());
    const Far value = c_before(vector_of(sum, side_by_side(entries)), beta);
    problem.entries = entries;
    problem.k = k;
    problem.index_type = GetParam().index_type;
    problem.type = GetParam().type;
    problem.alpha = 2;
    problem.beta = beta;
    problem.value = value.data();
    ASSERT_EQ(validate(problem), "");
    ASSERT_EQ(GetParam().variant->launch(problem, nullptr), cudaSuccess);
    EXPECT_TRUE(matches(value, sum, [&](int, int entry, int) {
      const double old = beta == 0 ? 0 : beta * number(of_c, 0, entry, 0);
      return 2 * sampled(m, entry) + old;
    }));
  }

  static double sampled(const Csr& m, int entry) {
    int row = 0;
    while (m.offsets[static_cast<std::size_t>(row) + 1] <= entry) ++row;
    const auto column = static_cast<int>(m.column[static_cast<std::size_t>(entry)]);
    double sum = 0;
    for (int i = 0; i < k; ++i) sum += number(of_a, 0, row, i) * number(of_b, 0, i, column);
    return sum;
  }
};
INSTANTIATE_TEST_SUITE_P(Variants, SddmmFarApart,
                         ::testing::ValuesIn(with_all_types(sddmm_variants())),
                         [](const auto& tested) { return test_name(tested.param); });
class SddmmOfWideIndices : public SddmmFarApart {};
INSTANTIATE_TEST_SUITE_P(Variants, SddmmOfWideIndices,
                         ::testing::ValuesIn(of_wide_indices(with_all_types(sddmm_variants()))),
                         [](const auto& tested) { return test_name(tested.param); });

TEST_P(SddmmFarApart, LinesAreRead) {
  const Csr m = some_of_each_row(30, 40, 3);
  const CsrMemory pattern(m, Number::f32, GetParam().index_type);
  const Type type = gemm_type(GetParam().type);
  for_all_layouts([&](const Layouts& layouts) {
    const Far a = filled_rows(type, layouts.first, 30, k, layouts.is_aligned, of_a);
    const Far b = filled_rows(type, layouts.second, k, 40, layouts.is_aligned, of_b);
    Sddmm problem;
    problem.rows = m.rows;
    problem.columns = m.columns;
    problem.offsets = pattern.offsets.data();
    problem.column = pattern.column.data();
    problem.a = dense<const void*>(a, layouts.first);
    problem.b = dense<const void*>(b, layouts.second);
    expect_product(problem, m, layouts.is_aligned ? 0 : 3);
  });
}

// The rows before those with entries take no memory: their offsets are zero.
TEST_P(SddmmOfWideIndices, RowsAndColumnsAreFound) {
  const Csr near = some_of_each_row(12, 5, 2);
  const Places rows = side_by_side(12, kApart);
  const Places columns = each_apart(5, kApart);
  const DeviceNumbers column(moved(near.column, columns), Integer::i64);
  const far_apart::Memory offsets((rows.back() + 2) * 8);
  std::memcpy(offsets.data() + rows.front() * 8, near.offsets.data(), near.offsets.size() * 8);
  const Type type = gemm_type(GetParam().type);
  for_all_layouts([&](const Layouts& layouts) {
    const bool is_a_row_major = layouts.first == Layout::row;
    const Index leading_of_a = is_a_row_major ? k : rows.back() + 1;
    Far a(type, rows, side_by_side(k),
          {is_a_row_major ? k : 1, is_a_row_major ? 1 : leading_of_a, 0, 1, layouts.is_aligned});
    const bool is_b_row_major = layouts.second == Layout::row;
    const Index leading_of_b = is_b_row_major ? columns.back() + 1 : k;
    Far b(type, side_by_side(k), columns,
          {is_b_row_major ? leading_of_b : 1, is_b_row_major ? 1 : k, 0, 1, layouts.is_aligned});
    a.fill(of_a);
    b.fill(of_b);
    Sddmm problem;
    problem.rows = rows.back() + 1;
    problem.columns = columns.back() + 1;
    problem.offsets = offsets.data();
    problem.column = column.data();
    problem.a = {a.data(), layouts.first, leading_of_a};
    problem.b = {b.data(), layouts.second, leading_of_b};
    expect_product(problem, near, 0);
  });
}

// --- products of blocks --------------------------------------------------------------------------

using TestedBsrmm = TestedVariant<BsrmmVariant>;

class BsrmmFarApart : public ::testing::TestWithParam<TestedBsrmm> {
 protected:
  static void expect_product(const BsrOnDevice& a, const Csr& m, const Dense<const void*>& b,
                             const Layouts& layouts, int n) {
    const double beta = layouts.is_aligned ? 0 : 3;
    const Type sum = gemm_type(sum_of(a.type));
    const Far c = c_before(
        Far::of_lines(sum, layouts.second, static_cast<int>(m.rows), n, layouts.is_aligned), beta);
    const Bsrmm problem{a, n, 2, b, beta, dense<void*>(c, layouts.second)};
    ASSERT_EQ(validate(problem), "");
    ASSERT_EQ(GetParam().variant->validate(problem), "");
    ASSERT_EQ(GetParam().variant->launch(problem, nullptr), cudaSuccess);
    EXPECT_TRUE(matches(
        c, sum, [&](int, int row, int column) { return product(m, 2, beta, row, column); }));
  }
};

std::vector<TestedBsrmm> bsrmm_that_run() {
  std::vector<TestedBsrmm> all;
  for (const TestedBsrmm& tested : with_all_types(bsrmm_variants())) {
    const bool is_for_f16 = row(tested.variant->name).instruction == std::string("HMMA");
    if (tested.variant->launch != nullptr && (!is_for_f16 || tested.type == Number::f16))
      all.push_back(tested);
  }
  return all;
}
INSTANTIATE_TEST_SUITE_P(Variants, BsrmmFarApart, ::testing::ValuesIn(bsrmm_that_run()),
                         [](const auto& tested) { return test_name(tested.param); });
class BsrmmOfWideIndices : public BsrmmFarApart {};
INSTANTIATE_TEST_SUITE_P(Variants, BsrmmOfWideIndices,
                         ::testing::ValuesIn(of_wide_indices(bsrmm_that_run())),
                         [](const auto& tested) { return test_name(tested.param); });

// Block sizes for each shape of tiles; C has rows and columns for a whole tile and a few more.
TEST_P(BsrmmFarApart, LinesAreReadAndWritten) {
  constexpr int n = 133;
  for (const auto& [block_rows, block_columns] : {std::pair{7, 8}, {20, 24}, {70, 16}}) {
    SCOPED_TRACE("blocks of " + std::to_string(block_rows));
    const int rows = block_rows + 6;
    const Csr m = some_of_each_row(rows, 70, 3);
    const BsrMemory a(bsr_of(m, block_rows, block_columns), GetParam().type, GetParam().index_type);
    for_all_layouts([&](const Layouts& layouts) {
      const Far b =
          filled_rows(gemm_type(GetParam().type), layouts.first, 70, n, layouts.is_aligned, of_b);
      expect_product(a.matrix, m, dense<const void*>(b, layouts.first), layouts, n);
    });
  }
}

TEST_P(BsrmmOfWideIndices, ColumnsAreFound) {
  constexpr int n = 9;
  constexpr int block = 16;
  constexpr int columns = 70;  // the last block has 6 of them
  const Csr near = some_of_each_row(20, columns, 3);
  Bsr m = bsr_of(near, block, block);
  const Places of_blocks = each_apart(5, kApart);
  Places places;
  for (int column = 0; column < columns; ++column)
    places.push_back(of_blocks[static_cast<std::size_t>(column / block)] * block + column % block);
  m.column = moved(m.column, of_blocks);
  m.columns = places.back() + 1;
  const BsrMemory a(m, GetParam().type, GetParam().index_type);
  for (const Layout layout : {Layout::row, Layout::column}) {
    const Far b = some_rows(gemm_type(GetParam().type), layout, places, n, of_b);
    const Dense<const void*> view = {b.data(), layout, layout == Layout::row ? n : m.columns};
    expect_product(a.matrix, near, view, {layout, Layout::row, true}, n);
  }
}

TEST_P(BsrmmOfWideIndices, BlocksAreFound) {
  constexpr int n = 9;
  for (const int block : {8, 24}) {
    const Csr m = some_of_each_row(30, 70, 3);
    const Bsr blocks = bsr_of(m, block, block);
    const FarEntries entries(blocks.column, blocks.value, GetParam().type);
    const DeviceNumbers offsets(FarEntries::offsets(blocks.offsets), Integer::i64);
    const BsrOnDevice a = {m.rows,          m.columns,      block,          block,
                           entries.end(),   Integer::i64,   offsets.data(), entries.column(),
                           GetParam().type, entries.value()};
    const Far b = filled_rows(gemm_type(GetParam().type), Layout::row, 70, n, true, of_b);
    expect_product(a, m, dense<const void*>(b, Layout::row), {Layout::row, Layout::row, true}, n);
  }
}

// --- 2:4 -----------------------------------------------------------------------------------------

class StructuredFarApart : public ::testing::TestWithParam<const StructuredVariant*> {
 protected:
  static constexpr int m = 128 + 5;
  static constexpr int n = 128 + 9;

  int k() const { return 2 * padded_k(GetParam()->type, 1) + 6; }

  /// Returns what pruning, as the header describes it, leaves of an element of A.
  double pruned(int row, int column) const {
    const double own = number(of_a, 0, row, column);
    int before = 0;
    for (int other = column / 4 * 4; other < std::min(column / 4 * 4 + 4, k()); ++other) {
      const double value = number(of_a, 0, row, other);
      before += value > own || (value == own && other < column);
    }
    return before < 2 ? own : 0;
  }

  template <class Pointer>
  DenseRows<Pointer> rows(const Far& a, Layout layout) const {
    return {GetParam()->type, m, k(), dense<Pointer>(a, layout)};
  }

  double expected(double beta, int row, int column) const {
    double sum = beta == 0 ? 0 : beta * number(of_c, 0, row, column);
    for (int i = 0; i < k(); ++i) sum += pruned(row, i) * number(of_b, 0, i, column);
    return sum;
  }
};
std::vector<const StructuredVariant*> structured_that_run() {
  std::vector<const StructuredVariant*> all;
  for (const StructuredVariant& variant : structured_variants()) {
    if (variant.launch != nullptr) all.push_back(&variant);
  }
  return all;
}
INSTANTIATE_TEST_SUITE_P(Variants, StructuredFarApart, ::testing::ValuesIn(structured_that_run()),
                         [](const auto& tested) { return std::string(tested.param->name); });

TEST_P(StructuredFarApart, LinesAreReadAndWritten) {
  const Type type = GetParam()->type;
  const DeviceBytes value(std::vector<unsigned char>(value_bytes(type, m, k())));
  const DeviceBytes metadata(std::vector<unsigned char>(metadata_bytes(type, m, k())));
  const DeviceBytes workspace(std::vector<unsigned char>(8));
  const Structured compressed = {type, m, k(), value.data(), metadata.data()};
  for_all_layouts([&](const Layouts& layouts) {
    // The layouts of A before pruning and after pruning.
    const auto& [first, second, is_aligned] = layouts;
    const Far a = filled_rows(type, first, m, k(), is_aligned, of_a);
    const Far left = Far::of_lines(type, second, m, k(), is_aligned);
    ASSERT_EQ(prune(rows<const void*>(a, first), rows<void*>(left, second), nullptr), cudaSuccess);
    ASSERT_TRUE(matches(left, type, [&](int, int row, int column) { return pruned(row, column); }));

    FormatError reason;
    ASSERT_EQ(compress(rows<const void*>(left, second), compressed, workspace.data(),
                       workspace.size(), &reason, nullptr),
              cudaSuccess);
    gemm::Problem p;
    p.m = m;
    p.n = n;
    p.k = k();
    p.input = type;
    p.output = gemm::output_of(type, second == Layout::row);
    p.beta = is_aligned ? 0 : 2;
    const Far b = filled_rows(type, first, k(), n, is_aligned, of_b);
    const Far c = c_before(Far::of_lines(p.output, second, m, n, is_aligned), p.beta);
    p.b = {b.data(), first, b.leading(), 0};
    p.c = {c.data(), second, c.leading(), 0};
    ASSERT_EQ(validate(compressed, p), "");
    ASSERT_EQ(GetParam()->launch(compressed, p, nullptr), cudaSuccess);
    EXPECT_TRUE(matches(c, p.output,
                        [&](int, int row, int column) { return expected(p.beta, row, column); }));
  });
}

// --- lookups -------------------------------------------------------------------------------------

TEST(EmbeddingFarApart, RowsAreFound) {
  constexpr int width = 133;
  constexpr int rows_touched = 6;
  constexpr int bags = 20;
  constexpr int count = 3 * bags;
  // With 32 bits, indices fit but offsets do not.
  for (const auto& [type, apart] :
       {std::pair{Integer::i32, (1ll << 26) + 3}, std::pair{Integer::i64, kApart}}) {
    const Places places = each_apart(rows_touched, apart);
    const Far table = some_rows(Type::f32, Layout::row, places, width, of_b);
    const auto touched = [](int bag, int i) {
      return (bag * 5 + i * (bag % 4 + 1)) % rows_touched;
    };
    Numbers indices;
    for (int i = 0; i < count; ++i) indices.push_back(touched(i / 3, i % 3));
    const DeviceNumbers device_indices(moved(indices, places), type);
    const DeviceNumbers lengths(Numbers(bags, 3), Integer::i64);
    const DeviceNumbers rows(Numbers{places.back() + 1}, Integer::i64);
    const auto* const first = static_cast<const float*>(table.data());
    const Far pooled(Type::f32, side_by_side(bags), side_by_side(width), {width, 1, 0, 1, true});
    EmbeddingLookup p;
    p.features = 1;
    p.bags = bags;
    p.count = count;
    p.width = width;
    p.index_type = type;
    p.lengths = lengths.data();
    p.indices = device_indices.data();
    p.tables = &first;
    p.rows = static_cast<const std::int64_t*>(rows.data());
    p.pooled = static_cast<float*>(pooled.data());
    const DeviceBytes workspace(std::vector<unsigned char>(workspace_bytes(p)));
    ASSERT_EQ(look_up(p, workspace.data(), workspace.size(), nullptr), cudaSuccess);
    EXPECT_TRUE(matches(pooled, Type::f32, [&](int, int bag, int column) {
      double sum = 0;
      for (int i = 0; i < 3; ++i) sum += number(of_b, 0, touched(bag, i), column);
      return sum;
    }));
  }
}

}  // namespace
}  // namespace archgrid::sparse
