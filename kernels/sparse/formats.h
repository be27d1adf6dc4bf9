// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Formats of sparse matrices in host memory, and conversions between them. Numbers have 64 bits
// here, so that those of every device type are exact.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace archgrid::sparse {

using Index = std::int64_t;

// Returns the index as one of a std::vector.
constexpr std::size_t at(Index index) {
  return static_cast<std::size_t>(index);
}

// The maximum number of rows or columns of a matrix: more than any device has room for.
constexpr Index max_extent = Index{1} << 48;

// Entries in any order. csr_of() adds up entries with the same row and column.
struct Coo {
  Index rows = 0;
  Index columns = 0;
  std::vector<Index> row;     // of each entry
  std::vector<Index> column;  // of each entry
  std::vector<double> value;
};

// Entry i of row r, for offsets[r] <= i < offsets[r + 1], is value[i] at column[i].
struct Csr {
  Index rows = 0;
  Index columns = 0;
  std::vector<Index> offsets = {0};  // rows + 1
  std::vector<Index> column;
  std::vector<double> value;
};

// Entry i of column c, for offsets[c] <= i < offsets[c + 1], is value[i] at row[i].
struct Csc {
  Index rows = 0;
  Index columns = 0;
  std::vector<Index> offsets = {0};  // columns + 1
  std::vector<Index> row;
  std::vector<double> value;
};

// The maximum number of rows or columns of a block.
constexpr int max_block_extent = 1024;

// Compressed rows of dense blocks. Block i of block row r is at block column column[i]. Its
// block_rows x block_columns values are stored row by row, beginning at i * block_rows *
// block_columns. Elements of the last blocks beyond the matrix are zero.
struct Bsr {
  Index rows = 0;     // of elements
  Index columns = 0;  // of elements
  Index block_rows = 1;
  Index block_columns = 1;
  std::vector<Index> offsets = {0};  // block rows + 1
  std::vector<Index> column;
  std::vector<double> value;
};

// The names of a compressed format's major dimension, which the offsets delimit, of its minor
// dimension, whose index each entry has, and of its entries.
struct AxisNames {
  const char* major;
  const char* majors;
  const char* minor;
  const char* entry;
  const char* entries;
};
inline constexpr AxisNames names_in_csr{"row", "rows", "column", "entry", "entries"};
inline constexpr AxisNames names_in_csc{"column", "columns", "row", "entry", "entries"};
inline constexpr AxisNames names_in_bsr{"row of blocks", "rows of blocks", "block column", "block",
                                        "blocks"};

// An error in a matrix, with its row (CSC: column; BSR: row of blocks) and entry, or -1.
struct FormatError {
  std::string what;  // empty: no error
  Index row = -1;
  Index position = -1;
  AxisNames names = names_in_csr;

  explicit operator bool() const { return !what.empty(); }
  // Returns a message such as "row 3, entry 17: column 9 is not one of 9"; for CSC
  // "column 3, entry 17: ...", for BSR "row of blocks 3, block 17: ...".
  std::string text() const;
};

// Returns the first error in the order of rows, and of entries within a row. The columns of a
// row's entries must increase. Offsets must begin with 0, be nondecreasing, and end with the number
// of entries.
FormatError validate(const Coo& matrix);
FormatError validate(const Csr& matrix);
FormatError validate(const Csc& matrix);
FormatError validate(const Bsr& matrix);

// The messages of errors, for checks on the host and on the device. Each validate_X() returns an
// empty FormatError or string if X is valid.

// Checks a matrix whose major dimension is 0.
FormatError validate_empty(const AxisNames& names, Index first_offset, Index entries);
// Checks the offsets of a row (CSC: column) that has entries [begin, end) of `entries`.
FormatError validate_offsets(const AxisNames& names, Index major, Index begin, Index end,
                             bool is_last, Index entries);
// Checks the index `minor` of an entry, of `minors`, after the index `before`, which is -1 for the
// first entry.
FormatError validate_index(const AxisNames& names, Index major, Index entry, Index minor,
                           Index minors, Index before);
// Checks an entry with coordinates.
FormatError validate_coordinates(Index rows, Index columns, Index row, Index column, Index entry);
// Checks the extents of a block.
std::string validate_block(Index block_rows, Index block_columns);
// Returns the error of a nonzero element of a block beyond the matrix.
FormatError padding_error(Index row_of_blocks, Index block, Index element);

// The conversions below throw std::invalid_argument with the text of the argument's first error.

// Sorts entries, and adds up those with the same row and column.
Csr csr_of(const Coo& matrix);
Csr csr_of(const Csc& matrix);
// Omits zeros of blocks.
Csr csr_of(const Bsr& matrix);
Coo coo_of(const Csr& matrix);
Csc csc_of(const Csr& matrix);
// Stores only blocks that contain an entry.
Bsr bsr_of(const Csr& matrix, Index block_rows, Index block_columns);

// Converts numbers to 32 bits. Throws std::invalid_argument, naming `what` and the position, if one
// does not fit.
std::vector<std::int32_t> narrowed(const std::vector<Index>& numbers, const char* what);

}  // namespace archgrid::sparse
