// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/spmm.h"

#include <algorithm>
#include <cstdint>

#include "sparse/variant.h"

namespace archgrid::sparse {
namespace {

#define SPMM(name, ...) SpmmVariant{#name, name##_workspace_bytes, name},
const std::vector<SpmmVariant> table = {
#include "sparse/variants.inc"
};

}  // namespace

std::string mistake_in_dense(const char* name, const Dense<const void*>& matrix, std::int64_t rows,
                             std::int64_t columns, Number type) {
  const bool is_row_major = matrix.layout == Layout::row;
  const std::int64_t least = is_row_major ? columns : rows;
  if (matrix.leading < least) {
    return std::string(name) + "'s leading dimension is " + std::to_string(matrix.leading) +
           ", and its " + (is_row_major ? "rows" : "columns") + " have " + std::to_string(least) +
           " elements";
  }
  if (matrix.data == nullptr && rows > 0 && columns > 0)
    return std::string(name) + " is a null pointer";
  const auto bytes = static_cast<std::uintptr_t>(bytes_of(type));
  if (reinterpret_cast<std::uintptr_t>(matrix.data) % bytes != 0)
    return std::string(name) + " does not begin at a multiple of its elements' size";
  return "";
}

std::string mistake_in(const Spmm& p) {
  constexpr std::int64_t most_columns = 65535 * 128;  // the grid's second extent
  if (p.n < 0) return "n is not negative";
  if (p.n > most_columns) return "there are more columns than a grid takes";
  // Vectors that are there, for what is common to both products.
  const std::int64_t somewhere = 0;
  std::int64_t anywhere = 0;
  const std::string mistake = mistake_in(Spmv{p.a, 1, &somewhere, 0, &anywhere});
  if (!mistake.empty()) return mistake;
  const std::string in_b = mistake_in_dense("B", p.b, p.a.columns, p.n, p.a.type);
  return in_b.empty() ? mistake_in_dense("C", {p.c.data, p.c.layout, p.c.leading}, p.a.rows, p.n,
                                         sum_of(p.a.type))
                      : in_b;
}

const std::vector<SpmmVariant>& spmm_variants() {
  return table;
}

const SpmmVariant* find_spmm_variant(const std::string& name) {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const SpmmVariant& v) { return v.name == name; });
  return found == table.end() ? nullptr : &*found;
}

SpmmChoice choose(const RowStatistics& rows, Layout b) {
  constexpr std::int64_t long_row = 512;  // for which a warp alone takes longer than all else
  const std::string longest = std::to_string(rows.longest);
  // Eight times the mean, in whole numbers.
  if (rows.longest > long_row && rows.longest * rows.rows > 8 * rows.entries) {
    return {find_spmm_variant("spmm_merge"), "the longest row has " + longest + " of " +
                                                 std::to_string(rows.entries) +
                                                 " entries: rows are cut into equal pieces"};
  }
  if (b == Layout::column) {
    return {find_spmm_variant("spmm_lanes_have_entries"),
            "B's columns lie side by side: lanes share the entries of a row out"};
  }
  return {find_spmm_variant("spmm_lanes_have_columns"),
          "B's rows lie side by side: lanes read neighbouring columns of them"};
}

}  // namespace archgrid::sparse
