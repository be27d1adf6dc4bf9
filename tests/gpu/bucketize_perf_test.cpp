// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Benchmarks of bucketize() and look_up(). Each test checks the result of the timed work before it
// reports the time. No test judges a time.
#include <algorithm>
#include <archgrid/gtest.hpp>
#include <archgrid/perf.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "bucketize_cases.hpp"
#include "cache_perf.hpp"
#include "sparse/embedding.h"

namespace archgrid::sparse {
namespace {

struct Benchmark {
  const char* name;
  int features;
  int buckets;
  int longest_bag;
  Integer index_type;
  double min_indices;
  bool has_all;  // weights and all optional outputs
};

void PrintTo(const Benchmark& benchmark, std::ostream* out) {
  *out << benchmark.name;
}

constexpr double kMany = 50e6;
// Batches of a recommender: some dozens of features, 8 to 128 devices, and more samples than any
// cache holds.
constexpr Benchmark kBenchmarks[] = {
    {"short_bags_8_devices_i64", 26, 8, 20, Integer::i64, 0, false},
    {"short_bags_8_devices_i32", 26, 8, 20, Integer::i32, 0, false},
    {"short_bags_128_devices_i64", 26, 128, 20, Integer::i64, 0, false},
    {"long_bags_16_devices_i64", 8, 16, 500, Integer::i64, kMany, false},
    {"long_bags_16_devices_i32", 8, 16, 500, Integer::i32, kMany, false},
    {"long_bags_16_devices_i64_with_all", 8, 16, 500, Integer::i64, kMany, true},
    {"long_bags_16_devices_i32_with_all", 8, 16, 500, Integer::i32, kMany, true},
};

/// Returns the minimum bytes to read and write for a case with that many indices and bags. Indices
/// are read twice: the place where a bucket begins is known only after all indices of earlier
/// buckets were read, and no cache holds them.
double bytes_to_move(const BucketizeCase& c, double indices, double bags) {
  const auto index_bytes = static_cast<double>(bytes_of(c.index_type));
  const auto length_bytes = static_cast<double>(bytes_of(c.length_type));
  return indices * (3 * index_bytes + 2 * c.weight_bytes + (c.wants_all ? 3 * index_bytes : 0)) +
         bags * (1 + c.buckets) * length_bytes;
}

/// Returns the case of a benchmark with `bags_per_feature` bags per feature.
BucketizeCase case_of(const Benchmark& b, int bags_per_feature) {
  BucketizeCase c = random_case(b.features, bags_per_feature, b.buckets, b.longest_bag, 1);
  c.index_type = b.index_type;
  c.length_type = b.index_type;
  c.wants_all = b.has_all;
  c.weight_bytes = b.has_all ? 4 : 0;
  return c;
}

/// Returns the case of a benchmark with more samples than any cache holds.
BucketizeCase case_of(const Benchmark& b) {
  const double indices_per_bag = b.longest_bag / 3.0;  // one of three bags is empty
  const double min = b.min_indices / indices_per_bag;
  const double bytes_of_bag = bytes_to_move(case_of(b, 1), indices_per_bag, 1);
  const double bags = std::max(min, static_cast<double>(bytes_of_case()) / bytes_of_bag);
  return case_of(b, static_cast<int>(bags / b.features) + 1);
}

class BucketizePerf : public ::testing::TestWithParam<Benchmark> {};
INSTANTIATE_TEST_SUITE_P(Batches, BucketizePerf, ::testing::ValuesIn(kBenchmarks),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(BucketizePerf, IsMeasured) {
  const BucketizeCase c = case_of(GetParam());
  const BucketizeOnDevice on_device(c);
  const DeviceBuffer<char> workspace(workspace_bytes(on_device.problem));
  const perf::Measurement timing = perf::time([&](cudaStream_t stream) {
    return bucketize(on_device.problem, workspace.data(), workspace.size(), stream);
  });
  const BucketizeReference expected = reference(c);
  ASSERT_EQ(on_device.new_lengths.numbers(), expected.new_lengths);
  ASSERT_EQ(on_device.new_indices.numbers(), as_stored(expected.new_indices, c.index_type));
  ASSERT_EQ(on_device.weight_words(), weight_words(expected, c.weight_bytes));
  if (c.wants_all) {
    ASSERT_EQ(on_device.positions.numbers(), expected.positions);
    ASSERT_EQ(on_device.places.numbers(), expected.places);
    ASSERT_EQ(on_device.bucket_of.numbers(), expected.bucket_of);
  }
  const auto indices = static_cast<double>(c.indices.size());
  const auto bags = static_cast<double>(c.lengths.size());
  perf::report(std::string("bucketize.") + GetParam().name, timing,
               {bytes_to_move(c, indices, bags), 0});
}

struct LookupBenchmark {
  const char* name;
  int width;
  int bag;  // indices per bag
};

void PrintTo(const LookupBenchmark& benchmark, std::ostream* out) {
  *out << benchmark.name;
}

// Rows from narrow to wide.
constexpr LookupBenchmark kLookups[] = {
    {"width_32_bags_of_32", 32, 32},
    {"width_128_bags_of_32", 128, 32},
    {"width_128_bags_of_2", 128, 2},
    {"width_512_bags_of_32", 512, 32},
};

/// Returns the rows of a table. Half as many random indices as rows select two fifths of the rows.
/// The table has three times bytes_of_case(), so the selected rows exceed any cache.
std::int64_t rows_of_table(const LookupBenchmark& l) {
  return 3 * bytes_of_case() / (l.width * static_cast<std::int64_t>(sizeof(float)));
}

Numbers random_indices(std::int64_t count, std::int64_t rows) {
  Numbers indices;
  indices.reserve(static_cast<std::size_t>(count));
  std::uint32_t state = 1;
  for (std::int64_t i = 0; i < count; ++i) {
    state = state * 1664525u + 1013904223u;
    indices.push_back(static_cast<std::int64_t>(state >> 8) % rows);
  }
  return indices;
}

/// Returns the minimum bytes to read and write. Counts a row once, however often it is selected.
double bytes_to_move(const LookupBenchmark& l, Numbers indices) {
  const auto count = static_cast<double>(indices.size());
  std::sort(indices.begin(), indices.end());
  indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
  const double of_row = l.width * static_cast<double>(sizeof(float));
  return count * 8 + static_cast<double>(indices.size()) * of_row + count / l.bag * (8 + of_row);
}

/// Returns an integer. Sums are exact in any order.
float element_of_table(std::int64_t row, int column) {
  return static_cast<float>((row * 7 + column * 3) % 9 - 4);
}

std::vector<float> elements_of_table(std::int64_t rows, int width) {
  std::vector<float> elements;
  elements.reserve(static_cast<std::size_t>(rows * width));
  for (std::int64_t row = 0; row < rows; ++row) {
    for (int column = 0; column < width; ++column)
      elements.push_back(element_of_table(row, column));
  }
  return elements;
}

class LookupPerf : public ::testing::TestWithParam<LookupBenchmark> {};
INSTANTIATE_TEST_SUITE_P(Tables, LookupPerf, ::testing::ValuesIn(kLookups),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(LookupPerf, IsMeasured) {
  const LookupBenchmark& l = GetParam();
  const std::int64_t rows_in_all = rows_of_table(l);
  const auto bags = static_cast<int>(rows_in_all / 2 / l.bag);
  const DeviceBuffer<float> table(elements_of_table(rows_in_all, l.width), {"table"});
  const DeviceBuffer<const float*> tables(std::vector<const float*>{table.data()}, {"tables"});
  const Numbers indices = random_indices(1ll * bags * l.bag, rows_in_all);
  const DeviceNumbers device_indices(indices, Integer::i64);
  const DeviceNumbers lengths(Numbers(static_cast<std::size_t>(bags), l.bag), Integer::i64);
  const DeviceNumbers rows(Numbers{rows_in_all}, Integer::i64);
  const DeviceBuffer<float> pooled(static_cast<std::size_t>(bags) *
                                   static_cast<std::size_t>(l.width));
  EmbeddingLookup p;
  p.features = 1;
  p.bags = bags;
  p.count = static_cast<long long>(indices.size());
  p.width = l.width;
  p.lengths = lengths.data();
  p.indices = device_indices.data();
  p.tables = tables.data();
  p.rows = static_cast<const std::int64_t*>(rows.data());
  p.pooled = pooled.data();
  ASSERT_EQ(validate(p), "");
  const DeviceBuffer<char> workspace(workspace_bytes(p));
  const perf::Measurement timing = perf::time(
      [&](cudaStream_t stream) { return look_up(p, workspace.data(), workspace.size(), stream); });
  const std::vector<float> got = pooled.to_host();
  for (int bag = 0; bag < bags; ++bag) {
    for (int column = 0; column < l.width; ++column) {
      float sum = 0;
      for (int i = 0; i < l.bag; ++i)
        sum += element_of_table(indices[static_cast<std::size_t>(1ll * bag * l.bag + i)], column);
      ASSERT_EQ(got[static_cast<std::size_t>(1ll * bag * l.width + column)], sum)
          << "bag " << bag << " column " << column;
    }
  }
  perf::report(std::string("lookup.") + l.name, timing, {bytes_to_move(l, indices), 0});
}

}  // namespace
}  // namespace archgrid::sparse
