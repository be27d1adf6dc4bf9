// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/generate.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <unordered_set>

namespace archgrid::sparse {
namespace {

// A generator of our own: numbers from the standard library depend on the platform.
class Random {
 public:
  explicit Random(std::uint32_t seed) : state_(seed * 2654435761u + 1) {}

  std::uint32_t next() {
    // Steele, Lea, Flood: Fast splittable pseudorandom number generators (splitmix64).
    state_ += 0x9e3779b97f4a7c15ull;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9ull;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebull;
    return static_cast<std::uint32_t>((mixed ^ mixed >> 31) >> 32);
  }
  Index below(Index end) {
    return static_cast<Index>(
        static_cast<std::uint64_t>(next()) * static_cast<std::uint64_t>(end) >> 32);
  }
  double entry(Entries entries) {
    if (entries == Entries::integers) {
      const auto value = static_cast<double>(next() % 8) - 4;
      return value < 0 ? value : value + 1;
    }
    return (static_cast<double>(next()) + 0.5) / 2147483648.0 - 1.0;
  }

 private:
  std::uint64_t state_;
};

// Returns `count` distinct numbers below `end`, in increasing order.
std::vector<Index> choose(Index count, Index end, Random* random) {
  std::vector<Index> chosen;
  if (count > end / 2) {
    // Many of them: choose each number with the probability of (still to choose) / (still left).
    for (Index column = 0; column < end && count > 0; ++column) {
      if (random->below(end - column) >= count) continue;
      chosen.push_back(column);
      --count;
    }
    return chosen;
  }
  std::unordered_set<Index> seen;
  while (static_cast<Index>(seen.size()) < count) seen.insert(random->below(end));
  chosen.assign(seen.begin(), seen.end());
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

void add_row(Csr* matrix, const std::vector<Index>& columns, Entries entries, Random* random) {
  for (const Index column : columns) {
    matrix->column.push_back(column);
    matrix->value.push_back(random->entry(entries));
  }
  matrix->offsets.push_back(static_cast<Index>(matrix->column.size()));
}

}  // namespace

Csr with_row_lengths(const std::vector<Index>& lengths, Index columns, Entries entries,
                     std::uint32_t seed) {
  Random random(seed);
  Csr matrix{static_cast<Index>(lengths.size()), columns, {0}, {}, {}};
  for (std::size_t row = 0; row < lengths.size(); ++row) {
    if (lengths[row] < 0 || lengths[row] > columns) {
      throw std::invalid_argument("row " + std::to_string(row) + " cannot have " +
                                  std::to_string(lengths[row]) + " entries in " +
                                  std::to_string(columns) + " columns");
    }
    add_row(&matrix, choose(lengths[row], columns, &random), entries, &random);
  }
  return matrix;
}

Csr uniform(Index rows, Index columns, Index entries_per_row, Entries entries, std::uint32_t seed) {
  return with_row_lengths(std::vector<Index>(at(rows), entries_per_row), columns, entries, seed);
}

Csr power_law(Index rows, Index columns, Index entries_in_all, double exponent, Entries entries,
              std::uint32_t seed) {
  std::vector<double> share(at(rows));
  for (std::size_t rank = 0; rank < share.size(); ++rank)
    share[rank] = std::pow(static_cast<double>(rank + 1), -exponent);
  const double all = std::accumulate(share.begin(), share.end(), 0.0);
  std::vector<Index> lengths(share.size());
  for (std::size_t rank = 0; rank < share.size(); ++rank) {
    const double wanted = share[rank] / all * static_cast<double>(entries_in_all);
    lengths[rank] = std::min(static_cast<Index>(wanted + 0.5), columns);
  }
  Random random(seed);
  for (std::size_t i = lengths.size(); i > 1; --i)
    std::swap(lengths[i - 1], lengths[at(random.below(static_cast<Index>(i)))]);
  return with_row_lengths(lengths, columns, entries, seed + 1);
}

Csr banded(Index rows, Index columns, Index below, Index above, Entries entries,
           std::uint32_t seed) {
  Random random(seed);
  Csr matrix{rows, columns, {0}, {}, {}};
  for (Index row = 0; row < rows; ++row) {
    std::vector<Index> band;
    const Index end = std::min(columns, row + above + 1);
    for (Index column = std::max<Index>(0, row - below); column < end; ++column)
      band.push_back(column);
    add_row(&matrix, band, entries, &random);
  }
  return matrix;
}

Csr blocks(Index block_rows, Index block_columns, Index block, Index blocks_per_row,
           Entries entries, std::uint32_t seed) {
  Random random(seed);
  Csr matrix{block_rows * block, block_columns * block, {0}, {}, {}};
  for (Index block_row = 0; block_row < block_rows; ++block_row) {
    std::vector<Index> columns;
    for (const Index b : choose(blocks_per_row, block_columns, &random)) {
      for (Index column = 0; column < block; ++column) columns.push_back(b * block + column);
    }
    for (Index row = 0; row < block; ++row) add_row(&matrix, columns, entries, &random);
  }
  return matrix;
}

std::vector<NamedMatrix> matrices_of_every_kind(Entries entries) {
  std::vector<Index> mixed;
  for (Index row = 0; row < 700; ++row) mixed.push_back(std::max<Index>(0, row * 7 % 71 - 3));
  std::vector<Index> gigantic(300, 0);
  gigantic[137] = 4000;
  const auto rows = [&](const std::vector<Index>& lengths, Index columns) {
    return with_row_lengths(lengths, columns, entries, 7);
  };
  return {{"no rows", rows({}, 5)},
          {"no columns", rows({0, 0, 0}, 0)},
          {"no entries", rows(std::vector<Index>(300, 0), 40)},
          {"one entry", rows({1}, 1)},
          {"empty first and last", rows({0, 5, 0, 0, 33, 1, 0}, 501)},
          {"around a warp", rows({1, 2, 31, 32, 33, 63, 64, 65, 0, 96}, 501)},
          {"one gigantic row", rows(gigantic, 5000)},
          {"long among short", rows({1, 0, 4000, 2, 0, 0, 3000, 1}, 5000)},
          {"255 rows", rows(std::vector<Index>(255, 3), 501)},
          {"257 rows", rows(std::vector<Index>(257, 4), 501)},
          {"mixed", rows(mixed, 501)},
          {"one row", rows({3000}, 4001)},
          {"one column", rows({1, 0, 1, 1, 0, 0, 1}, 1)},
          {"dense", rows(std::vector<Index>(33, 65), 65)},
          {"tall", rows(std::vector<Index>(5000, 2), 3)},
          {"uniform", uniform(300, 400, 12, entries, 3)},
          {"power law", power_law(500, 600, 6000, 1.1, entries, 4)},
          {"banded", banded(200, 180, 3, 5, entries, 5)},
          {"blocks", blocks(12, 15, 16, 3, entries, 6)}};
}

}  // namespace archgrid::sparse
