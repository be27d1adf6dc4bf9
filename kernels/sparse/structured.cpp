// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/structured.h"

#include <algorithm>
#include <cstdint>

#include "sparse/variant.h"

namespace archgrid::sparse {
namespace {

#define STRUCTURED(name, type, ...)                                             \
  StructuredVariant{#name, gemm::Type::type, ARCHGRID_SPARSE_BUILT(name, name), \
                    ARCHGRID_SPARSE_BUILT(name, name##_is_loadable)},
const std::vector<StructuredVariant> table = {
#include "sparse/variants.inc"
};

bool is_in_binary(const StructuredVariant& variant) {
  return variant.is_loadable() == cudaSuccess;
}

bool is_multiple(const void* address, unsigned bytes) {
  return reinterpret_cast<std::uintptr_t>(address) % bytes == 0;
}

}  // namespace

int padded_k(gemm::Type type, int k) {
  const int slice = 64 / gemm::bytes_of(type);
  return (k + slice - 1) / slice * slice;
}

std::size_t value_bytes(gemm::Type type, int rows, int k) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(padded_k(type, k)) / 2 *
         static_cast<std::size_t>(gemm::bytes_of(type));
}

std::size_t metadata_bytes(gemm::Type type, int rows, int k) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(padded_k(type, k)) / 8;
}

std::string mistake_in(const Structured& a, const gemm::Problem& p) {
  if (a.type != gemm::Type::f16 && a.type != gemm::Type::bf16 && a.type != gemm::Type::s8)
    return std::string("2:4 matrices are of f16, bf16 or s8, not of ") + gemm::name(a.type);
  if (p.input != a.type || p.m != a.rows || p.k != a.k)
    return "the problem's m, k and input are not those of A";
  if (p.batches != 1) return "there is more than one product, or none";
  if (a.rows > 0 && a.k > 0 && (a.value == nullptr || a.metadata == nullptr))
    return "value or metadata is a null pointer";
  if (!is_multiple(a.value, 16) || !is_multiple(a.metadata, 8))
    return "value does not begin at a multiple of 16 bytes, or metadata at one of 8";
  return gemm::mistake_beside_a(p);
}

const std::vector<StructuredVariant>& structured_variants() {
  return table;
}

const StructuredVariant* find_structured_variant(const std::string& name) {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const StructuredVariant& v) { return v.name == name; });
  return found == table.end() ? nullptr : &*found;
}

StructuredChoice choose(gemm::Type type, int device, bool (*has)(const StructuredVariant&)) {
  for (const StructuredVariant& variant : table) {
    if (variant.type != type) continue;
    const Row& its_row = row(variant.name);
    const bool may_have = device >= its_row.first_device && variant.launch != nullptr;
    const std::string lacks = obstacle(its_row, device, may_have && has(variant));
    if (lacks.empty()) return {&variant, std::string("the variant for ") + gemm::name(type)};
    return {nullptr, std::string(variant.name) + " " + lacks};
  }
  return {nullptr, std::string("2:4 matrices are of f16, bf16 or s8, not of ") + gemm::name(type)};
}

StructuredChoice choose(gemm::Type type) {
  int device = 0;
  const cudaError_t error = current_device(&device);
  if (error != cudaSuccess) return {nullptr, cudaGetErrorString(error)};
  return choose(type, device, is_in_binary);
}

}  // namespace archgrid::sparse
