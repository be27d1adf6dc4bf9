// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// How fast features are shared out and looked up. Each timing is of work whose result the same test
// checks before it reports the time. No test judges a time.
#include <archgrid/gtest.hpp>
#include <archgrid/perf.hpp>
#include <ostream>
#include <string>

#include "bucketize_cases.hpp"
#include "sparse/embedding.h"

namespace archgrid::sparse {
namespace {

struct Benchmark {
  const char* name;
  int features;
  int bags_of_feature;
  int buckets;
  int longest_bag;
  Integer index_type;
};

void PrintTo(const Benchmark& benchmark, std::ostream* out) {
  *out << benchmark.name;
}

// Batches of a recommender: some dozens of features, thousands of samples, 8 to 128 devices.
constexpr Benchmark kBenchmarks[] = {
    {"short_bags_8_devices_i64", 26, 4096, 8, 20, Integer::i64},
    {"short_bags_8_devices_i32", 26, 4096, 8, 20, Integer::i32},
    {"short_bags_128_devices_i64", 26, 4096, 128, 20, Integer::i64},
    {"long_bags_16_devices_i64", 8, 1024, 16, 500, Integer::i64},
};

/// What must be read and written at least.
perf::Work work_of(const BucketizeCase& c) {
  const auto indices = static_cast<double>(c.indices.size());
  const auto bags = static_cast<double>(c.lengths.size());
  const auto index_bytes = static_cast<double>(bytes_of(c.index_type));
  const auto length_bytes = static_cast<double>(bytes_of(c.length_type));
  return {indices * 2 * index_bytes + bags * (1 + c.buckets) * length_bytes, 0};
}

class BucketizePerf : public ::testing::TestWithParam<Benchmark> {};
INSTANTIATE_TEST_SUITE_P(Batches, BucketizePerf, ::testing::ValuesIn(kBenchmarks),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(BucketizePerf, IsMeasured) {
  const Benchmark& benchmark = GetParam();
  BucketizeCase c = random_case(benchmark.features, benchmark.bags_of_feature, benchmark.buckets,
                                benchmark.longest_bag, 1);
  c.index_type = benchmark.index_type;
  c.length_type = benchmark.index_type;
  c.wants_all = false;
  BucketizeOnDevice on_device(c);
  const DeviceBuffer<char> workspace(workspace_bytes(on_device.problem));
  const perf::Measurement timing = perf::time(
      [&](cudaStream_t stream) { return bucketize(on_device.problem, workspace.data(), stream); });
  const BucketizeReference expected = reference(c);
  ASSERT_EQ(on_device.new_lengths.numbers(), expected.new_lengths);
  ASSERT_EQ(on_device.new_indices.numbers(), as_stored(expected.new_indices, c.index_type));
  perf::report(std::string("bucketize.") + benchmark.name, timing, work_of(c));
}

struct LookupBenchmark {
  const char* name;
  std::int64_t rows;  // of the table
  int width;
  int bags;
  int bag;  // indices of each
};

void PrintTo(const LookupBenchmark& benchmark, std::ostream* out) {
  *out << benchmark.name;
}

// A table that no cache holds, and rows from narrow to wide.
constexpr LookupBenchmark kLookups[] = {
    {"width_32_bags_of_32", 1 << 21, 32, 1 << 14, 32},
    {"width_128_bags_of_32", 1 << 19, 128, 1 << 14, 32},
    {"width_128_bags_of_2", 1 << 19, 128, 1 << 17, 2},
    {"width_512_bags_of_32", 1 << 17, 512, 1 << 12, 32},
};

/// Whole numbers, whose sums are exact in any order.
float element_of_table(std::int64_t row, int column) {
  return static_cast<float>((row * 7 + column * 3) % 9 - 4);
}

class LookupPerf : public ::testing::TestWithParam<LookupBenchmark> {};
INSTANTIATE_TEST_SUITE_P(Tables, LookupPerf, ::testing::ValuesIn(kLookups),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(LookupPerf, IsMeasured) {
  const LookupBenchmark& l = GetParam();
  std::vector<float> elements;
  elements.reserve(static_cast<std::size_t>(l.rows * l.width));
  for (std::int64_t row = 0; row < l.rows; ++row) {
    for (int column = 0; column < l.width; ++column)
      elements.push_back(element_of_table(row, column));
  }
  const DeviceBuffer<float> table(elements, {"table"});
  const DeviceBuffer<const float*> tables(std::vector<const float*>{table.data()}, {"tables"});
  Numbers indices;
  std::uint32_t state = 1;
  for (std::int64_t i = 0; i < 1ll * l.bags * l.bag; ++i) {
    state = state * 1664525u + 1013904223u;
    indices.push_back(static_cast<std::int64_t>(state >> 8) % l.rows);
  }
  const DeviceNumbers device_indices(indices, Integer::i64);
  const DeviceNumbers lengths(Numbers(static_cast<std::size_t>(l.bags), l.bag), Integer::i64);
  const DeviceNumbers rows(Numbers{l.rows}, Integer::i64);
  const DeviceBuffer<float> pooled(static_cast<std::size_t>(l.bags) *
                                   static_cast<std::size_t>(l.width));
  EmbeddingLookup p;
  p.features = 1;
  p.bags = l.bags;
  p.count = static_cast<long long>(indices.size());
  p.width = l.width;
  p.lengths = lengths.data();
  p.indices = device_indices.data();
  p.tables = tables.data();
  p.rows = static_cast<const std::int64_t*>(rows.data());
  p.pooled = pooled.data();
  ASSERT_EQ(mistake_in(p), "");
  const DeviceBuffer<char> workspace(workspace_bytes(p));
  const perf::Measurement timing =
      perf::time([&](cudaStream_t stream) { return look_up(p, workspace.data(), stream); });
  const std::vector<float> got = pooled.to_host();
  for (int bag = 0; bag < l.bags; ++bag) {
    for (int column = 0; column < l.width; ++column) {
      float sum = 0;
      for (int i = 0; i < l.bag; ++i)
        sum += element_of_table(indices[static_cast<std::size_t>(1ll * bag * l.bag + i)], column);
      ASSERT_EQ(got[static_cast<std::size_t>(1ll * bag * l.width + column)], sum)
          << "bag " << bag << " column " << column;
    }
  }
  const auto of_row = static_cast<double>(l.width) * sizeof(float);
  const auto count = static_cast<double>(p.count);
  perf::report(std::string("lookup.") + l.name, timing,
               {count * (8 + of_row) + static_cast<double>(l.bags) * (8 + of_row), 0});
}

}  // namespace
}  // namespace archgrid::sparse
