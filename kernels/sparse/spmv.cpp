// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/spmv.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "sparse/variant.h"

namespace archgrid::sparse {
namespace {

#define SPMV(name, ...) SpmvVariant{#name, name##_workspace_bytes, name},
const std::vector<SpmvVariant> table = {
#include "sparse/variants.inc"
};

constexpr std::int64_t most_rows = std::int64_t{1} << 36;  // of a grid of warps

bool is_multiple(const void* address, std::size_t bytes) {
  return reinterpret_cast<std::uintptr_t>(address) % bytes == 0;
}

std::string rounded(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

}  // namespace

std::string mistake_in(const Spmv& p) {
  if (p.a.rows < 0 || p.a.columns < 0 || p.a.entries < 0) {
    return "rows, columns and entries are not negative";
  }
  if (p.a.rows > most_rows || p.a.entries > std::int64_t{1} << 40) {
    return "there are more rows or entries than a grid takes";
  }
  if (p.a.index_type == Integer::i32 && (p.a.columns > INT32_MAX || p.a.entries > INT32_MAX)) {
    return "integers of 32 bits do not count so many columns or entries: take those of 64";
  }
  if (p.a.rows == 0) return "";
  if (p.a.offsets == nullptr) return "offsets is a null pointer";
  if (p.y == nullptr) return "y is a null pointer";
  if (!is_multiple(p.y, static_cast<std::size_t>(bytes_of(sum_of(p.a.type))))) {
    return "y does not begin at a multiple of its elements' size";
  }
  if (p.a.entries == 0) return "";
  if (p.a.column == nullptr || p.a.value == nullptr) return "column or value is a null pointer";
  if (p.x == nullptr) return "x is a null pointer";
  const auto bytes = static_cast<std::size_t>(bytes_of(p.a.type));
  if (!is_multiple(p.x, bytes) || !is_multiple(p.a.value, bytes)) {
    return "x or value does not begin at a multiple of its elements' size";
  }
  return "";
}

const std::vector<SpmvVariant>& spmv_variants() {
  return table;
}

const SpmvVariant* find_spmv_variant(const std::string& name) {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const SpmvVariant& v) { return v.name == name; });
  return found == table.end() ? nullptr : &*found;
}

// The figures are those of a warp: 32 rows that are read side by side wait for the longest of them.
SpmvChoice choose(const RowStatistics& rows) {
  constexpr std::int64_t short_row = 8;
  constexpr double uneven = 8;
  constexpr std::int64_t long_row = 4096;  // for which a warp alone takes longer than all else
  const double mean =
      rows.rows == 0 ? 0 : static_cast<double>(rows.entries) / static_cast<double>(rows.rows);
  const std::string longest = std::to_string(rows.longest);
  if (rows.longest <= short_row) {
    return {find_spmv_variant("spmv_row_per_thread"),
            "no row has more than " + longest + " entries: a thread is enough for each"};
  }
  const bool is_uneven = static_cast<double>(rows.longest) > uneven * mean && rows.longest > 64;
  if (is_uneven || rows.longest > long_row) {
    return {find_spmv_variant("spmv_merge"), "the longest row has " + longest +
                                                 " entries, the mean one " + rounded(mean) +
                                                 ": rows are cut into equal pieces"};
  }
  return {find_spmv_variant("spmv_row_per_warp"), "rows have " + rounded(mean) +
                                                      " entries in the mean, and none more than " +
                                                      longest + ": warps share them out"};
}

}  // namespace archgrid::sparse
