// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Tests that the device finds the same errors in a matrix as the host, in all formats, on GPUs.
// tests/unit/kernels also compiles them for the CPU.
#include "sparse/check.h"

#include <gtest/gtest.h>

#include <functional>

#include "bsr_memory.hpp"
#include "sparse/generate.h"

namespace archgrid::sparse {
namespace {

template <class Matrix>
std::string checked(const Matrix& matrix) {
  const DeviceBytes workspace(std::vector<unsigned char>(check_bytes, 0x5a));
  FormatError format_error;
  EXPECT_EQ(check(matrix, workspace.data(), workspace.size(), &format_error, nullptr), cudaSuccess);
  workspace.to_host();
  return format_error.text();
}

Index count_of(const std::vector<Index>& numbers) {
  return static_cast<Index>(numbers.size());
}

std::string found_on_device(const Coo& m, Integer type) {
  const DeviceNumbers row(m.row, type);
  const DeviceNumbers column(m.column, type);
  return checked(CooOnDevice{m.rows, m.columns, count_of(m.row), type, row.data(), column.data()});
}

std::string found_on_device(const Csr& m, Integer type) {
  const DeviceNumbers offsets(m.offsets, type);
  const DeviceNumbers column(m.column, type);
  return checked(CsrOnDevice{m.rows, m.columns, count_of(m.column), type, offsets.data(),
                             column.data(), Number::f32, nullptr});
}

std::string found_on_device(const Csc& m, Integer type) {
  const DeviceNumbers offsets(m.offsets, type);
  const DeviceNumbers row(m.row, type);
  return checked(CscOnDevice{m.rows, m.columns, count_of(m.row), type, offsets.data(), row.data()});
}

std::string found_on_device(const Bsr& m, Integer type) {
  std::string found = checked(BsrMemory(m, Number::f64, type).matrix);
  for (const Number number : {Number::f16, Number::f32})
    EXPECT_EQ(checked(BsrMemory(m, number, type).matrix), found);
  return found;
}

template <class Matrix>
void expect_same(const Matrix& m) {
  for (const Integer type : {Integer::i32, Integer::i64})
    EXPECT_EQ(found_on_device(m, type), validate(m).text());
}

/// Makes a matrix invalid by `change`. Expects the same error from the device and the host.
template <class Matrix>
void expect_same_error(Matrix m, const std::function<void(Matrix&)>& change) {
  change(m);
  EXPECT_NE(validate(m).text(), "");
  expect_same(m);
}

TEST(Check, FindsNothingWrongWithWhatIsRight) {
  for (const auto& [name, matrix] : matrices_of_every_kind(Entries::integers)) {
    SCOPED_TRACE(name);
    EXPECT_EQ(validate(matrix).text(), "");
    expect_same(matrix);
    expect_same(coo_of(matrix));
    expect_same(csc_of(matrix));
    expect_same(bsr_of(matrix, 3, 5));
    expect_same(bsr_of(matrix, 1, 1));
  }
}

/// Tests errors of every kind at the beginning, in the middle and at the end of a compressed
/// matrix.
template <class Matrix>
void expect_same_errors_in_compressed(const Matrix& good, std::vector<Index> Matrix::*minor,
                                      Index minors) {
  const auto with = [&](const std::function<void(Matrix&)>& change) {
    expect_same_error(good, change);
  };
  const std::size_t entries = (good.*minor).size();
  for (const std::size_t entry : {std::size_t{0}, entries / 2, entries - 1}) {
    SCOPED_TRACE(entry);
    with([&](Matrix& m) { (m.*minor)[entry] = minors; });
    with([&](Matrix& m) { (m.*minor)[entry] = -1; });
  }
  // Both entries are in one row (CSC: column).
  const auto first = static_cast<std::size_t>(good.offsets[good.offsets.size() / 2]);
  with([&](Matrix& m) { (m.*minor)[first + 1] = (m.*minor)[first]; });
  with([&](Matrix& m) { std::swap((m.*minor)[first], (m.*minor)[first + 1]); });
  const std::size_t majors = good.offsets.size() - 1;
  for (const std::size_t major : {std::size_t{0}, std::size_t{1}, majors / 2, majors}) {
    SCOPED_TRACE(major);
    with([&](Matrix& m) { m.offsets[major] = -5; });
    with([&](Matrix& m) { m.offsets[major] = 1 << 30; });
    with([&](Matrix& m) { m.offsets[major] += 1000; });
  }
  // The first of several errors is reported, whatever their kinds.
  with([&](Matrix& m) { (m.*minor)[first + 9] = (m.*minor)[first] = minors; });
  with([&](Matrix& m) {
    (m.*minor)[first] = minors;
    m.offsets[majors / 2] = -1;
  });
  with([&](Matrix& m) {
    (m.*minor)[first] = minors;
    m.offsets[majors / 2 + 2] = -1;
  });
}

TEST(Check, FindsTheFirstErrorInRows) {
  expect_same_errors_in_compressed(uniform(700, 90, 5, Entries::integers, 2), &Csr::column, 90);
}

TEST(Check, FindsTheFirstErrorInColumns) {
  expect_same_errors_in_compressed(csc_of(banded(300, 310, 3, 3, Entries::integers, 2)), &Csc::row,
                                   300);
}

TEST(Check, FindsTheFirstErrorInRowsOfBlocks) {
  const Bsr good = bsr_of(uniform(602, 89, 5, Entries::integers, 2), 4, 3);
  expect_same_errors_in_compressed(good, &Bsr::column, 30);
}

TEST(Check, FindsTheFirstErrorOfCoordinates) {
  const Coo good = coo_of(uniform(700, 90, 5, Entries::integers, 2));
  for (const std::size_t entry : {std::size_t{0}, std::size_t{1777}, good.row.size() - 1}) {
    SCOPED_TRACE(entry);
    for (const Index number : {-1, 700}) {
      expect_same_error<Coo>(good, [&](Coo& m) { m.row[entry] = number; });
      expect_same_error<Coo>(good, [&](Coo& m) { m.column[entry] = number; });
    }
  }
  expect_same_error<Coo>(good, [](Coo& m) {
    m.row[3000] = -1;
    m.column[2000] = 90;
    m.row[2000] = 700;
  });
}

TEST(Check, FindsTheFirstErrorOfOneGiganticRow) {
  Csr m = with_row_lengths({0, 0, 5000, 0}, 6000, Entries::integers, 4);
  expect_same(m);
  std::swap(m.column[4321], m.column[4322]);
  EXPECT_NE(validate(m).text(), "");
  expect_same(m);
}

TEST(Check, FindsElementsOfBlocksBeyondTheMatrix) {
  const Bsr good = bsr_of(uniform(14, 17, 6, Entries::integers, 2), 4, 3);
  ASSERT_EQ(validate(good).text(), "");
  const Index elements = 4 * 3;
  std::size_t found = 0;
  for (std::size_t element = 0; element < good.value.size(); ++element) {
    Bsr m = good;
    m.value[element] = 1;
    expect_same(m);
    if (validate(m)) ++found;
  }
  EXPECT_GT(found, 0u);
  EXPECT_LT(found, good.value.size() / 2);
  // NaN is not zero, and -0 is.
  Bsr m = good;
  const auto last = m.value.size() - 1;
  m.value[last] = -0.0;
  expect_same(m);
  m.value[last] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(validate(m).position, static_cast<Index>(last) / elements);
  expect_same(m);
}

TEST(Check, LooksAtThePatternOfBlocksWithoutValues) {
  Bsr m = bsr_of(uniform(14, 17, 6, Entries::integers, 2), 4, 3);
  m.value.back() = 1;
  BsrMemory memory(m, Number::f32, Integer::i32);
  EXPECT_NE(checked(memory.matrix), "");
  memory.matrix.value = nullptr;
  EXPECT_EQ(checked(memory.matrix), "");
}

TEST(Check, FindsWhatMatricesWithoutRowsDoNotHave) {
  Csr m{0, 5, {0}, {}, {}};
  expect_same(m);
  m.offsets[0] = 3;
  expect_same(m);
  EXPECT_EQ(validate(m).text(), "the first offset is 3, not 0");
  m = {0, 5, {0}, {1, 2}, {1, 2}};
  expect_same(m);
  EXPECT_EQ(validate(m).text(), "there are 2 entries, and no row");
  expect_same(Csr{5, 0, {0, 0, 0, 0, 0, 0}, {}, {}});
}

/// Returns the reason why a matrix cannot be checked.
template <class Matrix>
std::string refused(const Matrix& matrix, void* workspace, std::size_t bytes = check_bytes) {
  FormatError format_error;
  EXPECT_EQ(check(matrix, workspace, bytes, &format_error, nullptr), cudaErrorInvalidValue);
  return format_error.text();
}

TEST(Check, RefusesWhatItCannotReadAndSaysWhy) {
  alignas(8) unsigned char memory[check_bytes + 8] = {};
  const CsrOnDevice csr{2, 3, 1, Integer::i32, memory, memory, Number::f32, nullptr};
  const auto of_csr = [&](auto change) {
    CsrOnDevice m = csr;
    change(m);
    return refused(m, memory);
  };
  EXPECT_EQ(of_csr([](CsrOnDevice& m) { m.rows = -1; }), "rows is -1, and cannot be negative");
  EXPECT_EQ(of_csr([](CsrOnDevice& m) { m.columns = -2; }),
            "columns is -2, and cannot be negative");
  EXPECT_EQ(of_csr([](CsrOnDevice& m) { m.entries = std::numeric_limits<Index>::max(); }),
            "entries is 9223372036854775807, and at most 281474976710656 is taken");
  EXPECT_EQ(of_csr([](CsrOnDevice& m) { m.offsets = nullptr; }), "offsets is a null pointer");
  EXPECT_EQ(of_csr([](CsrOnDevice& m) { m.column = nullptr; }), "column is a null pointer");
  EXPECT_EQ(of_csr([&](CsrOnDevice& m) { m.column = memory + 2; }),
            "column does not begin at a multiple of 4 bytes");
  EXPECT_EQ(refused(csr, nullptr), "the workspace is a null pointer, and 64 bytes are needed");
  EXPECT_EQ(refused(csr, memory, check_bytes - 1),
            "the workspace is too small: 64 bytes are needed, and 63 are given");
  EXPECT_EQ(refused(csr, memory + 4), "the workspace does not begin at a multiple of 8 bytes");
  EXPECT_EQ(refused(CscOnDevice{3, 2, 1, Integer::i32, memory, nullptr}, memory),
            "row is a null pointer");
  EXPECT_EQ(refused(CooOnDevice{2, 2, 1, Integer::i32, nullptr, memory}, memory),
            "row is a null pointer");
  EXPECT_EQ(refused(CooOnDevice{2, 2, 1, Integer::i64, memory, memory + 4}, memory),
            "column does not begin at a multiple of 8 bytes");
  BsrOnDevice bsr{4, 6, 2, 2, 1, Integer::i32, memory, memory, Number::f32, memory};
  bsr.block_columns = max_block_extent + 1;
  EXPECT_EQ(refused(bsr, memory), "blocks have 1 to 1024 rows and columns, not 1025");
  bsr.block_columns = 0;
  EXPECT_EQ(refused(bsr, memory), "blocks have 1 to 1024 rows and columns, not 0");
  bsr.block_columns = 2;
  bsr.value = memory + 2;
  EXPECT_EQ(refused(bsr, memory), "value does not begin at a multiple of 4 bytes");
}

}  // namespace
}  // namespace archgrid::sparse
