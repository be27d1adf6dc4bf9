// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Tests of bucketize(), on GPUs. tests/unit/kernels also compiles them for the CPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

#include "bucketize_cases.hpp"
#include "sparse/scan.h"

namespace archgrid::sparse {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// --- the contract, by the examples of FBGEMM's own tests (block_bucketize_test.py) ---------------

BucketizeCase plain_example() {
  BucketizeCase c;
  c.features = 4;
  c.lengths = {0, 2, 1, 3, 2, 3, 3, 1};
  c.indices = {3, 4, 15, 11, 28, 29, 1, 10, 11, 12, 13, 11, 22, 20, 20};
  c.block_sizes = {5, 15, 10, 20};
  c.weight_bytes = 4;
  return c;
}

class Bucketize : public ::testing::TestWithParam<std::pair<Integer, Integer>> {};
INSTANTIATE_TEST_SUITE_P(OfTypes, Bucketize, ::testing::ValuesIn(all_types()),
                         [](const auto& types) {
                           const auto name = [](Integer type) {
                             return std::string(type == Integer::i32 ? "i32" : "i64");
                           };
                           return "lengths_" + name(types.param.first) + "_indices_" +
                                  name(types.param.second);
                         });

TEST_P(Bucketize, MovesIndicesWithTheirWeightsAndPositions) {
  const BucketizeResult got = run(with_types(plain_example(), GetParam()));
  EXPECT_EQ(got.new_lengths, (Numbers{0, 2, 0, 1, 1, 0, 1, 0, 0, 0, 1, 2, 1, 3, 2, 1}));
  EXPECT_EQ(got.new_indices, (Numbers{3, 4, 11, 1, 11, 0, 13, 14, 0, 1, 2, 3, 2, 0, 0}));
  EXPECT_EQ(got.weight_words, (Numbers{0, 1, 3, 6, 11, 2, 4, 5, 7, 8, 9, 10, 12, 13, 14}));
  EXPECT_EQ(got.positions, (Numbers{0, 1, 0, 0, 0, 0, 1, 2, 1, 0, 1, 2, 1, 2, 0}));
  EXPECT_EQ(got.places, (Numbers{0, 1, 5, 2, 6, 7, 3, 8, 9, 10, 11, 4, 12, 13, 14}));
  EXPECT_EQ(got.bucket_of, (Numbers{0, 0, 1, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1}));
}

TEST_P(Bucketize, KeepsIndicesOfAllFeaturesOrOfSome) {
  BucketizeCase c = with_types(plain_example(), GetParam());
  c.keeps_indices = true;
  EXPECT_EQ(run(c).new_indices, (Numbers{3, 4, 11, 1, 11, 15, 28, 29, 10, 11, 12, 13, 22, 20, 20}));
  c.keeps_indices_of = {false, true, false, true};
  EXPECT_EQ(run(c).new_indices, (Numbers{3, 4, 11, 1, 11, 15, 28, 29, 0, 1, 2, 3, 22, 20, 20}));
}

TEST(BucketizeLongIndices, GoBeyondTheTableInTurnAndNegativeOnesAreLarge) {
  BucketizeCase c;
  c.features = 3;
  c.buckets = 3;
  c.lengths = {0, 3, 2, 0, 1, 5};
  c.indices = {1, 2, 3, 100061827127359, 5, 6, 7, -8, 100058153792324, 10, 0};
  c.block_sizes = {3, 4, 5};
  const BucketizeResult got = run(c);
  EXPECT_EQ(got.new_lengths, (Numbers{0, 2, 0, 0, 0, 1, 0, 1, 2, 0, 1, 1, 0, 0, 0, 0, 0, 3}));
  EXPECT_EQ(got.new_indices,
            (Numbers{1, 2, 0, 0, 33353942375786, 1, 1, 2, 6148914691236517202, 33352717930774, 0}));
  EXPECT_EQ(got.places, (Numbers{0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 2}));
}

BucketizeCase example_of_blocks() {
  BucketizeCase c;
  c.features = 3;
  c.buckets = 3;
  c.lengths = {0, 3, 2, 0, 1, 5};
  c.indices = {1, 2, 10, 4, 16, 6, 7, 18, 19, 10, 0};
  c.block_sizes = {2, 3, 4};
  c.block_counts = {6, 6, 6};
  return c;
}

TEST_P(Bucketize, GivesBucketsSeveralBlocks) {
  const BucketizeResult got = run(with_types(example_of_blocks(), GetParam()));
  EXPECT_EQ(got.new_lengths, (Numbers{0, 2, 1, 0, 1, 2, 0, 0, 0, 0, 0, 1, 0, 1, 1, 0, 0, 2}));
  EXPECT_EQ(got.new_indices, (Numbers{1, 2, 4, 6, 7, 0, 2, 2, 4, 2, 3}));
  EXPECT_EQ(got.places, (Numbers{0, 1, 7, 2, 8, 3, 4, 9, 10, 6, 5}));
}

TEST_P(Bucketize, DealsIdentifiersOut) {
  BucketizeCase c = with_types(example_of_blocks(), GetParam());
  c.block_sizes = {0, 0, 0};
  c.block_counts = {3, 6, 9};
  const BucketizeResult got = run(c);
  EXPECT_EQ(got.new_lengths, (Numbers{0, 0, 0, 0, 0, 4, 0, 2, 0, 0, 0, 0, 0, 1, 2, 0, 1, 1}));
  EXPECT_EQ(got.new_indices, (Numbers{2, 2, 1, 0, 0, 3, 0, 0, 2, 0, 0}));
  EXPECT_EQ(got.places, (Numbers{4, 6, 5, 7, 8, 9, 10, 0, 1, 2, 3}));
}

TEST_P(Bucketize, TakesFeaturesWithBatchesOfTheirOwn) {
  BucketizeCase c;
  c.features = 3;
  c.batch_sizes = {3, 1, 2};
  c.lengths = {2, 1, 1, 2, 0, 2};
  c.indices = {1, 8, 5, 6, 7, 8, 8, 4};
  c.block_sizes = {5, 10, 8};
  c = with_types(c, GetParam());
  const BucketizeResult got = run(c);
  EXPECT_EQ(got.new_lengths, (Numbers{1, 0, 0, 2, 0, 1, 1, 1, 1, 0, 0, 1}));
  EXPECT_EQ(got.new_indices, (Numbers{1, 7, 8, 4, 3, 0, 1, 0}));
  EXPECT_EQ(got.places, (Numbers{0, 4, 5, 6, 1, 2, 7, 3}));
  EXPECT_EQ(got.positions, (Numbers{0, 0, 1, 1, 1, 0, 0, 0}));
}

TEST_P(Bucketize, TakesBlocksOfUnequalSizes) {
  BucketizeCase c;
  c.features = 3;
  c.batch_sizes = {3, 1, 2};
  c.lengths = {2, 1, 1, 2, 0, 2};
  c.indices = {1, 7, 2, 6, 7, 8, 8, 4};
  c.block_sizes = {5, 10, 8};
  c.block_bounds = {0, 2, 8, 0, 5, 10, 0, 7, 12};
  c.weight_bytes = 4;
  const BucketizeResult got = run(with_types(c, GetParam()));
  EXPECT_EQ(got.new_lengths, (Numbers{1, 0, 0, 0, 0, 1, 1, 1, 1, 2, 0, 1}));
  EXPECT_EQ(got.new_indices, (Numbers{1, 4, 5, 0, 4, 2, 3, 1}));
  EXPECT_EQ(got.weight_words, (Numbers{0, 7, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(got.places, (Numbers{0, 2, 3, 4, 5, 6, 7, 1}));
}

TEST_P(Bucketize, TakesBlocksOfUnequalSizesAndIdentifiersOrIndicesBeyondThem) {
  BucketizeCase c = with_types(example_of_blocks(), GetParam());
  c.block_bounds = {0, 2, 8, 12, 0, 3, 12, 18, 0, 4, 16, 24};
  const BucketizeResult beyond = run(c);
  EXPECT_EQ(beyond.new_lengths, (Numbers{0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 1, 2, 0, 1, 1, 0, 0, 2}));
  EXPECT_EQ(beyond.new_indices, (Numbers{1, 0, 0, 1, 2, 3, 6, 2, 4, 2, 3}));
  EXPECT_EQ(beyond.places, (Numbers{0, 2, 7, 3, 8, 4, 5, 9, 10, 6, 1}));
  c.block_sizes = {0, 0, 0};
  c.block_counts = {6, 6, 12};
  c.block_bounds = {0, 2, 8, 12, 0, 3, 12, 18, 0, 4, 18, 24};
  const BucketizeResult identifiers = run(c);
  EXPECT_EQ(identifiers.new_lengths,
            (Numbers{0, 0, 0, 0, 0, 1, 0, 2, 0, 0, 1, 3, 0, 1, 2, 0, 0, 1}));
  EXPECT_EQ(identifiers.new_indices, (Numbers{0, 0, 0, 0, 0, 1, 1, 1, 0, 2, 0}));
  EXPECT_EQ(identifiers.places, (Numbers{1, 2, 7, 8, 9, 3, 4, 5, 6, 10, 0}));
}

// --- every shape, by the reference ---------------------------------------------------------------

TEST_P(Bucketize, IsTheReferenceForAnyShape) {
  std::uint32_t seed = 1;
  for (const int buckets : {1, 2, 7, 32, 33, 100}) {
    for (const int longest_bag : {1, 5, 300}) {
      SCOPED_TRACE("buckets " + std::to_string(buckets) + " bags up to " +
                   std::to_string(longest_bag));
      BucketizeCase c = with_types(random_case(3, 17, buckets, longest_bag, seed++), GetParam());
      c.weight_bytes = 8;
      expect_reference(c);
    }
  }
}

TEST_P(Bucketize, IsTheReferenceAcrossTiles) {
  BucketizeCase c = with_types(random_case(2, 40, 3, 200, 11), GetParam());
  // One bag that spans several thread blocks, between empty ones.
  c.lengths[9] = 0;
  c.lengths[11] = 0;
  c.indices.resize(static_cast<std::size_t>(
                       std::accumulate(c.lengths.begin(), c.lengths.end(), std::int64_t{0})),
                   4);
  c.lengths[10] += 5000;
  for (int i = 0; i < 5000; ++i) c.indices.insert(c.indices.begin() + 7, i % 170);
  c.wants_all = false;
  expect_reference(c);
}

TEST_P(Bucketize, IsTheReferenceForManyBuckets) {
  for (const int buckets : {1024, 1025, max_buckets}) {
    BucketizeCase c = with_types(random_case(1, 6, buckets, 400, 3), GetParam());
    c.weight_bytes = 12;
    expect_reference(c);
  }
}

TEST_P(Bucketize, IsTheReferenceForTablesAtTheEndOfTheirType) {
  const bool is_narrow = GetParam().second == Integer::i32;
  const std::int64_t largest = is_narrow ? 2147483647 : 9223372036854775807;
  BucketizeCase c;
  c.features = 7;
  c.buckets = 3;
  const std::int64_t just_too_wide = is_narrow ? 65539 : 4294967299;
  // The last but one has more rows per bucket than the type can represent.
  c.block_sizes = {1, largest, largest / 2, largest / 3, 0, largest, just_too_wide};
  const Numbers indices = {0,  1,  2,       3, largest, largest - 1, largest / 2, largest / 3 + 1,
                           -1, -2, -largest};
  for (int feature = 0; feature < c.features; ++feature) {
    c.lengths.push_back(static_cast<std::int64_t>(indices.size()));
    c.indices.insert(c.indices.end(), indices.begin(), indices.end());
  }
  c.block_counts = {3, 3, 6, 9, largest / 3 * 3, 9, 3};
  expect_reference(with_types(c, GetParam()));
}

// Inputs that check() refuses put indices into wrong places, but never outside the arrays.
TEST(BucketizeUnchecked, StaysWithinItsArrays) {
  const BucketizeCase right = random_case(3, 20, 4, 40, 7);
  const auto stays_within = [&](auto change) {
    BucketizeCase c = right;
    change(c);
    const BucketizeResult got = run(c);
    Numbers places = got.places;
    std::sort(places.begin(), places.end());
    Numbers all(c.indices.size());
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(places, all);
  };
  stays_within([](BucketizeCase& c) { c.lengths[3] += 1000; });
  stays_within([](BucketizeCase& c) { c.lengths[3] = -1000; });
  stays_within([](BucketizeCase& c) { c.lengths.assign(c.lengths.size(), 0); });
  stays_within([](BucketizeCase& c) { c.batch_sizes = {3, -100, 1000}; });
  stays_within([](BucketizeCase& c) { c.batch_sizes = {1000, 0, 0}; });
  stays_within([](BucketizeCase& c) { c.block_counts = {5, 3, 0}; });
  stays_within([](BucketizeCase& c) { c.block_sizes = {-1, 0, 0}; });
  stays_within([](BucketizeCase& c) {
    c.block_bounds = {9, 3, 0, -5, 1, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1};
  });
  stays_within([](BucketizeCase& c) {
    c.block_sizes = {0, 0, 0};
    c.block_counts = {0, 4, -4};
    c.block_bounds = {9, 3, 0, -5, 1, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1};
  });
}

TEST(BucketizeNothing, MakesNothing) {
  BucketizeCase no_index;
  no_index.lengths = {0, 0, 0};
  no_index.block_sizes = {5};
  EXPECT_EQ(run(no_index).new_lengths, Numbers(6, 0));
  BucketizeCase no_bag;
  no_bag.features = 0;
  EXPECT_EQ(run(no_bag).new_lengths, Numbers());
}

TEST(BucketizeAgain, MakesTheSame) {
  const BucketizeCase c = random_case(4, 25, 16, 60, 9);
  const BucketizeResult first = run(c);
  EXPECT_EQ(first.new_indices, reference(c).new_indices);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(run(c).new_indices, first.new_indices);
}

TEST(BucketizeErrors, AreNamed) {
  BucketizeOnDevice on_device(plain_example());
  const DeviceBytes workspace(std::vector<unsigned char>(workspace_bytes(on_device.problem)));
  const auto reason = [&](auto change) {
    sparse::Bucketize problem = on_device.problem;
    change(problem);
    EXPECT_EQ(bucketize(problem, workspace.data(), workspace.size(), nullptr),
              cudaErrorInvalidValue);
    return validate(problem);
  };
  using Problem = sparse::Bucketize;
  EXPECT_PRED2(contains, reason([](Problem& p) { p.buckets = 0; }), "1 to 8192 buckets, not 0");
  EXPECT_PRED2(contains, reason([](Problem& p) { p.buckets = 8193; }), "not 8193");
  EXPECT_PRED2(contains, reason([](Problem& p) { p.features = 3; }), "8 bags do not make as many");
  EXPECT_PRED2(contains, reason([](Problem& p) { p.features = 0; }), "no feature");
  EXPECT_EQ(reason([](Problem& p) { p.bags = -1; }), "bags is -1, and cannot be negative");
  EXPECT_PRED2(contains, reason([](Problem& p) { p.bags = 0; }), "no bag");
  EXPECT_PRED2(contains, reason([](Problem& p) { p.weight_bytes = 6; }), "multiple of 4 bytes");
  EXPECT_EQ(reason([](Problem& p) { p.lengths = nullptr; }), "lengths is a null pointer");
  EXPECT_EQ(reason([](Problem& p) { p.new_weights = nullptr; }), "new_weights is a null pointer");
  EXPECT_PRED2(contains, reason([](Problem& p) {
                 p.index_type = Integer::i32;
                 p.count = 3000000000;
               }),
               "more than integers of 32 bits count");
  EXPECT_EQ(reason([](Problem& p) { p.indices = static_cast<const char*>(p.indices) + 2; }),
            "indices does not begin at a multiple of 8 bytes");
  EXPECT_EQ(reason([](Problem& p) { p.new_indices = const_cast<void*>(p.indices); }),
            "new_indices and indices share memory: new_indices is written while indices is read");
  EXPECT_EQ(reason([](Problem& p) { p.places = p.positions; }),
            "positions and places share memory: both are written");
  EXPECT_EQ(bucketize(on_device.problem, nullptr, 1 << 20, nullptr), cudaErrorInvalidValue);
}

TEST(BucketizeWorkspace, IsNeededInFull) {
  const BucketizeOnDevice on_device(plain_example());
  const sparse::Bucketize& p = on_device.problem;
  expect_just_enough(
      workspace_bytes(p),
      [&](void* memory, std::size_t bytes) { return bucketize(p, memory, bytes, nullptr); },
      [&](void* memory, std::size_t bytes) { return validate(p, memory, bytes); });
  std::string reason;
  const auto checked = [&](void* memory, std::size_t bytes) {
    return check(p, memory, bytes, &reason, nullptr);
  };
  expect_just_enough(features_check_bytes, checked, [&](void* memory, std::size_t bytes) {
    checked(memory, bytes);
    return reason;
  });
}

TEST(BucketizeWorkspace, IsCountedWithoutOverflow) {
  sparse::Bucketize p;
  p.features = p.bags = std::numeric_limits<int>::max();
  p.count = 1ll << 36;
  p.buckets = max_buckets;
  // A tile has 256 indices.
  const std::size_t counts = (1ull << 28) * max_buckets;
  EXPECT_EQ(workspace_bytes(p) % 8, 0u);
  EXPECT_GT(workspace_bytes(p), counts * 8);
  EXPECT_LT(workspace_bytes(p), counts * 9);
}

TEST(Scan, NeedsItsWorkspaceInFull) {
  constexpr int count = 5000;
  const DeviceNumbers numbers(Numbers(count, 3), Integer::i64);
  const DeviceNumbers sums(count + 1, Integer::i64);
  auto* const to = static_cast<std::int64_t*>(sums.data());
  // A tile has 2048 elements.
  ASSERT_EQ(scan_workspace_bytes(count), 3u * 8);
  expect_just_enough(
      3 * 8,
      [&](void* memory, std::size_t bytes) {
        return exclusive_scan(numbers.data(), Integer::i64, count, to, memory, bytes, nullptr);
      },
      [&](void* memory, std::size_t bytes) {
        return validate_exclusive_scan(numbers.data(), Integer::i64, count, to, memory, bytes);
      });
  EXPECT_EQ(sums.numbers()[count], 3 * count);
}

TEST(Scan, NamesItsErrors) {
  alignas(8) unsigned char memory[64] = {};
  auto* const sums = reinterpret_cast<std::int64_t*>(memory);
  const auto reason = [&](const void* in, long long count, std::int64_t* to) {
    EXPECT_EQ(exclusive_scan(in, Integer::i32, count, to, memory, sizeof memory, nullptr),
              cudaErrorInvalidValue);
    return validate_exclusive_scan(in, Integer::i32, count, to, memory, sizeof memory);
  };
  EXPECT_EQ(reason(memory, -1, sums), "count is -1, and cannot be negative");
  EXPECT_EQ(reason(memory, (1ll << 41) + 1, sums),
            "count is 2199023255553, and at most 2199023255552 is taken");
  EXPECT_EQ(reason(nullptr, 3, sums), "in is a null pointer");
  EXPECT_EQ(reason(memory + 2, 3, sums), "in does not begin at a multiple of 4 bytes");
  EXPECT_EQ(reason(memory, 3, nullptr), "sums is a null pointer");
  EXPECT_EQ(validate_exclusive_scan(nullptr, Integer::i32, 0, sums, nullptr, 0), "")
      << "none is needed";
  constexpr long long max = std::numeric_limits<long long>::max();
  for (const long long count : {-1ll, -5000ll, max}) EXPECT_EQ(scan_workspace_bytes(count), 0u);
}

TEST(BucketizeErrors, AreOfExtentsThatNeedNoWorkspace) {
  using Problem = sparse::Bucketize;
  const auto bytes = [](auto change) {
    Problem p;
    change(p);
    return workspace_bytes(p);
  };
  EXPECT_EQ(bytes([](Problem& p) { p.features = -1; }), 0u);
  EXPECT_EQ(bytes([](Problem& p) { p.bags = -1; }), 0u);
  EXPECT_EQ(bytes([](Problem& p) { p.count = -1; }), 0u);
  EXPECT_EQ(bytes([](Problem& p) { p.count = std::numeric_limits<long long>::max(); }), 0u);
  EXPECT_EQ(bytes([](Problem& p) { p.buckets = -1; }), 0u);
  EXPECT_EQ(bytes([](Problem& p) { p.buckets = std::numeric_limits<int>::max(); }), 0u);
  EXPECT_GT(bytes([](Problem& p) { p.features = p.bags = 1; }), 0u);
}

/// Returns check()'s message for a case. Expects the same message for all four types.
std::string checked(const BucketizeCase& c) {
  std::vector<std::string> said;
  for (const auto& types : all_types()) {
    const BucketizeOnDevice on_device(with_types(c, types));
    const DeviceBytes workspace(std::vector<unsigned char>(features_check_bytes, 0x5a));
    std::string reason;
    EXPECT_EQ(check(on_device.problem, workspace.data(), workspace.size(), &reason, nullptr),
              cudaSuccess);
    workspace.to_host();
    said.push_back(reason);
    EXPECT_EQ(said.front(), said.back());
  }
  return said.front();
}

/// Returns three features, six bags in all, with every array that can be wrong.
BucketizeCase whole_case() {
  BucketizeCase c;
  c.features = 3;
  c.buckets = 2;
  c.lengths = {2, 0, 1, 3, 0, 2};
  c.indices = {1, 2, 3, 4, 5, 6, 7, 8};
  c.block_sizes = {5, 5, 5};
  c.batch_sizes = {2, 1, 3};
  c.block_counts = {2, 4, 6};
  c.block_bounds = {0, 4, 10, 0, 0, 7, 0, 9, 9};
  return c;
}

TEST(BucketizeCheck, FindsNothingInWhatIsRight) {
  EXPECT_EQ(checked(whole_case()), "");
  EXPECT_EQ(checked(random_case(7, 300, 4, 9, 11)), "");
  BucketizeCase empty;
  empty.features = 0;
  EXPECT_EQ(checked(empty), "");
}

TEST(BucketizeCheck, NamesTheFirstErrorOfEachArray) {
  const auto reason = [](auto change) {
    BucketizeCase c = whole_case();
    change(c);
    return checked(c);
  };
  EXPECT_EQ(reason([](BucketizeCase& c) { c.lengths[3] = -1; }),
            "lengths: bag 3 has -1 indices, of 8 in all");
  EXPECT_EQ(reason([](BucketizeCase& c) {
              c.lengths[5] = 9;
              c.lengths[2] = 10;
            }),
            "lengths: bag 2 has 10 indices, of 8 in all");
  EXPECT_EQ(reason([](BucketizeCase& c) { c.lengths[0] = 1; }),
            "lengths add up to 7, and there are 8 indices");
  EXPECT_EQ(reason([](BucketizeCase& c) { c.batch_sizes[1] = -2; }),
            "batch_sizes: feature 1 has -2 bags, of 6 in all");
  EXPECT_EQ(reason([](BucketizeCase& c) { c.batch_sizes[1] = 2; }),
            "batch_sizes add up to 7, and there are 6 bags");
  const auto reason_of_blocks = [&](std::vector<std::int64_t> counts) {
    return reason([&](BucketizeCase& c) {
      c.block_counts.assign(counts.begin(), counts.end());
      c.block_bounds.clear();
    });
  };
  EXPECT_EQ(reason_of_blocks({2, 4, 5}),
            "block_counts: feature 2 has 5 blocks, which is no multiple of 2 above 0");
  EXPECT_EQ(reason_of_blocks({2, 0, 6}),
            "block_counts: feature 1 has 0 blocks, which is no multiple of 2 above 0");
  // With bounds, blocks need not divide equally among buckets.
  EXPECT_EQ(reason([](BucketizeCase& c) { c.block_counts[2] = 5; }), "");
  EXPECT_EQ(reason([](BucketizeCase& c) { c.block_counts[1] = 0; }),
            "block_counts: feature 1 has 0 blocks");
  EXPECT_EQ(reason([](BucketizeCase& c) { c.block_bounds[3] = 1; }),
            "block_bounds: feature 1 begins with 1, not 0");
  EXPECT_EQ(reason([](BucketizeCase& c) { c.block_bounds[5] = 0; }), "");
  EXPECT_EQ(reason([](BucketizeCase& c) { c.block_bounds[8] = 8; }),
            "block_bounds: bound 2 of feature 2 is 8, and the one before it 9");
}

TEST(BucketizeCheck, RefusesLengthsWhoseSumWraps) {
  BucketizeCase c = whole_case();
  c.length_type = Integer::i64;
  // The sum of the lengths wraps around to the expected number.
  c.lengths = {1ll << 62, 1ll << 62, 1ll << 62, 1ll << 62, 8, 0};
  const BucketizeOnDevice on_device(c);
  const DeviceBytes workspace(std::vector<unsigned char>(features_check_bytes, 0x5a));
  std::string reason;
  ASSERT_EQ(check(on_device.problem, workspace.data(), workspace.size(), &reason, nullptr),
            cudaSuccess);
  EXPECT_EQ(reason, "lengths: bag 0 has 4611686018427387904 indices, of 8 in all");
}

TEST(BucketizeCheck, SaysWhyAProblemIsNotChecked) {
  BucketizeOnDevice on_device(whole_case());
  std::string reason;
  EXPECT_EQ(check(on_device.problem, nullptr, 64, &reason, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(reason, "the workspace is a null pointer, and 64 bytes are needed");
  on_device.problem.buckets = 0;
  EXPECT_EQ(check(on_device.problem, &reason, 64, &reason, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(reason, "there are 1 to 8192 buckets, not 0");
}

}  // namespace
}  // namespace archgrid::sparse
