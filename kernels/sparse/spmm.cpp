// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/spmm.h"

#include <algorithm>
#include <cstdint>

#include "sparse/scale.h"
#include "sparse/validate.h"
#include "sparse/variant.h"

namespace archgrid::sparse {
namespace {

#define SPMM(name, ...) SpmmVariant{#name, name##_workspace_bytes, name},
const std::vector<SpmmVariant> spmm_table = {
#include "sparse/variants.inc"
};

constexpr std::int64_t max_columns = 65535 * 128;  // limit of the grid's second dimension

}  // namespace

std::string validate_extents(const Spmm& p) {
  return first_of({validate_extent("n", p.n, max_columns), validate_extents(p.a)});
}

std::string validate(const Spmm& p) {
  const Dense<const void*> written = read_only(p.c);
  const int bytes = bytes_of(p.a.type);
  const int bytes_of_c = bytes_of(sum_of(p.a.type));
  if (ignores_operands(p.alpha, p.a.type)) {
    return first_of({validate_extents(p), validate_dense("C", written, p.a.rows, p.n, bytes_of_c)});
  }
  std::string reason = first_of({validate_extents(p), validate_csr(p.a)});
  if (!reason.empty()) return reason;
  // Without entries B is not read.
  const bool reads_b = p.a.entries > 0;
  if (reads_b) reason = validate_dense("B", p.b, p.a.columns, p.n, bytes);
  if (reason.empty()) reason = validate_dense("C", written, p.a.rows, p.n, bytes_of_c);
  if (!reason.empty()) return reason;
  const Footprint c = footprint_of(written, p.a.rows, p.n, bytes_of_c);
  const Footprint b = reads_b ? footprint_of(p.b, p.a.columns, p.n, bytes) : Footprint{};
  return first_of({validate_disjoint("C", c, "B", b), validate_disjoint("C", c, p.a)});
}

std::string validate(const SpmmVariant& variant, const Spmm& p, const void* workspace,
                     std::size_t workspace_bytes) {
  return first_of(
      {validate(p), validate_workspace(workspace, workspace_bytes, variant.workspace_bytes(p))});
}

const std::vector<SpmmVariant>& spmm_variants() {
  return spmm_table;
}

const SpmmVariant* find_spmm_variant(const std::string& name) {
  const auto found = std::find_if(spmm_table.begin(), spmm_table.end(),
                                  [&](const SpmmVariant& v) { return v.name == name; });
  return found == spmm_table.end() ? nullptr : &*found;
}

SpmmChoice choose(const RowStatistics& rows, Layout b, std::int64_t n) {
  constexpr std::int64_t long_row = 512;
  constexpr std::int64_t warps = 4096;  // of a large device; with fewer rows some are idle
  // On an H200, lane_per_entry takes 5.8 ps for each entry and column, lane_per_column 72 ps for
  // each entry and any 8 columns (docs/measurements/h200.md).
  constexpr std::int64_t few_columns = 8;
  const std::string longest = std::to_string(rows.longest);
  const std::string reason = first_of({validate(rows), validate_extent("n", n, max_columns)});
  if (!reason.empty()) return {nullptr, reason};
  // If the longest row has more than eight times the entries per row (or per warp, if there are
  // fewer rows), one warp takes longer for it than all others for the rest.
  const double shares = static_cast<double>(std::max(rows.rows, warps));
  const double all_as_longest = static_cast<double>(rows.longest) * shares;
  if (rows.longest > long_row && all_as_longest > 8 * static_cast<double>(rows.entries)) {
    return {find_spmm_variant("spmm_merge"), "the longest row has " + longest + " of " +
                                                 std::to_string(rows.entries) +
                                                 " entries: rows are cut into equal pieces"};
  }
  if (b == Layout::column) {
    return {find_spmm_variant("spmm_lane_per_entry"),
            "B's columns lie side by side: lanes share the entries of a row out"};
  }
  if (n <= few_columns) {
    return {find_spmm_variant("spmm_lane_per_entry"),
            "B has " + std::to_string(n) + " columns: lanes share the entries of a row out"};
  }
  return {find_spmm_variant("spmm_lane_per_column"),
          "B's rows lie side by side: lanes read neighbouring columns of them"};
}

}  // namespace archgrid::sparse
