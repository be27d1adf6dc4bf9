// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/bucketize.h"

#include <limits>

namespace archgrid::sparse {
namespace {

struct Array {
  const char* name;
  const void* data;
  bool has_elements;
};

std::string null_array_in(const Bucketize& p) {
  const bool has_bags = p.bags > 0;
  const bool has_indices = p.count > 0;
  for (const Array& array :
       {Array{"lengths", p.lengths, has_bags}, Array{"block_sizes", p.block_sizes, has_indices},
        Array{"indices", p.indices, has_indices}, Array{"new_lengths", p.new_lengths, has_bags},
        Array{"new_indices", p.new_indices, has_indices},
        Array{"new_weights", p.new_weights, has_indices && p.weights != nullptr}}) {
    if (array.has_elements && array.data == nullptr)
      return std::string(array.name) + " is a null pointer";
  }
  return "";
}

}  // namespace

std::string mistake_in(const Bucketize& p) {
  if (p.features < 0 || p.bags < 0 || p.count < 0) {
    return "features, bags and count are not negative";
  }
  if (p.buckets < 1 || p.buckets > most_buckets) {
    return "there are 1 to " + std::to_string(most_buckets) + " buckets, not " +
           std::to_string(p.buckets);
  }
  if (p.bags > 0 && p.features == 0) return "there are bags, and no feature";
  if (p.count > 0 && p.bags == 0) return "there are indices, and no bag";
  if (p.batch_sizes == nullptr && p.features > 0 && p.bags % p.features != 0) {
    return std::to_string(p.bags) + " bags do not make as many for each of " +
           std::to_string(p.features) + " features, and there are no batch_sizes";
  }
  constexpr long long most_of_32_bits = std::numeric_limits<std::int32_t>::max();
  const bool is_narrow = p.index_type == Integer::i32 || p.length_type == Integer::i32;
  if (p.count > (is_narrow ? most_of_32_bits : 1ll << 40)) {
    return std::to_string(p.count) + " indices are more than " +
           (is_narrow ? "integers of 32 bits count" : "the operator takes");
  }
  if (p.weights != nullptr && (p.weight_bytes <= 0 || p.weight_bytes % 4 != 0)) {
    return "the weights of an index have a multiple of 4 bytes, not " +
           std::to_string(p.weight_bytes);
  }
  return null_array_in(p);
}

}  // namespace archgrid::sparse
