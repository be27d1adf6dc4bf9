// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/bucketize.h"

#include <limits>
#include <vector>

#include "sparse/validate.h"

namespace archgrid::sparse {
namespace {

struct Array {
  const char* name;
  const void* data;
  long long elements;
  std::size_t bytes;      // of an element
  std::size_t alignment;  // of the first
  bool is_written;
};

std::vector<Array> arrays_of(const Bucketize& p) {
  const std::size_t length = bytes_of(p.length_type);
  const std::size_t index = bytes_of(p.index_type);
  const auto weight = static_cast<std::size_t>(p.weights == nullptr ? 0 : p.weight_bytes);
  constexpr std::size_t word = 4;
  const long long bounds = p.features * (p.buckets + 1ll);
  const long long block_sizes = p.count > 0 ? p.features : 0;
  const auto if_given = [](const void* data, long long elements) {
    return data == nullptr ? 0 : elements;
  };
  return {
      {"lengths", p.lengths, p.bags, length, length, false},
      {"block_sizes", p.block_sizes, block_sizes, index, index, false},
      {"indices", p.indices, p.count, index, index, false},
      {"batch_sizes", p.batch_sizes, if_given(p.batch_sizes, p.features), length, length, false},
      {"block_counts", p.block_counts, if_given(p.block_counts, p.features), index, index, false},
      {"block_bounds", p.block_bounds, if_given(p.block_bounds, bounds), index, index, false},
      {"keeps_indices_of", p.keeps_indices_of, if_given(p.keeps_indices_of, p.features), 1, 1,
       false},
      {"weights", p.weights, if_given(p.weights, p.count), weight, word, false},
      {"new_lengths", p.new_lengths, 1ll * p.bags * p.buckets, length, length, true},
      {"new_indices", p.new_indices, p.count, index, index, true},
      {"new_weights", p.new_weights, if_given(p.weights, p.count), weight, word, true},
      {"positions", p.positions, if_given(p.positions, p.count), index, index, true},
      {"places", p.places, if_given(p.places, p.count), index, index, true},
      {"bucket_of", p.bucket_of, if_given(p.bucket_of, p.count), index, index, true}};
}

std::string validate_arrays(const Bucketize& p) {
  const std::vector<Array> arrays = arrays_of(p);
  for (const Array& a : arrays) {
    const std::string reason = validate_array(a.name, a.data, a.elements, a.alignment);
    if (!reason.empty()) return reason;
  }
  for (const Array& to : arrays) {
    for (const Array& other : arrays) {
      if (!to.is_written || &to == &other) continue;
      const Footprint written = footprint_of(to.data, to.elements, to.bytes);
      const Footprint beside = footprint_of(other.data, other.elements, other.bytes);
      if (other.is_written && overlap(written, beside))
        return std::string(to.name) + " and " + other.name + " share memory: both are written";
      const std::string reason = validate_disjoint(to.name, written, other.name, beside);
      if (!reason.empty()) return reason;
    }
  }
  return "";
}

}  // namespace

std::string validate_extents(const Bucketize& p) {
  const std::string reason = validate_features(p.features, p.bags, p.count);
  if (!reason.empty() || (p.buckets >= 1 && p.buckets <= max_buckets)) return reason;
  return "there are 1 to " + std::to_string(max_buckets) + " buckets, not " +
         std::to_string(p.buckets);
}

std::string validate(const Bucketize& p) {
  const std::string extents = validate_extents(p);
  if (!extents.empty()) return extents;
  if (p.bags > 0 && p.features == 0) return "there are bags, and no feature";
  if (p.count > 0 && p.bags == 0) return "there are indices, and no bag";
  if (p.batch_sizes == nullptr && p.features > 0 && p.bags % p.features != 0) {
    return std::to_string(p.bags) + " bags do not make as many for each of " +
           std::to_string(p.features) + " features, and there are no batch_sizes";
  }
  constexpr long long max_i32 = std::numeric_limits<std::int32_t>::max();
  const bool is_narrow = p.index_type == Integer::i32 || p.length_type == Integer::i32;
  if (is_narrow && p.count > max_i32)
    return std::to_string(p.count) + " indices are more than integers of 32 bits count";
  if (p.weights != nullptr && (p.weight_bytes <= 0 || p.weight_bytes % 4 != 0)) {
    return "the weights of an index have a multiple of 4 bytes, not " +
           std::to_string(p.weight_bytes);
  }
  return validate_arrays(p);
}

std::string validate(const Bucketize& p, const void* workspace, std::size_t given) {
  return first_of({validate(p), validate_workspace(workspace, given, workspace_bytes(p))});
}

}  // namespace archgrid::sparse
