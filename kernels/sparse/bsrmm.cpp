// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/bsrmm.h"

#include <algorithm>
#include <cstdint>

#include "sparse/scale.h"
#include "sparse/validate.h"
#include "sparse/variant.h"

namespace archgrid::sparse {
namespace {

std::string bsrmm_mma_f16_validate(const Bsrmm& p) {
  constexpr int vector = 8;  // elements of 16 bytes, which are copied at once
  if (p.a.type != Number::f16) return "computes f16";
  if (p.a.block_columns % vector != 0)
    return "needs blocks of a multiple of 8 columns, these have " +
           std::to_string(p.a.block_columns);
  if (reinterpret_cast<std::uintptr_t>(p.a.value) % 16 != 0)
    return "needs values that begin at a multiple of 16 bytes";
  return "";
}

std::string bsrmm_simt_validate(const Bsrmm&) {
  return "";
}

#define BSRMM(name, ...)                                                  \
  BsrmmVariant{#name, name##_validate, ARCHGRID_SPARSE_BUILT(name, name), \
               ARCHGRID_SPARSE_BUILT(name, name##_is_loadable)},
const std::vector<BsrmmVariant> bsrmm_table = {
#include "sparse/variants.inc"
};
bool is_in_binary(const BsrmmVariant& variant) {
  return variant.is_loadable() == cudaSuccess;
}

std::string validate_block_extent(int extent) {
  if (extent >= 1 && extent <= max_block_extent) return "";
  return "blocks have 1 to " + std::to_string(max_block_extent) + " rows and columns, not " +
         std::to_string(extent);
}

std::int64_t block_rows_of(const BsrOnDevice& a) {
  return (a.rows + a.block_rows - 1) / a.block_rows;
}

std::string validate_blocks(const BsrOnDevice& a) {
  if (a.blocks == 0 || (a.rows > 0 && a.columns > 0)) return "";
  return "blocks is " + std::to_string(a.blocks) + ", and there are no " +
         (a.rows == 0 ? "rows" : "columns");
}

std::string validate_extents(const Bsrmm& p) {
  constexpr std::int64_t max_columns = 65535 * 64;  // limit of the grid's second dimension
  constexpr std::int64_t max_rows = (std::int64_t{1} << 31) - 1;
  constexpr std::int64_t max_blocks = std::int64_t{1} << 36;
  const BsrOnDevice& a = p.a;
  return first_of({validate_block_extent(a.block_rows), validate_block_extent(a.block_columns),
                   validate_extent("n", p.n, max_columns),
                   validate_extent("rows", a.rows, max_rows),
                   validate_extent("columns", a.columns, gemm::max_elements),
                   validate_extent("blocks", a.blocks, max_blocks),
                   validate_count("columns", a.columns, a.index_type),
                   validate_count("blocks", a.blocks, a.index_type), validate_blocks(a)});
}

std::string validate_arrays(const BsrOnDevice& a) {
  const std::size_t bytes_of_index = bytes_of(a.index_type);
  return first_of(
      {validate_array("offsets", a.offsets, a.rows, bytes_of_index),
       validate_array("column", a.column, a.blocks, bytes_of_index),
       validate_array("value", a.value, a.blocks, static_cast<std::size_t>(bytes_of(a.type)))});
}

// Returns an error message if C shares memory with an array of A. Counts a block as one entry of
// its size.
std::string validate_disjoint(const Footprint& c, const BsrOnDevice& a) {
  const std::size_t bytes_of_index = bytes_of(a.index_type);
  const std::int64_t offsets = a.rows == 0 ? 0 : block_rows_of(a) + 1;
  const auto bytes_of_block =
      static_cast<std::size_t>(a.block_rows * a.block_columns * bytes_of(a.type));
  return first_of(
      {validate_disjoint("C", c, "offsets", footprint_of(a.offsets, offsets, bytes_of_index)),
       validate_disjoint("C", c, "column", footprint_of(a.column, a.blocks, bytes_of_index)),
       validate_disjoint("C", c, "value", footprint_of(a.value, a.blocks, bytes_of_block))});
}

}  // namespace

std::string validate(const Bsrmm& p) {
  const BsrOnDevice& a = p.a;
  const Dense<const void*> written = read_only(p.c);
  const int bytes = bytes_of(a.type);
  const int bytes_of_c = bytes_of(sum_of(a.type));
  if (ignores_operands(p.alpha, a.type)) {
    return first_of({validate_extents(p), validate_dense("C", written, a.rows, p.n, bytes_of_c)});
  }
  std::string reason = first_of({validate_extents(p), validate_arrays(a)});
  // Without blocks B is not read.
  const bool reads_b = a.blocks > 0;
  if (reason.empty() && reads_b) reason = validate_dense("B", p.b, a.columns, p.n, bytes);
  if (reason.empty()) reason = validate_dense("C", written, a.rows, p.n, bytes_of_c);
  if (!reason.empty()) return reason;
  const Footprint c = footprint_of(written, a.rows, p.n, bytes_of_c);
  const Footprint b = reads_b ? footprint_of(p.b, a.columns, p.n, bytes) : Footprint{};
  return first_of({validate_disjoint("C", c, "B", b), validate_disjoint(c, a)});
}

const std::vector<BsrmmVariant>& bsrmm_variants() {
  return bsrmm_table;
}

const BsrmmVariant* find_bsrmm_variant(const std::string& name) {
  const auto found = std::find_if(bsrmm_table.begin(), bsrmm_table.end(),
                                  [&](const BsrmmVariant& v) { return v.name == name; });
  return found == bsrmm_table.end() ? nullptr : &*found;
}

BsrmmChoice choose(const Bsrmm& problem, int device, bool (*has)(const BsrmmVariant&)) {
  const std::string reason = validate(problem);
  if (!reason.empty()) return {nullptr, reason};
  std::string passed_over;
  for (const BsrmmVariant& variant : bsrmm_table) {
    std::string lacks = variant.validate(problem);
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
