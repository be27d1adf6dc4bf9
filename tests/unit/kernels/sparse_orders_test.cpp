// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Checks that the sparse kernels give the same result, bit for bit, in any order of threads and
// blocks: no floating-point sum depends on the order of atomics. Uses real numbers, whose sums
// would differ in another order.
#include <gtest/gtest.h>

#include <archgrid/cpu_emulator.hpp>
#include <functional>
#include <string>
#include <vector>

#include "../../gpu/bsr_memory.hpp"
#include "../../gpu/bucketize_cases.hpp"
#include "../../gpu/dense_cases.hpp"
#include "sparse/check.h"
#include "sparse/embedding.h"
#include "sparse/variant.h"

namespace archgrid::sparse {
namespace {

using Bytes = std::vector<unsigned char>;

/// A function that runs a kernel anew and returns its result.
using Make = std::function<Bytes()>;

void expect_the_same_in_all_orders(const Make& make) {
  cpu_emulator::set_options({});
  const Bytes expected = make();
  ASSERT_FALSE(expected.empty());
  cpu_emulator::Options options;
  options.order = cpu_emulator::Order::descending;
  cpu_emulator::set_options(options);
  EXPECT_EQ(make(), expected) << "descending";
  options.order = cpu_emulator::Order::shuffled;
  for (options.seed = 0; options.seed < 20; ++options.seed) {
    cpu_emulator::set_options(options);
    EXPECT_EQ(make(), expected) << "seed " << options.seed;
  }
  cpu_emulator::set_options({});
}

/// Returns a matrix with a row that is cut into many pieces, and with sums that round.
const Csr& matrix() {
  static const Csr made = [] {
    std::vector<Index> lengths(70, 9);
    lengths[31] = 900;
    return with_row_lengths(lengths, 1000, Entries::reals, 3);
  }();
  return made;
}

DenseCase dense_case(Index n) {
  DenseCase c;
  c.n = n;
  c.entries = Entries::reals;
  c.beta = 0.5;
  return c;
}

TEST(InAnyOrder, ProductsWithVectorsAreTheSame) {
  const CsrMemory a(matrix(), Number::f32, Integer::i32);
  const std::vector<double> x = uniform(1, 1000, 1000, Entries::reals, 5).value;
  const DeviceBytes device_x(stored(x, Number::f32));
  for (const SpmvVariant& variant : spmv_variants()) {
    SCOPED_TRACE(variant.name);
    expect_the_same_in_all_orders([&] {
      const DeviceBytes y(Bytes(70 * 4));
      const Spmv problem{a.matrix, 1, device_x.data(), 0, y.data()};
      const DeviceBytes workspace(Bytes(variant.workspace_bytes(problem) + 8));
      EXPECT_EQ(variant.launch(problem, workspace.data(), workspace.size(), nullptr), cudaSuccess);
      return y.to_host();
    });
  }
}

TEST(InAnyOrder, RowsAreMeasuredTheSame) {
  const CsrMemory a(matrix(), Number::f32, Integer::i32);
  expect_the_same_in_all_orders([&] {
    const DeviceBytes workspace(Bytes(16));
    RowStatistics rows;
    EXPECT_EQ(measure_rows(a.matrix, workspace.data(), workspace.size(), &rows, nullptr),
              cudaSuccess);
    EXPECT_EQ(rows.longest, 900);
    return workspace.to_host();
  });
}

TEST(InAnyOrder, ProductsWithMatricesAreTheSame) {
  const CsrMemory a(matrix(), Number::f32, Integer::i32);
  for (const SpmmVariant& variant : spmm_variants()) {
    SCOPED_TRACE(variant.name);
    expect_the_same_in_all_orders([&] {
      const DenseCase tried = dense_case(5);
      const DenseOperands dense(matrix(), tried, Number::f32, rows_of_b(matrix()));
      const Spmm problem{a.matrix, tried.n, tried.alpha, dense.b(), tried.beta, dense.c()};
      const DeviceBytes workspace(Bytes(variant.workspace_bytes(problem) + 8));
      EXPECT_EQ(variant.launch(problem, workspace.data(), workspace.size(), nullptr), cudaSuccess);
      return dense.stored_c();
    });
  }
}

TEST(InAnyOrder, ProductsOfBlocksAreTheSame) {
  const Bsr blocks = bsr_of(matrix(), 16, 16);
  const BsrMemory a(blocks, Number::f16, Integer::i32);
  for (const BsrmmVariant& variant : bsrmm_variants()) {
    SCOPED_TRACE(variant.name);
    expect_the_same_in_all_orders([&] {
      const DenseCase tried = dense_case(5);
      const DenseOperands dense(matrix(), tried, Number::f16,
                                std::vector<bool>(static_cast<std::size_t>(1000), true));
      const Bsrmm problem{a.matrix, tried.n, tried.alpha, dense.b(), tried.beta, dense.c()};
      EXPECT_EQ(variant.launch(problem, nullptr), cudaSuccess);
      return dense.stored_c();
    });
  }
}

TEST(InAnyOrder, SampledProductsAreTheSame) {
  const CsrMemory pattern(matrix(), Number::f32, Integer::i32);
  const std::vector<double> numbers = uniform(1, 1000 * 33, 1000 * 33, Entries::reals, 5).value;
  const DeviceBytes elements(stored(numbers, Number::f32));
  for (const SddmmVariant& variant : sddmm_variants()) {
    SCOPED_TRACE(variant.name);
    expect_the_same_in_all_orders([&] {
      const DeviceBytes value(Bytes(matrix().column.size() * 4));
      Sddmm p;
      p.rows = 70;
      p.columns = 1000;
      p.entries = pattern.matrix.entries;
      p.k = 33;
      p.offsets = pattern.matrix.offsets;
      p.column = pattern.matrix.column;
      p.a = {elements.data(), Layout::row, 33};
      p.b = {elements.data(), Layout::column, 33};
      p.value = value.data();
      EXPECT_EQ(variant.launch(p, nullptr), cudaSuccess);
      return value.to_host();
    });
  }
}

TEST(InAnyOrder, FeaturesAreSharedOutTheSame) {
  BucketizeCase c = random_case(4, 25, 16, 60, 9);
  c.weight_bytes = 4;
  expect_the_same_in_all_orders([&] {
    const BucketizeOnDevice on_device(c);
    const DeviceBytes workspace(Bytes(workspace_bytes(on_device.problem)));
    EXPECT_EQ(bucketize(on_device.problem, workspace.data(), workspace.size(), nullptr),
              cudaSuccess);
    Bytes all;
    for (const Bytes& bytes : {on_device.new_lengths.to_host(), on_device.new_indices.to_host(),
                               on_device.places.to_host(), on_device.new_weights.to_host()})
      all.insert(all.end(), bytes.begin(), bytes.end());
    return all;
  });
}

TEST(InAnyOrder, LookupsAddUpTheSame) {
  const std::vector<double> numbers = uniform(1, 50 * 40, 50 * 40, Entries::reals, 5).value;
  const DeviceBytes table(stored(numbers, Number::f32));
  const void* const first = table.data();
  const auto* const bits = reinterpret_cast<const unsigned char*>(&first);
  const DeviceBytes tables(Bytes(bits, bits + sizeof first));
  const DeviceNumbers rows(Numbers{50}, Integer::i64);
  Numbers indices;
  for (std::int64_t i = 0; i < 300; ++i) indices.push_back(i * 37 % 50);
  const DeviceNumbers device_indices(indices, Integer::i64);
  const DeviceNumbers lengths(Numbers{100, 0, 150, 50}, Integer::i64);
  expect_the_same_in_all_orders([&] {
    const DeviceBytes pooled(Bytes(4 * 40 * 4));
    EmbeddingLookup p;
    p.features = 1;
    p.bags = 4;
    p.count = 300;
    p.width = 40;
    p.lengths = lengths.data();
    p.indices = device_indices.data();
    p.tables = static_cast<const float* const*>(tables.data());
    p.rows = static_cast<const std::int64_t*>(rows.data());
    p.pooled = static_cast<float*>(pooled.data());
    const DeviceBytes workspace(Bytes(workspace_bytes(p)));
    EXPECT_EQ(look_up(p, workspace.data(), workspace.size(), nullptr), cudaSuccess);
    return pooled.to_host();
  });
}

TEST(InAnyOrder, TheFirstErrorIsTheFirst) {
  Csr broken = uniform(3000, 40, 5, Entries::integers, 3);
  for (const std::size_t row : {2900u, 700u, 1500u})
    std::swap(broken.column[row * 5], broken.column[row * 5 + 3]);
  const CsrMemory memory(broken, Number::f32, Integer::i32);
  expect_the_same_in_all_orders([&] {
    const DeviceBytes workspace(Bytes(check_bytes, 0));
    FormatError reason;
    EXPECT_EQ(check(memory.matrix, workspace.data(), workspace.size(), &reason, nullptr),
              cudaSuccess);
    EXPECT_EQ(reason.row, 700);
    return workspace.to_host();
  });
}

TEST(InAnyOrder, FeaturesAreCheckedTheSame) {
  BucketizeCase c = random_case(7, 300, 4, 9, 11);
  c.lengths[1500] = -1;
  c.lengths[900] = -2;
  const BucketizeOnDevice on_device(c);
  expect_the_same_in_all_orders([&] {
    const DeviceBytes workspace(Bytes(features_check_bytes, 0));
    std::string reason;
    EXPECT_EQ(check(on_device.problem, workspace.data(), workspace.size(), &reason, nullptr),
              cudaSuccess);
    EXPECT_EQ(reason.substr(0, 26), "lengths: bag 900 has -2 in");
    return workspace.to_host();
  });
}

TEST(InAnyOrder, StructuredMatricesAreMadeAndMultipliedTheSame) {
  constexpr int rows = 140;
  constexpr int k = 200;
  const std::vector<double> numbers = uniform(1, rows * k, rows * k, Entries::reals, 5).value;
  const DeviceBytes dense(stored(numbers, Number::f16));
  expect_the_same_in_all_orders([&] {
    const auto type = gemm::Type::f16;
    const DeviceBytes pruned(Bytes(numbers.size() * 2));
    const DenseRows<const void*> from = {type, rows, k, {dense.data(), Layout::row, k}};
    const DenseRows<void*> to = {type, rows, k, {pruned.data(), Layout::row, k}};
    EXPECT_EQ(prune(from, to, nullptr), cudaSuccess);
    const DeviceBytes value(Bytes(value_bytes(type, rows, k)));
    const DeviceBytes metadata(Bytes(metadata_bytes(type, rows, k)));
    const DeviceBytes workspace(Bytes(8));
    const Structured a = {type, rows, k, value.data(), metadata.data()};
    FormatError reason;
    // Finds the first of many errors, and then none.
    EXPECT_EQ(check(from, workspace.data(), workspace.size(), &reason, nullptr), cudaSuccess);
    Bytes all = workspace.to_host();
    EXPECT_EQ(reason.row, 0);
    const DenseRows<const void*> made = {type, rows, k, {pruned.data(), Layout::row, k}};
    EXPECT_EQ(compress(made, a, workspace.data(), workspace.size(), &reason, nullptr), cudaSuccess);
    EXPECT_EQ(reason.text(), "");
    const DeviceBytes c(Bytes(rows * 24 * 4));
    gemm::Problem p;
    p.m = rows;
    p.n = 24;
    p.k = k;
    p.input = type;
    p.output = gemm::Type::f32;
    p.b = {dense.data(), Layout::row, 24, 0};
    p.c = {c.data(), Layout::row, 24, 0};
    EXPECT_EQ(find_structured_variant("structured_f16")->launch(a, p, nullptr), cudaSuccess);
    for (const Bytes& bytes : {value.to_host(), metadata.to_host(), c.to_host()})
      all.insert(all.end(), bytes.begin(), bytes.end());
    return all;
  });
}

}  // namespace
}  // namespace archgrid::sparse
