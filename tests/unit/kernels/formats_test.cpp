// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Tests sparse matrices on the host: conversion between formats, validation, and files.
#include "sparse/formats.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <locale>
#include <map>
#include <sstream>
#include <stdexcept>

#include "sparse/generate.h"
#include "sparse/matrix_market.h"

namespace archgrid::sparse {
namespace {

using ::testing::HasSubstr;

void expect_same(const Csr& a, const Csr& b) {
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.columns, b.columns);
  EXPECT_EQ(a.offsets, b.offsets);
  EXPECT_EQ(a.column, b.column);
  EXPECT_EQ(a.value, b.value);
}

// All elements that are not zero, independent of the format.
using Elements = std::map<std::pair<Index, Index>, double>;
Elements elements_of(const Csr& m) {
  Elements elements;
  for (Index row = 0; row < m.rows; ++row) {
    for (Index i = m.offsets[static_cast<std::size_t>(row)];
         i < m.offsets[static_cast<std::size_t>(row + 1)]; ++i) {
      elements[{row, m.column[static_cast<std::size_t>(i)]}] = m.value[static_cast<std::size_t>(i)];
    }
  }
  return elements;
}

// --- formats -------------------------------------------------------------------------------------

TEST(Formats, GoThereAndBack) {
  for (const auto& [name, matrix] : matrices_of_every_kind(Entries::reals)) {
    SCOPED_TRACE(name);
    EXPECT_EQ(validate(matrix).text(), "");
    expect_same(csr_of(coo_of(matrix)), matrix);
    const Csc by_columns = csc_of(matrix);
    EXPECT_EQ(validate(by_columns).text(), "");
    expect_same(csr_of(by_columns), matrix);
    for (const auto& [rows, columns] : {std::pair<Index, Index>{1, 1}, {2, 3}, {16, 16}, {7, 64}}) {
      const Bsr in_blocks = bsr_of(matrix, rows, columns);
      EXPECT_EQ(validate(in_blocks).text(), "");
      expect_same(csr_of(in_blocks), matrix);
    }
  }
}

TEST(Formats, AreWhatTheirNamesSay) {
  // 1 . 2
  // . . .
  // 3 4 .
  const Csr m{3, 3, {0, 2, 2, 4}, {0, 2, 0, 1}, {1, 2, 3, 4}};
  const Csc by_columns = csc_of(m);
  EXPECT_EQ(by_columns.offsets, (std::vector<Index>{0, 2, 3, 4}));
  EXPECT_EQ(by_columns.row, (std::vector<Index>{0, 2, 2, 0}));
  EXPECT_EQ(by_columns.value, (std::vector<double>{1, 3, 4, 2}));
  const Bsr in_blocks = bsr_of(m, 2, 2);
  EXPECT_EQ(in_blocks.offsets, (std::vector<Index>{0, 2, 3}));
  EXPECT_EQ(in_blocks.column, (std::vector<Index>{0, 1, 0}));
  EXPECT_EQ(in_blocks.value, (std::vector<double>{1, 0, 0, 0, 2, 0, 0, 0, 3, 4, 0, 0}));
}

TEST(Formats, AddUpEntriesOfOnePlace) {
  const Csr m = csr_of(Coo{2, 2, {1, 0, 1, 1}, {1, 0, 0, 1}, {5, 1, 2, 7}});
  EXPECT_EQ(elements_of(m), (Elements{{{0, 0}, 1}, {{1, 0}, 2}, {{1, 1}, 12}}));
}

template <class Matrix>
std::string reason(Matrix matrix) {
  return validate(matrix).text();
}

TEST(Formats, NameTheLineAndTheEntryOfTheFirstError) {
  const Csr good{3, 4, {0, 2, 2, 3}, {0, 3, 1}, {1, 1, 1}};
  const auto with = [&](auto change) {
    Csr m = good;
    change(m);
    EXPECT_THROW(coo_of(m), std::invalid_argument);
    return reason(m);
  };
  EXPECT_EQ(reason(good), "");
  EXPECT_EQ(with([](Csr& m) { m.column[1] = 4; }), "row 0, entry 1: column 4 is not one of 4");
  EXPECT_EQ(with([](Csr& m) { m.column[2] = -1; }), "row 2, entry 2: column -1 is not one of 4");
  EXPECT_EQ(with([](Csr& m) { m.column[1] = 0; }), "row 0, entry 1: column 0 is there twice");
  EXPECT_EQ(with([](Csr& m) { m.column = {3, 1, 1}; }), "row 0, entry 1: column 1 comes after 3");
  EXPECT_EQ(with([](Csr& m) { m.offsets[2] = 1; }), "row 1: the offsets fall from 2 to 1");
  EXPECT_EQ(with([](Csr& m) { m.offsets[0] = 1; }), "row 0: the first offset is 1, not 0");
  EXPECT_EQ(with([](Csr& m) { m.offsets[1] = 9; }),
            "row 0: it ends at offset 9, and there are 3 entries");
  EXPECT_EQ(with([](Csr& m) { m.offsets[3] = 2; }),
            "row 2: the last offset is 2, and there are 3 entries");
  EXPECT_THAT(with([](Csr& m) { m.offsets.pop_back(); }), HasSubstr("3 offsets for 3 rows"));
  EXPECT_THAT(with([](Csr& m) { m.value.pop_back(); }),
              HasSubstr("3 elements, and there are 2 values"));
  EXPECT_THAT(with([](Csr& m) { m.rows = -1; }), HasSubstr("the number of rows is -1"));
  EXPECT_THAT(with([](Csr& m) { m.rows = std::numeric_limits<Index>::max(); }),
              HasSubstr("the number of rows is 9223372036854775807, and at most 281474976710656 is "
                        "taken"));
  EXPECT_EQ(reason(Coo{2, 2, {0, 2}, {0, 0}, {1, 1}}), "row 2, entry 1: row 2 is not one of 2");
  EXPECT_EQ(reason(Coo{2, 2, {0, 1}, {0, 5}, {1, 1}}), "row 1, entry 1: column 5 is not one of 2");
  EXPECT_EQ(reason(Csc{2, 1, {0, 2}, {1, 0}, {1, 1}}), "column 0, entry 1: row 0 comes after 1");
  EXPECT_EQ(reason(Csc{2, 2, {0, 2, 1}, {0, 1}, {1, 1}}), "column 1: the offsets fall from 2 to 1");
  EXPECT_EQ(reason(Bsr{2, 2, 0, 1, {0}, {}, {}}), "blocks have 1 to 1024 rows and columns, not 0");
  EXPECT_EQ(reason(Bsr{1, 1, 2, 2, {0, 1}, {0}, {1, 0, 0, 9}}),
            "row of blocks 0, block 0: element 3 of the block is beyond the matrix, and not zero");
  EXPECT_EQ(reason(Bsr{4, 4, 2, 2, {0, 0, 2}, {0, 2}, std::vector<double>(8)}),
            "row of blocks 1, block 1: block column 2 is not one of 2");
}

TEST(Formats, RefuseCountsThatDoNotFit32Bits) {
  EXPECT_EQ(narrowed({0, 5, 2147483647}, "offset"), (std::vector<std::int32_t>{0, 5, 2147483647}));
  try {
    narrowed({0, 5, 2147483648}, "offset");
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "offset 2 is 2147483648, which integers of 32 bits do not hold: take those of 64");
  }
}

// --- generators ----------------------------------------------------------------------------------

TEST(Generators, GiveTheSameMatrixForTheSameSeed) {
  expect_same(power_law(50, 60, 500, 1.1, Entries::reals, 3),
              power_law(50, 60, 500, 1.1, Entries::reals, 3));
  EXPECT_NE(power_law(50, 60, 500, 1.1, Entries::reals, 3).value,
            power_law(50, 60, 500, 1.1, Entries::reals, 4).value);
  // The numbers are the same on every platform.
  EXPECT_EQ(uniform(1, 100, 4, Entries::integers, 1).column, (std::vector<Index>{20, 35, 67, 77}));
}

TEST(Generators, GiveTheShapesThatTheyAreNamedFor) {
  const Csr law = power_law(1000, 1000, 20000, 1.0, Entries::integers, 1);
  Index longest = 0;
  for (std::size_t row = 0; row < 1000; ++row)
    longest = std::max(longest, law.offsets[row + 1] - law.offsets[row]);
  EXPECT_EQ(longest, 1000) << "fifty times the mean";
  for (const auto& [place, value] : elements_of(banded(20, 30, 2, 1, Entries::reals, 1))) {
    EXPECT_LE(place.first - place.second, 2);
    EXPECT_LE(place.second - place.first, 1);
    EXPECT_NE(value, 0);
  }
  const Bsr in_blocks = bsr_of(blocks(4, 6, 8, 2, Entries::integers, 1), 8, 8);
  EXPECT_EQ(in_blocks.column.size(), 4u * 2u);
  for (const double value : in_blocks.value) {
    EXPECT_TRUE(value != 0 && std::abs(value) <= 4 && value == std::floor(value)) << value;
  }
  EXPECT_THROW(uniform(1, 3, 4, Entries::reals, 1), std::invalid_argument);
}

// --- files ---------------------------------------------------------------------------------------

Csr read(const std::string& text) {
  std::istringstream stream(text);
  return csr_of(read_matrix_market(stream, "m.mtx"));
}

template <class Call>
std::string message_of(Call call) {
  try {
    call();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "it is done";
}

std::string refusal(const std::string& text) {
  return message_of([&] { read(text); });
}

TEST(MatrixMarket, GivesBackWhatWasWritten) {
  for (const auto& [name, matrix] : matrices_of_every_kind(Entries::reals)) {
    SCOPED_TRACE(name);
    std::stringstream stream;
    write_matrix_market(coo_of(matrix), stream);
    expect_same(csr_of(read_matrix_market(stream, name)), matrix);
  }
}

/// A locale that writes 1.234.567,5.
struct GroupsDigits : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

/// The locale of all streams created during the object's lifetime.
struct GlobalLocale {
  explicit GlobalLocale(const std::locale& locale) : before(std::locale::global(locale)) {}
  ~GlobalLocale() { std::locale::global(before); }
  GlobalLocale(const GlobalLocale&) = delete;
  GlobalLocale& operator=(const GlobalLocale&) = delete;

  const std::locale before;
};

TEST(MatrixMarket, IsTheSameInAnyLocale) {
  const GlobalLocale groups(std::locale(std::locale::classic(), new GroupsDigits));
  const Coo matrix{123456, 2345678, {0, 123455}, {1234566, 7}, {1234567.5, -0.25}};
  std::stringstream stream;
  write_matrix_market(matrix, stream);
  EXPECT_EQ(stream.str(),
            "%%MatrixMarket matrix coordinate real general\n123456 2345678 2\n"
            "1 1234567 1234567.5\n123456 8 -0.25\n");
  EXPECT_EQ(read_matrix_market(stream, "m.mtx").value, matrix.value);
  std::istringstream rounded("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1.5e-310");
  EXPECT_EQ(read_matrix_market(rounded, "m.mtx").value, (std::vector<double>{1.5e-310}));
}

TEST(MatrixMarket, ReadsEachKind) {
  const std::string head = "%%MatrixMarket matrix ";
  EXPECT_EQ(
      elements_of(read(head + "coordinate real general\n% comment\n\n2 3 2\n1 3 -1.5e2\n2 1 +4\n")),
      (Elements{{{0, 2}, -150}, {{1, 0}, 4}}));
  EXPECT_EQ(elements_of(read(head + "coordinate pattern general\r\n2 2 1\r\n2 2\r\n")),
            (Elements{{{1, 1}, 1}}));
  EXPECT_EQ(elements_of(
                read("%%matrixmarket MATRIX Coordinate INTEGER Symmetric\n2 2 2\n1 1 5\n2 1 7\n")),
            (Elements{{{0, 0}, 5}, {{1, 0}, 7}, {{0, 1}, 7}}));
  EXPECT_EQ(elements_of(read(head + "coordinate real skew-symmetric\n2 2 1\n2 1 7\n")),
            (Elements{{{1, 0}, 7}, {{0, 1}, -7}}));
  EXPECT_EQ(elements_of(read(head + "array real general\n2 2\n1\n0\n3\n4\n")),
            (Elements{{{0, 0}, 1}, {{0, 1}, 3}, {{1, 1}, 4}}));
  EXPECT_EQ(elements_of(read(head + "array real symmetric\n2 2\n1\n2\n3\n")),
            (Elements{{{0, 0}, 1}, {{1, 0}, 2}, {{0, 1}, 2}, {{1, 1}, 3}}));
}

TEST(MatrixMarket, NamesTheFileTheLineAndWhatIsWrong) {
  const std::string head = "%%MatrixMarket matrix coordinate real general\n";
  EXPECT_EQ(refusal(""), "m.mtx:0: it is empty");
  EXPECT_EQ(refusal("\x1f\x8b\x08"), "m.mtx:1: it is compressed: unpack it first");
  EXPECT_EQ(refusal("1 1 1\n"), "m.mtx:1: the first line does not begin with %%MatrixMarket");
  EXPECT_THAT(refusal("%%MatrixMarket vector coordinate real general\n"),
              HasSubstr("holds a vector"));
  EXPECT_THAT(refusal("%%MatrixMarket matrix dense real general\n"), HasSubstr("format is dense"));
  EXPECT_THAT(refusal("%%MatrixMarket matrix coordinate complex general\n"),
              HasSubstr("entries are complex"));
  EXPECT_THAT(refusal("%%MatrixMarket matrix coordinate real hermitian\n"),
              HasSubstr("is hermitian"));
  EXPECT_EQ(refusal(head + "2 2\n"), "m.mtx:2: the number of entries is missing");
  EXPECT_EQ(refusal(head + "2 -2 1\n"), "m.mtx:2: the number of columns is negative: -2");
  EXPECT_EQ(refusal(head + "2 2 1 1\n"), "m.mtx:2: there is more than belongs in the line: 1");
  EXPECT_EQ(refusal(head + "2 2 1\n3 1 1\n"), "m.mtx:3: row 3 is not one of 1 to 2");
  EXPECT_EQ(refusal(head + "2 2 1\n1 0 1\n"), "m.mtx:3: column 0 is not one of 1 to 2");
  EXPECT_EQ(refusal(head + "2 2 1\n1 1 x\n"), "m.mtx:3: the value is no number: x");
  EXPECT_EQ(refusal(head + "2 2 2\n1 1 1\n"), "m.mtx:3: it ends after 1 entries of 2");
  EXPECT_EQ(refusal(head + "2 2 1\n1 1 1\n2 2 2\n"),
            "m.mtx:4: there is an entry more than was announced");
  EXPECT_EQ(refusal(head + "99999999999999999999 2 1\n"),
            "m.mtx:2: the number of rows is no number that fits: 99999999999999999999");
  EXPECT_THAT(refusal("%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n"),
              HasSubstr("above its diagonal"));
  EXPECT_THAT(refusal("%%MatrixMarket matrix coordinate real symmetric\n2 3 1\n1 2 1\n"),
              HasSubstr("as many rows as columns"));
}

TEST(MatrixMarket, SaysWhatTheFirstLineLacks) {
  EXPECT_EQ(refusal("%%MatrixMarket\n"), "m.mtx:1: the first line ends before the object: matrix");
  EXPECT_EQ(refusal("%%MatrixMarket matrix\n"),
            "m.mtx:1: the first line ends before the format: coordinate or array");
  EXPECT_EQ(refusal("%%MatrixMarket matrix coordinate\n"),
            "m.mtx:1: the first line ends before the field: real, integer or pattern");
  EXPECT_EQ(refusal("%%MatrixMarket matrix array real \r\n"),
            "m.mtx:1: the first line ends before the symmetry: general, symmetric or "
            "skew-symmetric");
}

TEST(MatrixMarket, CountsTheEntriesThatAnArrayStores) {
  const std::string head = "%%MatrixMarket matrix array real ";
  EXPECT_EQ(refusal(head + "general\n2 3\n1\n"), "m.mtx:3: it ends after 1 entries of 6");
  EXPECT_EQ(refusal(head + "symmetric\n3 3\n1\n"), "m.mtx:3: it ends after 1 entries of 6");
  EXPECT_EQ(refusal(head + "symmetric\n4 4\n1\n"), "m.mtx:3: it ends after 1 entries of 10");
  EXPECT_EQ(refusal(head + "skew-symmetric\n3 3\n1\n"), "m.mtx:3: it ends after 1 entries of 3");
  EXPECT_EQ(refusal(head + "skew-symmetric\n4 4\n1\n"), "m.mtx:3: it ends after 1 entries of 6");
  EXPECT_EQ(
      elements_of(read(head + "skew-symmetric\n3 3\n1\n2\n3\n")),
      (Elements{{{1, 0}, 1}, {{0, 1}, -1}, {{2, 0}, 2}, {{0, 2}, -2}, {{2, 1}, 3}, {{1, 2}, -3}}));
  EXPECT_EQ(refusal(head + "general\n9000000000000000000 2\n1\n"),
            "m.mtx:2: an array of 9000000000000000000 rows and 2 columns has more entries than can "
            "be counted");
  EXPECT_THAT(refusal(head + "symmetric\n9223372036854775807 9223372036854775807\n1\n"),
              HasSubstr("more entries than can be counted"));
}

TEST(MatrixMarket, ReadsHugeArraysWithoutElementsAtOnce) {
  for (const char* const sizes : {"0 9000000000000000000", "9000000000000000000 0", "0 0"}) {
    std::istringstream stream(std::string("%%MatrixMarket matrix array real general\n") + sizes);
    const Coo matrix = read_matrix_market(stream, "m.mtx");
    EXPECT_EQ(std::to_string(matrix.rows) + " " + std::to_string(matrix.columns), sizes);
    EXPECT_TRUE(matrix.value.empty());
  }
  for (const char* const sizes : {"0 0", "1 1"}) {
    std::istringstream stream(std::string("%%MatrixMarket matrix array real skew-symmetric\n") +
                              sizes);
    EXPECT_TRUE(read_matrix_market(stream, "m.mtx").value.empty());
  }
}

TEST(MatrixMarket, ReadsValuesThatADoubleRounds) {
  const auto read_value = [](const std::string& text) {
    std::istringstream stream("%%MatrixMarket matrix coordinate double general\n1 1 1\n1 1 " +
                              text);
    return read_matrix_market(stream, "m.mtx").value.at(0);
  };
  EXPECT_EQ(read_value("1e-400"), 0);
  EXPECT_TRUE(std::signbit(read_value("-1e-400")));
  EXPECT_EQ(read_value("4.9e-324"), 4.9e-324);
  EXPECT_EQ(read_value("-2.2250738585072e-310"), -2.2250738585072e-310);
  EXPECT_EQ(read_value("1.0D+03"), 1000);
  EXPECT_EQ(read_value("+2.5d-1"), 0.25);
  EXPECT_EQ(read_value("1d-400"), 0);
}

TEST(MatrixMarket, RefusesValuesThatAreNone) {
  const auto refused = [](const std::string& field, const std::string& text) {
    return refusal("%%MatrixMarket matrix coordinate " + field + " general\n1 1 1\n1 1 " + text);
  };
  EXPECT_EQ(refused("real", "1e400"), "m.mtx:3: the value does not fit a double: 1e400");
  EXPECT_EQ(refused("real", "-1D400"), "m.mtx:3: the value does not fit a double: -1D400");
  EXPECT_EQ(refused("real", "+-1"), "m.mtx:3: the value is no number: +-1");
  EXPECT_EQ(refused("real", "1.0D"), "m.mtx:3: the value is no number: 1.0D");
  EXPECT_EQ(refused("real", "+"), "m.mtx:3: the value is no number: +");
  const std::string none = "m.mtx:3: the value of an integer matrix is no whole number: ";
  EXPECT_EQ(refused("integer", "1.5"), none + "1.5");
  EXPECT_EQ(refused("integer", "1e-400"), none + "1e-400");
  EXPECT_EQ(refused("integer", "nan"), none + "nan");
  EXPECT_EQ(refused("integer", "-12"), "it is done");
  EXPECT_EQ(refused("integer", "3.0"), "it is done");
  EXPECT_EQ(refused("integer", "inf"), none + "inf");
  const std::string no_double = "m.mtx:3: the value is a whole number that doubles do not hold: ";
  EXPECT_EQ(refused("integer", "9007199254740993"), no_double + "9007199254740993");
  EXPECT_EQ(refused("integer", "-9007199254740993"), no_double + "-9007199254740993");
  EXPECT_EQ(refused("integer", "9223372036854775807"), no_double + "9223372036854775807");
  EXPECT_EQ(refused("integer", "+92233720368547758080"), no_double + "+92233720368547758080");
  EXPECT_EQ(refused("integer", "9007199254740994"), "it is done");
  EXPECT_EQ(refused("integer", "-9223372036854775808"), "it is done");
  EXPECT_EQ(refusal("%%MatrixMarket matrix array integer general\n1 2\n1\n0.5\n"),
            "m.mtx:4: the value of an integer matrix is no whole number: 0.5");
}

TEST(MatrixMarket, LeavesNoHalfWrittenFile) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "matrix_market";
  std::filesystem::create_directories(folder);
  const std::string file = (folder / "m.mtx").string();
  const Coo good{1, 1, {0}, {0}, {2}};
  write_matrix_market(good, file);
  EXPECT_EQ(read_matrix_market(file).value, good.value);
  const Coo bad{1, 1, {0}, {3}, {2}};
  EXPECT_THROW(write_matrix_market(bad, file), std::invalid_argument);
  EXPECT_EQ(read_matrix_market(file).value, good.value) << "what was there is kept";
  EXPECT_FALSE(std::filesystem::exists(file + ".part"));
  const std::string nowhere = (folder / "none" / "m.mtx").string();
  EXPECT_EQ(message_of([&] { write_matrix_market(good, nowhere); }),
            nowhere + ": it cannot be written: No such file or directory");
  EXPECT_EQ(message_of([&] { read_matrix_market(nowhere); }),
            nowhere + ": it cannot be opened: No such file or directory");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace archgrid::sparse
