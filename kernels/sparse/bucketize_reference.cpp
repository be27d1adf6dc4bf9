// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/bucketize_reference.h"

#include <algorithm>

namespace archgrid::sparse {
namespace {

// Returns an element of an array of either type. Elements of 32 bits are zero-extended.
std::uint64_t element(const void* data, Integer type, long long i) {
  if (type == Integer::i32) return static_cast<const std::uint32_t*>(data)[i];
  return static_cast<const std::uint64_t*>(data)[i];
}

struct Table {
  std::uint64_t block_size;
  std::uint64_t blocks;
  std::vector<std::uint64_t> bounds;  // empty if blocks are equal
};

Table table_of(const Bucketize& p, int feature) {
  Table table{
      element(p.block_sizes, p.index_type, feature), static_cast<std::uint64_t>(p.buckets), {}};
  if (p.block_counts != nullptr) table.blocks = element(p.block_counts, p.index_type, feature);
  for (int i = 0; p.block_bounds != nullptr && i <= p.buckets; ++i) {
    table.bounds.push_back(
        element(p.block_bounds, p.index_type, 1ll * feature * (p.buckets + 1) + i));
  }
  return table;
}

struct Place {
  std::uint64_t bucket;
  std::uint64_t index;
};

Place place_in_bounds(const Table& table, std::uint64_t index, std::uint64_t buckets) {
  const bool is_identifier = table.block_size == 0;
  // Divide first, like FBGEMM's GPU kernel, which users run. Its CPU kernel multiplies first.
  const std::uint64_t row =
      is_identifier ? index % table.blocks * (table.bounds.back() / table.blocks) : index;
  const auto above = std::upper_bound(table.bounds.begin(), table.bounds.end(), row);
  if (above == table.bounds.begin() || above == table.bounds.end())
    return {index % buckets, is_identifier ? index / table.blocks : index / buckets};
  const auto bucket = static_cast<std::uint64_t>(above - table.bounds.begin()) - 1;
  return {bucket, is_identifier ? index / table.blocks : index - table.bounds[bucket]};
}

Place place_of(const Table& table, std::uint64_t index, std::uint64_t buckets) {
  if (!table.bounds.empty()) return place_in_bounds(table, index, buckets);
  const std::uint64_t blocks_per_bucket = table.blocks / buckets;
  const bool is_in_table = table.block_size != 0 && index / table.block_size < table.blocks;
  if (!is_in_table) return {index % table.blocks / blocks_per_bucket, index / table.blocks};
  const std::uint64_t bucket = index / table.block_size / blocks_per_bucket;
  return {bucket, index - bucket * blocks_per_bucket * table.block_size};
}

struct Moved {
  std::uint64_t bucket;
  std::int64_t index;
  std::int64_t position;
};

std::vector<int> features_of_bags(const Bucketize& p) {
  std::vector<int> features;
  for (int feature = 0; feature < p.features; ++feature) {
    const auto bags =
        p.batch_sizes == nullptr
            ? static_cast<std::size_t>(p.bags / p.features)
            : static_cast<std::size_t>(element(p.batch_sizes, p.length_type, feature));
    features.insert(features.end(), bags, feature);
  }
  return features;
}

}  // namespace

BucketizeReference reference(const Bucketize& p) {
  const auto buckets = static_cast<std::size_t>(p.buckets);
  const auto bags = static_cast<std::size_t>(p.bags);
  BucketizeReference made;
  made.new_lengths.assign(buckets * bags, 0);
  const std::vector<int> features = features_of_bags(p);
  std::vector<Moved> moved;
  std::int64_t begin = 0;
  for (std::size_t bag = 0; bag < bags; ++bag) {
    const auto feature = static_cast<std::size_t>(features[bag]);
    const Table table = table_of(p, static_cast<int>(feature));
    const auto length =
        static_cast<std::int64_t>(element(p.lengths, p.length_type, static_cast<long long>(bag)));
    const bool keeps =
        p.keeps_indices_of == nullptr ? p.keeps_indices : p.keeps_indices_of[feature];
    for (std::int64_t i = 0; i < length; ++i) {
      const std::uint64_t index = element(p.indices, p.index_type, begin + i);
      const Place place = place_of(table, index, buckets);
      moved.push_back({place.bucket, static_cast<std::int64_t>(keeps ? index : place.index), i});
      made.bucket_of.push_back(static_cast<std::int64_t>(place.bucket));
      made.new_lengths[place.bucket * bags + bag] += 1;
    }
    begin += length;
  }
  made.places.resize(moved.size());
  for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
    for (std::size_t i = 0; i < moved.size(); ++i) {
      if (moved[i].bucket != bucket) continue;
      made.places[i] = static_cast<std::int64_t>(made.source.size());
      made.source.push_back(static_cast<std::int64_t>(i));
      made.new_indices.push_back(moved[i].index);
      made.positions.push_back(moved[i].position);
    }
  }
  return made;
}

}  // namespace archgrid::sparse
