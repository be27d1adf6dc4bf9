// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/spmv.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <limits>

#include "sparse/scale.h"
#include "sparse/validate.h"
#include "sparse/variant.h"

namespace archgrid::sparse {
namespace {

#define SPMV(name, ...) SpmvVariant{#name, name##_workspace_bytes, name},
const std::vector<SpmvVariant> spmv_table = {
#include "sparse/variants.inc"
};

std::string rounded(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

std::string validate_part(const char* name, std::int64_t part, const char* name_of_all,
                          std::int64_t all) {
  if (part <= all) return "";
  return std::string(name) + " is " + std::to_string(part) + ", and " + name_of_all + " is " +
         std::to_string(all) + ": measure_rows() says so of offsets that are none";
}

}  // namespace

std::string validate(const Spmv& p) {
  const auto bytes = static_cast<std::size_t>(bytes_of(p.a.type));
  const auto bytes_of_y = static_cast<std::size_t>(bytes_of(sum_of(p.a.type)));
  if (ignores_operands(p.alpha, p.a.type))
    return first_of({validate_extents(p.a), validate_array("y", p.y, p.a.rows, bytes_of_y)});
  // Without entries x is not read.
  const std::int64_t read = p.a.entries == 0 ? 0 : p.a.columns;
  const std::string reason =
      first_of({validate_csr(p.a), validate_array("y", p.y, p.a.rows, bytes_of_y),
                validate_array("x", p.x, read, bytes)});
  if (!reason.empty()) return reason;
  const Footprint y = footprint_of(p.y, p.a.rows, bytes_of_y);
  return first_of({validate_disjoint("y", y, "x", footprint_of(p.x, read, bytes)),
                   validate_disjoint("y", y, p.a)});
}

std::string validate(const SpmvVariant& variant, const Spmv& p, const void* workspace,
                     std::size_t workspace_bytes) {
  return first_of(
      {validate(p), validate_workspace(workspace, workspace_bytes, variant.workspace_bytes(p))});
}

std::string validate_measure_rows(const CsrOnDevice& matrix, const void* workspace,
                                  std::size_t workspace_bytes) {
  const std::int64_t needed = matrix.rows == 0 ? 0 : 1;
  return first_of(
      {validate_extents(matrix),
       validate_array("offsets", matrix.offsets, needed, bytes_of(matrix.index_type)),
       validate_workspace(workspace, workspace_bytes, needed == 0 ? 0 : measure_rows_bytes)});
}

std::string validate(const RowStatistics& rows) {
  constexpr std::int64_t max = std::numeric_limits<std::int64_t>::max();
  return first_of(
      {validate_extent("rows", rows.rows, max), validate_extent("entries", rows.entries, max),
       validate_extent("longest", rows.longest, max), validate_extent("empty", rows.empty, max),
       validate_part("longest", rows.longest, "entries", rows.entries),
       validate_part("empty", rows.empty, "rows", rows.rows)});
}

const std::vector<SpmvVariant>& spmv_variants() {
  return spmv_table;
}

const SpmvVariant* find_spmv_variant(const std::string& name) {
  const auto found = std::find_if(spmv_table.begin(), spmv_table.end(),
                                  [&](const SpmvVariant& v) { return v.name == name; });
  return found == spmv_table.end() ? nullptr : &*found;
}

// The thresholds are those of a warp: 32 rows that are read together wait for the longest of them.
SpmvChoice choose(const RowStatistics& rows) {
  const std::string reason = validate(rows);
  if (!reason.empty()) return {nullptr, reason};
  constexpr std::int64_t short_row = 8;
  constexpr double uneven = 8;
  constexpr std::int64_t long_row = 4096;  // one warp takes longer for it than for all else
  const double mean =
      rows.rows == 0 ? 0 : static_cast<double>(rows.entries) / static_cast<double>(rows.rows);
  const std::string longest = std::to_string(rows.longest);
  if (rows.longest <= short_row) {
    return {find_spmv_variant("spmv_thread_per_row"),
            "no row has more than " + longest + " entries: a thread is enough for each"};
  }
  const bool is_uneven = static_cast<double>(rows.longest) > uneven * mean && rows.longest > 64;
  if (is_uneven || rows.longest > long_row) {
    return {find_spmv_variant("spmv_merge"), "the longest row has " + longest +
                                                 " entries, the mean one " + rounded(mean) +
                                                 ": rows are cut into equal pieces"};
  }
  return {find_spmv_variant("spmv_warp_per_row"), "rows have " + rounded(mean) +
                                                      " entries in the mean, and none more than " +
                                                      longest + ": warps share them out"};
}

}  // namespace archgrid::sparse
