// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/structured.h"

#include <algorithm>
#include <cstdint>

#include "sparse/validate.h"
#include "sparse/variant.h"

namespace archgrid::sparse {
namespace {

#define STRUCTURED(name, type, ...)                                             \
  StructuredVariant{#name, gemm::Type::type, ARCHGRID_SPARSE_BUILT(name, name), \
                    ARCHGRID_SPARSE_BUILT(name, name##_is_loadable)},
const std::vector<StructuredVariant> structured_table = {
#include "sparse/variants.inc"
};

bool is_in_binary(const StructuredVariant& variant) {
  return variant.is_loadable() == cudaSuccess;
}

bool is_extent(int extent) {
  return extent >= 0 && extent <= gemm::max_extent;
}

std::string validate_type(gemm::Type type) {
  if (type == gemm::Type::f16 || type == gemm::Type::bf16 || type == gemm::Type::s8) return "";
  return std::string("2:4 matrices are of f16, bf16 or s8, not of ") + gemm::name(type);
}

template <class Pointer>
std::string validate_rows(const char* name, const DenseRows<Pointer>& m) {
  return first_of(
      {validate_type(m.type), validate_extent("rows", m.rows, gemm::max_extent),
       validate_extent("k", m.k, gemm::max_extent),
       validate_dense(name, read_only(m.elements), m.rows, m.k, gemm::bytes_of(m.type))});
}

template <class Pointer>
Footprint footprint_of_rows(const DenseRows<Pointer>& m) {
  return footprint_of(read_only(m.elements), m.rows, m.k, gemm::bytes_of(m.type));
}

std::string validate_equal(const char* what, const std::string& one, const std::string& one_is,
                           const std::string& other, const std::string& other_is) {
  if (one_is == other_is) return "";
  return one + "'s " + what + " is " + one_is + ", and " + other + "'s is " + other_is;
}

// Checks that two matrices have the same type and extents.
template <class One, class Other>
std::string validate_same_shape(const One& from, const Other& to) {
  return first_of(
      {validate_equal("type", "to", gemm::name(to.type), "from", gemm::name(from.type)),
       validate_equal("number of rows", "to", std::to_string(to.rows), "from",
                      std::to_string(from.rows)),
       validate_equal("k", "to", std::to_string(to.k), "from", std::to_string(from.k))});
}

// The functions below require valid extents.
std::string validate_arrays(const Structured& a) {
  const std::int64_t elements = a.rows > 0 && a.k > 0 ? 1 : 0;
  return first_of({validate_array("value", a.value, elements, 16),
                   validate_array("metadata", a.metadata, elements, 8)});
}
Footprint values_of(const Structured& a) {
  return footprint_of(a.value, static_cast<std::int64_t>(value_bytes(a.type, a.rows, a.k)), 1);
}
Footprint metadata_of(const Structured& a) {
  return footprint_of(a.metadata, static_cast<std::int64_t>(metadata_bytes(a.type, a.rows, a.k)),
                      1);
}

bool is_same_place(const DenseRows<const void*>& from, const DenseRows<void*>& to) {
  return from.elements.data == to.elements.data && from.elements.layout == to.elements.layout &&
         from.elements.leading == to.elements.leading;
}

}  // namespace

int padded_k(gemm::Type type, int k) {
  if (!is_extent(k)) return 0;
  const int tile_k = 64 / gemm::bytes_of(type);
  return (k + tile_k - 1) / tile_k * tile_k;
}

std::size_t value_bytes(gemm::Type type, int rows, int k) {
  if (!is_extent(rows)) return 0;
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(padded_k(type, k)) / 2 *
         static_cast<std::size_t>(gemm::bytes_of(type));
}

std::size_t metadata_bytes(gemm::Type type, int rows, int k) {
  if (!is_extent(rows)) return 0;
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(padded_k(type, k)) / 8;
}

std::string validate_prune(const DenseRows<const void*>& from, const DenseRows<void*>& to) {
  const std::string reason = first_of(
      {validate_rows("from", from), validate_rows("to", to), validate_same_shape(from, to)});
  if (!reason.empty() || is_same_place(from, to)) return reason;
  return validate_disjoint("to", footprint_of_rows(to), "from", footprint_of_rows(from));
}

std::string validate_check(const DenseRows<const void*>& matrix, const void* workspace,
                           std::size_t workspace_bytes) {
  return first_of({validate_rows("matrix", matrix),
                   validate_workspace(workspace, workspace_bytes, check_2_4_bytes)});
}

std::string validate_compress(const DenseRows<const void*>& from, const Structured& to,
                              const void* workspace, std::size_t workspace_bytes) {
  const std::string reason =
      first_of({validate_rows("from", from), validate_same_shape(from, to), validate_arrays(to),
                validate_workspace(workspace, workspace_bytes, check_2_4_bytes)});
  if (!reason.empty()) return reason;
  const Footprint rows = footprint_of_rows(from);
  if (gemm::overlap(values_of(to), metadata_of(to)))
    return "value and metadata share memory: both are written";
  return first_of({validate_disjoint("value", values_of(to), "from", rows),
                   validate_disjoint("metadata", metadata_of(to), "from", rows)});
}

std::string validate(const Structured& a, const gemm::Problem& p) {
  const std::string problem = "the problem";
  const std::string reason = first_of(
      {validate_type(a.type),
       validate_equal("input", problem, gemm::name(p.input), "A", gemm::name(a.type)),
       validate_equal("m", problem, std::to_string(p.m), "A", std::to_string(a.rows)),
       validate_equal("k", problem, std::to_string(p.k), "A", std::to_string(a.k)),
       p.batches == 1 ? ""
                      : "batches is " + std::to_string(p.batches) + ", and a 2:4 product is one",
       gemm::validate_extents(p), reads_operands(p) ? validate_arrays(a) : "",
       gemm::validate_except_a(p)});
  if (!reason.empty() || p.m == 0 || p.n == 0 || !reads_operands(p)) return reason;
  const Footprint c =
      footprint_of({p.c.data, p.c.layout, p.c.leading}, p.m, p.n, gemm::bytes_of(p.output));
  return first_of({validate_disjoint("C", c, "value", values_of(a)),
                   validate_disjoint("C", c, "metadata", metadata_of(a))});
}

const std::vector<StructuredVariant>& structured_variants() {
  return structured_table;
}

const StructuredVariant* find_structured_variant(const std::string& name) {
  const auto found = std::find_if(structured_table.begin(), structured_table.end(),
                                  [&](const StructuredVariant& v) { return v.name == name; });
  return found == structured_table.end() ? nullptr : &*found;
}

StructuredChoice choose(gemm::Type type, int device, bool (*has)(const StructuredVariant&)) {
  for (const StructuredVariant& variant : structured_table) {
    if (variant.type != type) continue;
    const Row& its_row = row(variant.name);
    const bool may_have = device >= its_row.first_device && variant.launch != nullptr;
    const std::string lacks = obstacle(its_row, device, may_have && has(variant));
    if (lacks.empty()) return {&variant, std::string("the variant for ") + gemm::name(type)};
    return {nullptr, std::string(variant.name) + " " + lacks};
  }
  return {nullptr, validate_type(type)};
}

StructuredChoice choose(gemm::Type type) {
  int device = 0;
  const cudaError_t error = current_device(&device);
  if (error != cudaSuccess) return {nullptr, cudaGetErrorString(error)};
  return choose(type, device, is_in_binary);
}

}  // namespace archgrid::sparse
