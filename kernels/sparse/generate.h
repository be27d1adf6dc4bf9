// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Sparse matrices of every kind that kernels must bear, for tests and benchmarks. The same seed
// gives the same matrix, on every machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sparse/formats.h"

namespace archgrid::sparse {

// Whole numbers from -4 to 4, whose products and sums are exact in every type, or real ones from -1
// to 1; none is zero.
enum class Entries { integers, reals };

// Row r has lengths[r] entries, all over its columns. Throws std::invalid_argument where a row
// would have more entries than columns.
Csr with_row_lengths(const std::vector<Index>& lengths, Index columns, Entries entries,
                     std::uint32_t seed);
// As many in each row.
Csr uniform(Index rows, Index columns, Index entries_of_row, Entries entries, std::uint32_t seed);
// Row lengths fall as rank^-exponent does, in no order, to about `entries` in all: as links of the
// web and of social networks.
Csr power_law(Index rows, Index columns, Index entries_in_all, double exponent, Entries entries,
              std::uint32_t seed);
// All entries from `below` the diagonal to `above` it.
Csr banded(Index rows, Index columns, Index below, Index above, Entries entries,
           std::uint32_t seed);
// Dense blocks, `blocks_of_row` of them in each row of blocks.
Csr blocks(Index block_rows, Index block_columns, Index block, Index blocks_of_row, Entries entries,
           std::uint32_t seed);

struct NamedMatrix {
  std::string name;
  Csr matrix;
};

// Small ones of each kind, and of the extremes: no rows, no columns, no entries, empty rows at the
// begin, in the middle and at the end, one gigantic row among empty ones, one row, one column,
// lengths around a warp's and a block's.
std::vector<NamedMatrix> matrices_of_every_kind(Entries entries);

}  // namespace archgrid::sparse
