// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Tests of pooled lookups, alone and after bucketize(), on GPUs. tests/unit/kernels also compiles
// them for the CPU.
#include "sparse/embedding.h"

#include <gtest/gtest.h>

#include <limits>
#include <memory>

#include "bucketize_cases.hpp"

namespace archgrid::sparse {
namespace {

DeviceBytes floats_on_device(const std::vector<float>& values) {
  std::vector<unsigned char> bytes(values.size() * sizeof(float));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return DeviceBytes(bytes);
}

std::vector<float> floats_of(const DeviceBytes& memory) {
  const std::vector<unsigned char> bytes = memory.to_host();
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

using Table = std::vector<float>;

/// Returns a table of small integers, whose sums are exact in any order.
Table table_of(std::int64_t rows, int width, std::uint32_t seed) {
  Table table(static_cast<std::size_t>(rows * width));
  for (float& value : table) {
    seed = seed * 1664525u + 1013904223u;
    value = static_cast<float>(seed >> 28) - 7;
  }
  return table;
}

struct Lookup {
  int width = 1;
  Numbers lengths;
  Numbers indices;
  std::vector<float> weights;
  std::vector<Table> tables;  // one per feature
  Pooling pooling = Pooling::sum;
  Integer length_type = Integer::i64;
  Integer index_type = Integer::i64;

  std::int64_t rows(std::size_t feature) const {
    return static_cast<std::int64_t>(tables[feature].size()) / width;
  }
};

/// Computes a lookup in double precision.
std::vector<double> reference(const Lookup& l) {
  std::vector<double> pooled;
  const std::size_t bags_per_feature = l.lengths.size() / l.tables.size();
  std::size_t i = 0;
  for (std::size_t bag = 0; bag < l.lengths.size(); ++bag) {
    const Table& table = l.tables[bag / bags_per_feature];
    std::vector<double> sum(static_cast<std::size_t>(l.width));
    for (std::int64_t in_bag = 0; in_bag < l.lengths[bag]; ++in_bag, ++i) {
      const auto row = static_cast<std::uint64_t>(l.indices[i]);
      if (row >= static_cast<std::uint64_t>(l.rows(bag / bags_per_feature))) continue;
      for (std::size_t column = 0; column < sum.size(); ++column) {
        sum[column] += (l.weights.empty() ? 1.0 : static_cast<double>(l.weights[i])) *
                       table[row * sum.size() + column];
      }
    }
    for (const double value : sum) {
      const bool divides = l.pooling == Pooling::mean && l.lengths[bag] > 0;
      pooled.push_back(divides ? value / static_cast<double>(l.lengths[bag]) : value);
    }
  }
  return pooled;
}

std::vector<std::unique_ptr<DeviceBytes>> tables_on_device(const Lookup& l) {
  std::vector<std::unique_ptr<DeviceBytes>> tables;
  for (const Table& table : l.tables) {
    std::vector<unsigned char> bytes(table.size() * sizeof(float));
    std::memcpy(bytes.data(), table.data(), bytes.size());
    tables.push_back(std::make_unique<DeviceBytes>(bytes));
  }
  return tables;
}

Numbers addresses_of(const std::vector<std::unique_ptr<DeviceBytes>>& tables) {
  Numbers addresses;
  for (const auto& table : tables)
    addresses.push_back(reinterpret_cast<std::int64_t>(table->data()));
  return addresses;
}

Numbers rows_of(const Lookup& l) {
  Numbers rows;
  for (std::size_t feature = 0; feature < l.tables.size(); ++feature)
    rows.push_back(l.rows(feature));
  return rows;
}

/// All arrays of a lookup in device memory, and the problem that refers to them.
struct LookupOnDevice {
  explicit LookupOnDevice(const Lookup& l)
      : lengths(l.lengths, l.length_type),
        indices(l.indices, l.index_type),
        weights(floats_on_device(l.weights)),
        tables(tables_on_device(l)),
        addresses(addresses_of(tables), Integer::i64),
        rows(rows_of(l), Integer::i64),
        pooled(std::vector<unsigned char>(
            l.lengths.size() * static_cast<std::size_t>(l.width) * sizeof(float), 0xff)) {
    problem.features = static_cast<int>(l.tables.size());
    problem.bags = static_cast<int>(l.lengths.size());
    problem.count = static_cast<long long>(l.indices.size());
    problem.width = l.width;
    problem.length_type = l.length_type;
    problem.index_type = l.index_type;
    problem.pooling = l.pooling;
    problem.lengths = lengths.data();
    problem.indices = indices.data();
    if (!l.weights.empty()) problem.weights = static_cast<const float*>(weights.data());
    problem.tables = static_cast<const float* const*>(addresses.data());
    problem.rows = static_cast<const std::int64_t*>(rows.data());
    problem.pooled = static_cast<float*>(pooled.data());
  }

  DeviceNumbers lengths, indices;
  DeviceBytes weights;
  std::vector<std::unique_ptr<DeviceBytes>> tables;
  DeviceNumbers addresses, rows;
  DeviceBytes pooled;
  EmbeddingLookup problem;
};

std::vector<float> run(const Lookup& l) {
  const LookupOnDevice on_device(l);
  EXPECT_EQ(validate(on_device.problem), "");
  const DeviceBytes workspace(std::vector<unsigned char>(workspace_bytes(on_device.problem), 0x5a));
  EXPECT_EQ(look_up(on_device.problem, workspace.data(), workspace.size(), nullptr), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  return floats_of(on_device.pooled);
}

/// Returns check()'s message for a lookup.
std::string checked(const Lookup& l) {
  const LookupOnDevice on_device(l);
  const DeviceBytes workspace(std::vector<unsigned char>(features_check_bytes, 0x5a));
  std::string reason;
  EXPECT_EQ(check(on_device.problem, workspace.data(), workspace.size(), &reason, nullptr),
            cudaSuccess);
  workspace.to_host();
  return reason;
}

void expect_reference(const Lookup& l) {
  const std::vector<double> expected = reference(l);
  const std::vector<float> got = run(l);
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    // Sums are exact; a mean is rounded once.
    ASSERT_EQ(got[i], static_cast<float>(expected[i])) << "element " << i;
  }
}

Lookup some_lookup(int width) {
  const BucketizeCase features = random_case(3, 9, 2, 70, 5);
  Lookup l;
  l.width = width;
  l.lengths = features.lengths;
  l.indices = features.indices;
  for (std::size_t feature = 0; feature < 3; ++feature)
    l.tables.push_back(
        table_of(features.block_sizes[feature] * 2, width, static_cast<std::uint32_t>(feature)));
  return l;
}

TEST(Embedding, AddsUpTheRowsOfEachBag) {
  for (const int width : {1, 4, 31, 128, 129, 300}) {
    SCOPED_TRACE(width);
    expect_reference(some_lookup(width));
  }
}

TEST(Embedding, TakesAnyTypesOfLengthsAndIndices) {
  for (const auto& [lengths, indices] : all_types()) {
    Lookup l = some_lookup(8);
    l.length_type = lengths;
    l.index_type = indices;
    expect_reference(l);
  }
}

TEST(Embedding, MultipliesByWeightsAndDividesByLengths) {
  Lookup l = some_lookup(5);
  l.pooling = Pooling::mean;
  for (std::size_t i = 0; i < l.indices.size(); ++i)
    l.weights.push_back(static_cast<float>(i % 5) - 2);
  expect_reference(l);
}

TEST(Embedding, RefusesWhatItCannotLookUp) {
  EmbeddingLookup p;
  p.features = 2;
  p.bags = 3;
  p.width = 4;
  EXPECT_EQ(validate(p), "3 bags do not make as many for each of 2 features");
  EXPECT_EQ(look_up(p, &p, sizeof p, nullptr), cudaErrorInvalidValue);
  p.bags = 4;
  p.width = 0;
  EXPECT_EQ(validate(p), "rows have 1 to 8388480 elements, not 0");
  p.width = 4;
  EXPECT_EQ(validate(p), "lengths is a null pointer");
  p.bags = 0;
  p.features = 0;
  p.count = 1;
  EXPECT_EQ(validate(p), "there are indices, and no bag");
}

TEST(Embedding, NeedsItsWorkspaceInFull) {
  const LookupOnDevice on_device(some_lookup(4));
  const EmbeddingLookup& p = on_device.problem;
  // 28 bounds of bags, and the sum of one tile.
  EXPECT_EQ(workspace_bytes(p), 29u * 8);
  expect_just_enough(
      workspace_bytes(p),
      [&](void* memory, std::size_t bytes) { return look_up(p, memory, bytes, nullptr); },
      [&](void* memory, std::size_t bytes) { return validate(p, memory, bytes); });
}

TEST(Embedding, NeedsNoWorkspaceForNegativeExtents) {
  const auto bytes = [](int features, int bags, long long count) {
    EmbeddingLookup p;
    p.features = features;
    p.bags = bags;
    p.count = count;
    return workspace_bytes(p);
  };
  EXPECT_EQ(bytes(-1, 1, 1), 0u);
  EXPECT_EQ(bytes(1, -1, 1), 0u);
  EXPECT_EQ(bytes(1, std::numeric_limits<int>::min(), 1), 0u);
  EXPECT_EQ(bytes(1, 1, -1), 0u);
  EXPECT_GT(bytes(1, 1, 1), 0u);
}

TEST(Embedding, RefusesToWriteWhatItReads) {
  LookupOnDevice on_device(some_lookup(4));
  EmbeddingLookup& p = on_device.problem;
  EXPECT_EQ(validate(p), "");
  p.weights = p.pooled;
  EXPECT_EQ(validate(p),
            "pooled and weights share memory: pooled is written while weights is read");
  p.weights = nullptr;
  p.pooled = reinterpret_cast<float*>(reinterpret_cast<char*>(p.pooled) + 2);
  EXPECT_EQ(validate(p), "pooled does not begin at a multiple of 4 bytes");
}

TEST(Embedding, FindsLengthsThatDoNotFitTheIndices) {
  for (const Integer type : {Integer::i32, Integer::i64}) {
    Lookup l = some_lookup(4);
    l.length_type = type;
    EXPECT_EQ(checked(l), "");
    const auto with = [&](std::size_t bag, std::int64_t length) {
      Lookup changed = l;
      changed.lengths[bag] = length;
      return checked(changed);
    };
    const std::string count = std::to_string(l.indices.size());
    EXPECT_EQ(with(7, -1), "lengths: bag 7 has -1 indices, of " + count + " in all");
    EXPECT_EQ(with(26, 1 << 20), "lengths: bag 26 has 1048576 indices, of " + count + " in all");
    EXPECT_EQ(with(3, l.lengths[3] + 1), "lengths add up to " +
                                             std::to_string(l.indices.size() + 1) +
                                             ", and there are " + count + " indices");
  }
  EXPECT_EQ(checked(Lookup{}), "");
}

TEST(Embedding, SaysWhyALookupIsNotChecked) {
  EmbeddingLookup p;
  std::string reason;
  EXPECT_EQ(check(p, &p, 64, &reason, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(reason, "rows have 1 to 8388480 elements, not 0");
  p.width = 1;
  EXPECT_EQ(check(p, nullptr, 64, &reason, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(reason, "the workspace is a null pointer, and 64 bytes are needed");
}

// The whole path of a recommender's features: distributed among devices that hold a part of each
// table, looked up there, and added up.
TEST(Embedding, OfFeaturesThatWereSharedOutAddsUpToThatOfAll) {
  constexpr int ranks = 3;
  constexpr int width = 6;
  BucketizeCase features = random_case(4, 11, ranks, 40, 21);
  Lookup whole;
  whole.width = width;
  whole.lengths = features.lengths;
  whole.indices = features.indices;
  for (std::size_t f = 0; f < features.block_sizes.size(); ++f) {
    whole.tables.push_back(
        table_of(features.block_sizes[f] * ranks, width, static_cast<std::uint32_t>(f)));
  }
  // Keep all indices within their tables: others would be looked up elsewhere.
  std::size_t i = 0;
  for (std::size_t bag = 0; bag < features.lengths.size(); ++bag) {
    for (std::int64_t in_bag = 0; in_bag < features.lengths[bag]; ++in_bag, ++i)
      features.indices[i] %= features.block_sizes[bag / 11] * ranks;
  }
  whole.indices = features.indices;
  const std::vector<float> expected = run(whole);

  const BucketizeResult shared = run(features);
  const std::size_t bags = features.lengths.size();
  std::vector<float> added(expected.size());
  std::size_t begin = 0;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    Lookup part;
    part.width = width;
    part.lengths.assign(
        shared.new_lengths.begin() + static_cast<std::ptrdiff_t>(rank * bags),
        shared.new_lengths.begin() + static_cast<std::ptrdiff_t>((rank + 1) * bags));
    std::size_t end = begin;
    for (const std::int64_t length : part.lengths) end += static_cast<std::size_t>(length);
    part.indices.assign(shared.new_indices.begin() + static_cast<std::ptrdiff_t>(begin),
                        shared.new_indices.begin() + static_cast<std::ptrdiff_t>(end));
    begin = end;
    for (std::size_t f = 0; f < features.block_sizes.size(); ++f) {
      const auto elements = static_cast<std::ptrdiff_t>(features.block_sizes[f] * width);
      const auto first = whole.tables[f].begin() + static_cast<std::ptrdiff_t>(rank) * elements;
      part.tables.emplace_back(first, first + elements);
    }
    const std::vector<float> pooled = run(part);
    for (std::size_t e = 0; e < added.size(); ++e) added[e] += pooled[e];
  }
  EXPECT_EQ(begin, features.indices.size());
  EXPECT_EQ(added, expected);
}

}  // namespace
}  // namespace archgrid::sparse
