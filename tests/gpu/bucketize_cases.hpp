// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Test cases of bucketize(), shared by GPUs (bucketize_test.cpp) and the CPU (tests/unit/kernels).
#ifndef ARCHGRID_TESTS_GPU_BUCKETIZE_CASES_HPP
#define ARCHGRID_TESTS_GPU_BUCKETIZE_CASES_HPP

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "device_memory.hpp"
#include "sparse/bucketize.h"
#include "sparse/bucketize_reference.h"

namespace archgrid::sparse {

/// The inputs, as 64-bit numbers whatever the types. Empty optional inputs are left out.
struct BucketizeCase {
  int features = 1;
  int buckets = 2;
  Numbers lengths;
  Numbers indices;
  Numbers block_sizes;
  Numbers batch_sizes;
  Numbers block_counts;
  Numbers block_bounds;
  bool keeps_indices = false;
  std::vector<bool> keeps_indices_of;
  int weight_bytes = 0;  ///< 0: no weights; otherwise each word of the weights is unique
  Integer length_type = Integer::i64;
  Integer index_type = Integer::i64;
  bool wants_all = true;  ///< also positions, places and buckets
};

/// The addresses of a case's arrays.
struct BucketizeInputs {
  const void* lengths;
  const void* indices;
  const void* block_sizes;
  const void* batch_sizes;
  const void* block_counts;
  const void* block_bounds;
  const void* keeps_indices_of;
};

/// Returns the problem of a case, without weights and outputs.
inline Bucketize problem_of(const BucketizeCase& c, const BucketizeInputs& inputs) {
  Bucketize p;
  p.features = c.features;
  p.bags = static_cast<int>(c.lengths.size());
  p.count = static_cast<long long>(c.indices.size());
  p.buckets = c.buckets;
  p.length_type = c.length_type;
  p.index_type = c.index_type;
  p.lengths = inputs.lengths;
  p.indices = inputs.indices;
  p.block_sizes = inputs.block_sizes;
  if (!c.batch_sizes.empty()) p.batch_sizes = inputs.batch_sizes;
  if (!c.block_counts.empty()) p.block_counts = inputs.block_counts;
  if (!c.block_bounds.empty()) p.block_bounds = inputs.block_bounds;
  p.keeps_indices = c.keeps_indices;
  if (!c.keeps_indices_of.empty())
    p.keeps_indices_of = static_cast<const bool*>(inputs.keeps_indices_of);
  return p;
}

/// All arrays of a case in device memory, and the problem that refers to them.
struct BucketizeOnDevice {
  explicit BucketizeOnDevice(const BucketizeCase& c)
      : lengths(c.lengths, c.length_type),
        indices(c.indices, c.index_type),
        block_sizes(c.block_sizes, c.index_type),
        batch_sizes(c.batch_sizes, c.length_type),
        block_counts(c.block_counts, c.index_type),
        block_bounds(c.block_bounds, c.index_type),
        keeps(std::vector<unsigned char>(c.keeps_indices_of.begin(), c.keeps_indices_of.end())),
        weights(weights_of(c)),
        new_lengths(c.lengths.size() * static_cast<std::size_t>(c.buckets), c.length_type),
        new_indices(c.indices.size(), c.index_type),
        positions(c.wants_all ? c.indices.size() : 0, c.index_type),
        places(c.wants_all ? c.indices.size() : 0, c.index_type),
        bucket_of(c.wants_all ? c.indices.size() : 0, c.index_type),
        new_weights(std::vector<unsigned char>(weights_of(c).size(), 0x5a)) {
    problem = problem_of(c, {lengths.data(), indices.data(), block_sizes.data(), batch_sizes.data(),
                             block_counts.data(), block_bounds.data(), keeps.data()});
    if (c.weight_bytes > 0) {
      problem.weights = weights.data();
      problem.weight_bytes = c.weight_bytes;
      problem.new_weights = new_weights.data();
    }
    problem.new_lengths = new_lengths.data();
    problem.new_indices = new_indices.data();
    if (c.wants_all) {
      problem.positions = positions.data();
      problem.places = places.data();
      problem.bucket_of = bucket_of.data();
    }
  }

  static std::vector<unsigned char> weights_of(const BucketizeCase& c) {
    std::vector<unsigned char> bytes(c.indices.size() * static_cast<std::size_t>(c.weight_bytes));
    for (std::uint32_t word = 0; word < bytes.size() / 4; ++word)
      std::memcpy(bytes.data() + word * 4, &word, 4);
    return bytes;
  }

  /// Returns the words of the moved weights.
  Numbers weight_words() const {
    const std::vector<unsigned char> moved = new_weights.to_host();
    Numbers words;
    for (std::size_t i = 0; i < moved.size(); i += 4) {
      std::uint32_t word = 0;
      std::memcpy(&word, moved.data() + i, 4);
      words.push_back(word);
    }
    return words;
  }

  DeviceNumbers lengths, indices, block_sizes, batch_sizes, block_counts, block_bounds;
  DeviceBytes keeps, weights;
  DeviceNumbers new_lengths, new_indices, positions, places, bucket_of;
  DeviceBytes new_weights;
  Bucketize problem;
};

/// Returns the reference result of a case, computed from arrays in host memory.
inline BucketizeReference reference(const BucketizeCase& c) {
  const auto lengths = DeviceNumbers::stored(c.lengths, c.length_type);
  const auto indices = DeviceNumbers::stored(c.indices, c.index_type);
  const auto block_sizes = DeviceNumbers::stored(c.block_sizes, c.index_type);
  const auto batch_sizes = DeviceNumbers::stored(c.batch_sizes, c.length_type);
  const auto block_counts = DeviceNumbers::stored(c.block_counts, c.index_type);
  const auto block_bounds = DeviceNumbers::stored(c.block_bounds, c.index_type);
  const std::vector<unsigned char> keeps(c.keeps_indices_of.begin(), c.keeps_indices_of.end());
  return reference(
      problem_of(c, {lengths.data(), indices.data(), block_sizes.data(), batch_sizes.data(),
                     block_counts.data(), block_bounds.data(), keeps.data()}));
}

/// The outputs of the operator. The words of weights identify their old places.
struct BucketizeResult {
  Numbers new_lengths, new_indices, positions, places, bucket_of, weight_words;
};

inline BucketizeResult run(const BucketizeCase& c) {
  BucketizeOnDevice on_device(c);
  EXPECT_EQ(validate(on_device.problem), "");
  const DeviceBytes workspace(std::vector<unsigned char>(workspace_bytes(on_device.problem), 0x5a));
  EXPECT_EQ(bucketize(on_device.problem, workspace.data(), workspace.size(), nullptr), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  workspace.to_host();
  return {on_device.new_lengths.numbers(), on_device.new_indices.numbers(),
          on_device.positions.numbers(),   on_device.places.numbers(),
          on_device.bucket_of.numbers(),   on_device.weight_words()};
}

/// Returns numbers as they are read back: 32-bit ones have an empty upper half.
inline Numbers as_stored(Numbers numbers, Integer type) {
  if (type == Integer::i32) {
    for (std::int64_t& number : numbers) number &= 0xffffffff;
  }
  return numbers;
}

inline Numbers weight_words(const BucketizeReference& expected, int weight_bytes) {
  const int words = weight_bytes / 4;
  Numbers all;
  for (const std::int64_t source : expected.source) {
    for (int word = 0; word < words; ++word) all.push_back(source * words + word);
  }
  return all;
}

/// Runs a case and compares all outputs with the reference.
inline void expect_reference(const BucketizeCase& c) {
  const BucketizeReference expected = reference(c);
  const BucketizeResult got = run(c);
  EXPECT_EQ(got.new_lengths, expected.new_lengths);
  EXPECT_EQ(got.new_indices, as_stored(expected.new_indices, c.index_type));
  EXPECT_EQ(got.weight_words, weight_words(expected, c.weight_bytes));
  if (!c.wants_all) return;
  EXPECT_EQ(got.positions, expected.positions);
  EXPECT_EQ(got.places, expected.places);
  EXPECT_EQ(got.bucket_of, expected.bucket_of);
}

/// Returns the four combinations of types of lengths and indices.
inline std::vector<std::pair<Integer, Integer>> all_types() {
  return {{Integer::i32, Integer::i32},
          {Integer::i32, Integer::i64},
          {Integer::i64, Integer::i32},
          {Integer::i64, Integer::i64}};
}

inline BucketizeCase with_types(BucketizeCase c, const std::pair<Integer, Integer>& types) {
  c.length_type = types.first;
  c.index_type = types.second;
  return c;
}

/// Returns features with bags of any length, including empty ones, and indices within and beyond
/// tables.
inline BucketizeCase random_case(int features, int bags_per_feature, int buckets, int longest_bag,
                                 std::uint32_t seed) {
  std::uint32_t state = seed;
  const auto next = [&](std::uint32_t end) {
    state = state * 1664525u + 1013904223u;
    return static_cast<std::int64_t>((state >> 8) % end);
  };
  BucketizeCase c;
  c.features = features;
  c.buckets = buckets;
  for (int f = 0; f < features; ++f) {
    c.block_sizes.push_back(1 + next(50));
    for (int bag = 0; bag < bags_per_feature; ++bag) {
      const std::int64_t length =
          next(3) == 0 ? 0 : next(static_cast<std::uint32_t>(longest_bag + 1));
      c.lengths.push_back(length);
      for (std::int64_t i = 0; i < length; ++i) {
        c.indices.push_back(
            next(static_cast<std::uint32_t>(c.block_sizes.back() * buckets + buckets)));
      }
    }
  }
  return c;
}

}  // namespace archgrid::sparse

#endif
