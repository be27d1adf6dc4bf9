// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/sddmm.h"

#include <algorithm>

#include "sparse/scale.h"
#include "sparse/validate.h"
#include "sparse/variant.h"

namespace archgrid::sparse {
namespace {

#define SDDMM(name, ...) SddmmVariant{#name, name},
const std::vector<SddmmVariant> sddmm_table = {
#include "sparse/variants.inc"
};

}  // namespace

std::string validate(const Sddmm& p) {
  CsrOnDevice pattern{p.rows,    p.columns, p.entries,      p.index_type,
                      p.offsets, p.column,  sum_of(p.type), p.value};
  if (ignores_operands(p.alpha, p.type)) {
    return first_of({validate_extent("k", p.k, gemm::max_elements), validate_extents(pattern),
                     validate_array("value", p.value, p.entries,
                                    static_cast<std::size_t>(bytes_of(sum_of(p.type))))});
  }
  const int bytes = bytes_of(p.type);
  std::string reason =
      first_of({validate_extent("k", p.k, gemm::max_elements), validate_csr(pattern)});
  // Without entries A and B are not read.
  if (!reason.empty() || p.entries == 0) return reason;
  reason = first_of({validate_dense("A", p.a, p.rows, p.k, bytes),
                     validate_dense("B", p.b, p.k, p.columns, bytes)});
  if (!reason.empty()) return reason;
  const Footprint value =
      footprint_of(p.value, p.entries, static_cast<std::size_t>(bytes_of(sum_of(p.type))));
  pattern.value = nullptr;
  return first_of({validate_disjoint("value", value, "A", footprint_of(p.a, p.rows, p.k, bytes)),
                   validate_disjoint("value", value, "B", footprint_of(p.b, p.k, p.columns, bytes)),
                   validate_disjoint("value", value, pattern)});
}

const std::vector<SddmmVariant>& sddmm_variants() {
  return sddmm_table;
}

const SddmmVariant* find_sddmm_variant(const std::string& name) {
  const auto found = std::find_if(sddmm_table.begin(), sddmm_table.end(),
                                  [&](const SddmmVariant& v) { return v.name == name; });
  return found == sddmm_table.end() ? nullptr : &*found;
}

SddmmChoice choose(Layout a, Layout b) {
  if (a == Layout::row && b == Layout::column) {
    return {find_sddmm_variant("sddmm_warp_per_entry"),
            "rows of A and columns of B lie side by side: lanes read neighbours of both"};
  }
  return {find_sddmm_variant("sddmm_thread_per_entry"),
          "A or B does not lie along k: each lane goes along it for an entry of its own"};
}

}  // namespace archgrid::sparse
