// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/sddmm.h"

#include <algorithm>

#include "sparse/variant.h"

namespace archgrid::sparse {
namespace {

#define SDDMM(name, ...) SddmmVariant{#name, name},
const std::vector<SddmmVariant> table = {
#include "sparse/variants.inc"
};

}  // namespace

std::string mistake_in(const Sddmm& p) {
  if (p.k < 0) return "k is not negative";
  const CsrOnDevice pattern{p.rows,    p.columns, p.entries,      p.index_type,
                            p.offsets, p.column,  sum_of(p.type), p.value};
  const std::int64_t somewhere = 0;
  std::int64_t anywhere = 0;
  const std::string mistake = mistake_in(Spmv{pattern, 1, &somewhere, 0, &anywhere});
  if (!mistake.empty()) return mistake;
  const std::string in_a = mistake_in_dense("A", p.a, p.rows, p.k, p.type);
  return in_a.empty() ? mistake_in_dense("B", p.b, p.k, p.columns, p.type) : in_a;
}

const std::vector<SddmmVariant>& sddmm_variants() {
  return table;
}

const SddmmVariant* find_sddmm_variant(const std::string& name) {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const SddmmVariant& v) { return v.name == name; });
  return found == table.end() ? nullptr : &*found;
}

SddmmChoice choose(Layout a, Layout b) {
  if (a == Layout::row && b == Layout::column) {
    return {find_sddmm_variant("sddmm_lanes_have_k"),
            "rows of A and columns of B lie side by side: lanes read neighbours of both"};
  }
  return {find_sddmm_variant("sddmm_lanes_have_entries"),
          "A or B does not lie along k: each lane goes along it for an entry of its own"};
}

}  // namespace archgrid::sparse
