// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Sparse matrices in the memory of the host, in the ways that they are kept, and from one to
// another. Numbers are of 64 bits here, so that every device type's are exact.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace archgrid::sparse {

using Index = std::int64_t;

// An index of a std::vector.
constexpr std::size_t at(Index index) {
  return static_cast<std::size_t>(index);
}

// The most rows, and columns, of a matrix: more than any device has room for.
constexpr Index most_extent = Index{1} << 48;

// Entries one by one, in any order. Entries of one place are added up where that matters.
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

// The same by columns: entry i of column c, for offsets[c] <= i < offsets[c + 1], is at row[i].
struct Csc {
  Index rows = 0;
  Index columns = 0;
  std::vector<Index> offsets = {0};  // columns + 1
  std::vector<Index> row;
  std::vector<double> value;
};

// Rows, and columns, that a block has at most.
constexpr int most_of_block = 1024;

// Compressed rows of dense blocks: block i of block row r, at block column column[i], has
// block_rows x block_columns values from i times as many on, row by row. What lies beyond the
// matrix in the last blocks is zero.
struct Bsr {
  Index rows = 0;     // of elements
  Index columns = 0;  // of elements
  Index block_rows = 1;
  Index block_columns = 1;
  std::vector<Index> offsets = {0};  // block rows + 1
  std::vector<Index> column;
  std::vector<double> value;
};

// What the lines of a compressed format, the places of its entries, and these themselves are
// called.
struct LineNames {
  const char* line;
  const char* lines;
  const char* place;
  const char* entry;
  const char* entries;
};
inline constexpr LineNames names_in_csr{"row", "rows", "column", "entry", "entries"};
inline constexpr LineNames names_in_csc{"column", "columns", "row", "entry", "entries"};
inline constexpr LineNames names_in_bsr{"row of blocks", "rows of blocks", "block column", "block",
                                        "blocks"};

// What is wrong with a matrix, at which row (of Csc: column, of Bsr: row of blocks) and entry; -1
// where there is none.
struct Mistake {
  std::string what;  // empty: nothing
  Index row = -1;
  Index position = -1;
  LineNames names = names_in_csr;

  explicit operator bool() const { return !what.empty(); }
  // "row 3, entry 17: column 9 is not one of 9"; of Csc "column 3, entry 17: ...", of Bsr "row of
  // blocks 3, block 17: ...".
  std::string text() const;
};

// The first mistake, by rows and within a row by entries. Entries of a row are in the order of
// their columns, each column once; offsets begin with 0, do not fall, and end with the number of
// entries.
Mistake mistake_in(const Coo& matrix);
Mistake mistake_in(const Csr& matrix);
Mistake mistake_in(const Csc& matrix);
Mistake mistake_in(const Bsr& matrix);

// The words of each mistake, for all who find one: here, or on the device.

// Of a matrix without lines.
Mistake mistake_without_lines(const LineNames& names, Index first_offset, Index entries);
// Of a line whose entries are from `begin` on to `end` of `entries`: an end that is no end.
Mistake mistake_in_ends(const LineNames& names, Index line, Index begin, Index end, bool is_last,
                        Index entries);
// Of an entry of a line, at a place of so many, and after one at `before`; -1 where it is the
// first.
Mistake mistake_in_place(const LineNames& names, Index line, Index entry, Index place, Index places,
                         Index before);
// Of an entry of coordinates.
Mistake mistake_in_coordinates(Index rows, Index columns, Index row, Index column, Index entry);
// Of a block's extents: why they are none; empty if they are.
std::string mistake_in_block(Index block_rows, Index block_columns);
// Of an element of a block that is beyond the matrix, and not zero.
Mistake mistake_beyond_the_matrix(Index row_of_blocks, Index block, Index element);

// What follows throws std::invalid_argument with the text of the first mistake in what it is given.

// Adds up entries of one place, and puts them in order.
Csr csr_of(const Coo& matrix);
Csr csr_of(const Csc& matrix);
// Without the zeros of blocks.
Csr csr_of(const Bsr& matrix);
Coo coo_of(const Csr& matrix);
Csc csc_of(const Csr& matrix);
// Blocks that have an entry.
Bsr bsr_of(const Csr& matrix, Index block_rows, Index block_columns);

// Numbers of 32 bits. Throws std::invalid_argument where one does not fit, naming `what` and the
// place.
std::vector<std::int32_t> narrowed(const std::vector<Index>& numbers, const char* what);

}  // namespace archgrid::sparse
