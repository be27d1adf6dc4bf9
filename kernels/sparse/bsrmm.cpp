// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/bsrmm.h"

#include <algorithm>
#include <cstdint>

#include "sparse/variant.h"

namespace archgrid::sparse {
namespace {

std::string bsrmm_mma_f16_refuses(const Bsrmm& p) {
  constexpr int chunk = 8;  // elements that are copied together
  if (p.a.type != Number::f16) return "computes f16";
  if (p.a.block_columns % chunk != 0)
    return "needs blocks of a multiple of 8 columns, these have " +
           std::to_string(p.a.block_columns);
  if (reinterpret_cast<std::uintptr_t>(p.a.value) % 16 != 0)
    return "needs values that begin at a multiple of 16 bytes";
  return "";
}

std::string bsrmm_simt_refuses(const Bsrmm&) {
  return "";
}

#define BSRMM(name, ...)                                                 \
  BsrmmVariant{#name, name##_refuses, ARCHGRID_SPARSE_BUILT(name, name), \
               ARCHGRID_SPARSE_BUILT(name, name##_is_loadable)},
const std::vector<BsrmmVariant> table = {
#include "sparse/variants.inc"
};
bool is_in_binary(const BsrmmVariant& variant) {
  return variant.is_loadable() == cudaSuccess;
}

}  // namespace

std::string mistake_in(const Bsrmm& p) {
  constexpr std::int64_t most_columns = 65535 * 64;  // the grid's second extent
  const BsrOnDevice& a = p.a;
  if (a.block_rows < 1 || a.block_columns < 1 || a.block_rows > most_of_block ||
      a.block_columns > most_of_block) {
    return "blocks have 1 to " + std::to_string(most_of_block) + " rows and columns";
  }
  if (a.rows < 0 || a.columns < 0 || a.blocks < 0 || p.n < 0) {
    return "rows, columns, blocks and n are not negative";
  }
  if (p.n > most_columns) return "there are more columns than a grid takes";
  if (a.rows >= std::int64_t{1} << 31 || a.blocks > std::int64_t{1} << 36) {
    return "there are more rows or blocks than a grid takes";
  }
  if (a.index_type == Integer::i32 && (a.columns > INT32_MAX || a.blocks > INT32_MAX)) {
    return "integers of 32 bits do not count so many columns or blocks: take those of 64";
  }
  if (a.rows > 0 && a.offsets == nullptr) return "offsets is a null pointer";
  if (a.blocks > 0 && (a.column == nullptr || a.value == nullptr)) {
    return "column or value is a null pointer";
  }
  if (reinterpret_cast<std::uintptr_t>(a.value) % static_cast<unsigned>(bytes_of(a.type)) != 0) {
    return "value does not begin at a multiple of its elements' size";
  }
  const std::string in_b = mistake_in_dense("B", p.b, a.columns, p.n, a.type);
  return in_b.empty() ? mistake_in_dense("C", {p.c.data, p.c.layout, p.c.leading}, a.rows, p.n,
                                         sum_of(a.type))
                      : in_b;
}

const std::vector<BsrmmVariant>& bsrmm_variants() {
  return table;
}

const BsrmmVariant* find_bsrmm_variant(const std::string& name) {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const BsrmmVariant& v) { return v.name == name; });
  return found == table.end() ? nullptr : &*found;
}

BsrmmChoice choose(const Bsrmm& problem, int device, bool (*has)(const BsrmmVariant&)) {
  std::string passed_over;
  for (const BsrmmVariant& variant : table) {
    std::string lacks = variant.refuses(problem);
    if (lacks.empty()) {
      const bool may_have = device >= row(variant.name).first_device && variant.launch != nullptr;
      lacks = obstacle(row(variant.name), device, may_have && has(variant));
    }
    if (lacks.empty()) return {&variant, "the first that takes the problem" + passed_over};
    passed_over += std::string("; ") + variant.name + " " + lacks;
  }
  return {nullptr, passed_over.substr(2)};
}

BsrmmChoice choose(const Bsrmm& problem) {
  int device = 0;
  const cudaError_t error = current_device(&device);
  if (error != cudaSuccess) return {nullptr, cudaGetErrorString(error)};
  return choose(problem, device, is_in_binary);
}

}  // namespace archgrid::sparse
