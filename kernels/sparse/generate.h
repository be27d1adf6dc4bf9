// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Generators of sparse matrices for tests and benchmarks. The same seed gives the same matrix on
// every platform.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sparse/formats.h"

namespace archgrid::sparse {

// The values of entries: integers from -4 to 4, whose products and sums are exact in every type, or
// reals from -1 to 1. None is zero.
enum class Entries { integers, reals };

// Returns a matrix in which row r has lengths[r] entries in random columns. Throws
// std::invalid_argument if a row would have more entries than columns.
Csr with_row_lengths(const std::vector<Index>& lengths, Index columns, Entries entries,
                     std::uint32_t seed);
// Returns a matrix with `entries_per_row` entries in each row.
Csr uniform(Index rows, Index columns, Index entries_per_row, Entries entries, std::uint32_t seed);
// Returns a matrix whose row lengths follow rank^-exponent, in random order, with about
// `entries_in_all` entries: like links of the web and of social networks.
Csr power_law(Index rows, Index columns, Index entries_in_all, double exponent, Entries entries,
              std::uint32_t seed);
// Returns a matrix with all entries from `below` columns before the diagonal to `above` columns
// after it.
Csr banded(Index rows, Index columns, Index below, Index above, Entries entries,
           std::uint32_t seed);
// Returns a matrix of dense blocks, `blocks_per_row` of them in each row of blocks.
Csr blocks(Index block_rows, Index block_columns, Index block, Index blocks_per_row,
           Entries entries, std::uint32_t seed);

struct NamedMatrix {
  std::string name;
  Csr matrix;
};

// Returns small matrices of each kind, and extreme ones: no rows, no columns, no entries, empty
// rows at the beginning, in the middle and at the end, one gigantic row among empty ones, one row,
// one column, row lengths around the sizes of a warp and of a block.
std::vector<NamedMatrix> matrices_of_every_kind(Entries entries);

}  // namespace archgrid::sparse
