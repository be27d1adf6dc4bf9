// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// How fast features are shared out. Each timing is of work whose result the same test checks before
// it reports the time. No test judges a time.
#include <archgrid/gtest.hpp>
#include <archgrid/perf.hpp>
#include <ostream>
#include <string>

#include "bucketize_cases.hpp"

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

}  // namespace
}  // namespace archgrid::sparse
