// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Benchmarks of products of 2:4 matrices, beside the dense product of the same matrices, and of
// pruning to 2:4. Each test checks the result of the timed work before it reports the time. No test
// judges a time.
#include <archgrid/gtest.hpp>
#include <archgrid/perf.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "cache_perf.hpp"
#include "gemm_perf.hpp"
#include "mma_perf.hpp"
#include "sparse/structured.h"
#include "sparse/variant.h"

namespace archgrid::sparse {
namespace {

constexpr gemm::Size kSizes[] = {
    {"square_4096", 4096, 4096, 4096},
    {"square_8192", 8192, 8192, 8192},
    {"square_16384", 16384, 16384, 16384},
    // The projections of a layer of Llama 3 8B for 4096 tokens: weights are the 2:4 operand.
    {"mlp_up_4096", 14336, 4096, 4096},
    {"mlp_down_4096", 4096, 4096, 14336},
};

struct Benchmark {
  const StructuredVariant* variant;
  gemm::Size size;
};

std::string name_of(const Benchmark& benchmark) {
  return std::string(benchmark.variant->name) + "_" + benchmark.size.name;
}
void PrintTo(const Benchmark& benchmark, std::ostream* out) {
  *out << name_of(benchmark);
}

std::vector<Benchmark> benchmarks() {
  std::vector<Benchmark> all;
  for (const StructuredVariant& variant : structured_variants()) {
    for (const gemm::Size& size : kSizes) all.push_back({&variant, size});
  }
  return all;
}

const gemm::Variant& dense_variant(gemm::Type type) {
  for (const gemm::Variant& variant : gemm::variants()) {
    if (variant.input == type) return variant;
  }
  throw std::logic_error("no dense variant has the types of a 2:4 one");
}

/// Returns the minimum work: of A, half the elements, and half a byte per four. Only the stored
/// elements count as multiplied, at the rate of a dense product.
perf::Work structured_work_of(const gemm::Variant& dense, const gemm::Size& size) {
  perf::Work work = gemm::work_of(dense, size);
  const double elements = 1.0 * size.m * size.k;
  work.bytes -= elements * gemm::bytes_of(dense.input) / 2;
  work.bytes += elements / 8;
  work.flops /= 2;
  return work;
}

class StructuredPerf : public ::testing::TestWithParam<Benchmark> {
 protected:
  void SetUp() override {
    const Row& its_row = row(GetParam().variant->name);
    int device = 0;
    ASSERT_EQ(current_device(&device), cudaSuccess);
    if (device < its_row.first_device) GTEST_SKIP() << obstacle(its_row, device, false);
    ASSERT_NE(GetParam().variant->launch, nullptr) << "this build left it out";
  }
};
INSTANTIATE_TEST_SUITE_P(Variants, StructuredPerf, ::testing::ValuesIn(benchmarks()),
                         [](const auto& tested) { return name_of(tested.param); });

TEST_P(StructuredPerf, IsMeasured) {
  const gemm::Size& size = GetParam().size;
  const StructuredVariant& variant = *GetParam().variant;
  const gemm::Variant& dense = dense_variant(variant.type);
  gemm::Data data(dense, size);
  const DeviceBuffer<unsigned char> a(data.a, {"A"});
  const DeviceBuffer<unsigned char> b(data.b, {"B"});
  const DeviceBuffer<unsigned char> c(data.c, {"C"});
  const DenseRows<const void*> from = {
      variant.type, size.m, size.k, {a.data(), Layout::row, size.k}};
  const DenseRows<void*> to = {variant.type, size.m, size.k, {a.data(), Layout::row, size.k}};
  const DeviceBuffer<unsigned char> value(value_bytes(variant.type, size.m, size.k));
  const DeviceBuffer<unsigned char> metadata(metadata_bytes(variant.type, size.m, size.k));
  const DeviceBuffer<unsigned long long> workspace(1);
  const Structured compressed = {variant.type, size.m, size.k, value.data(), metadata.data()};
  ASSERT_EQ(prune(from, to, nullptr), cudaSuccess);
  FormatError reason;
  ASSERT_EQ(compress(from, compressed, workspace.data(), workspace.bytes(), &reason, nullptr),
            cudaSuccess);
  ASSERT_EQ(reason.text(), "");
  data.a = a.to_host();

  const gemm::Problem p = gemm::problem(dense, size, a.data(), b.data(), c.data());
  const perf::Measurement timing =
      perf::time([&](cudaStream_t stream) { return variant.launch(compressed, p, stream); });
  data.c = c.to_host();
  ASSERT_TRUE(gemm::has_right_rows(dense, 1, size, data));
  const std::string name = "structured." + name_of(GetParam());
  const perf::Ceiling ceiling = gemm::mma_sync_ceiling(gemm::name(variant.type));
  perf::report(name, timing, structured_work_of(dense, size), {ceiling});

  // The same product with all elements of A.
  ASSERT_EQ(cudaMemset(c.data(), 0xff, c.bytes()), cudaSuccess);
  gemm::Choice choice;
  ASSERT_EQ(gemm::gemm(p, {}, &choice), cudaSuccess) << choice.reason;
  const perf::Measurement of_dense = perf::time([&](cudaStream_t stream) {
    gemm::Options options;
    options.stream = stream;
    return gemm::gemm(p, options);
  });
  data.c = c.to_host();
  ASSERT_TRUE(gemm::has_right_rows(dense, choice.splits, size, data));
  perf::report(name + ".dense", of_dense, gemm::work_of(dense, size), {ceiling});
  RecordProperty("dense", choice.variant->name);
}

/// Times pruning a matrix to 2:4.
TEST(StructuredDataPerf, IsMeasured) {
  constexpr int rows = 8192;
  constexpr int k = 8192;
  constexpr gemm::Type type = gemm::Type::f16;
  const std::vector<unsigned char> elements =
      gemm::random_elements(type, static_cast<std::size_t>(rows) * k, 1);
  const DeviceBuffer<unsigned char> dense(elements, {"dense"});
  const DeviceBuffer<unsigned char> pruned(elements.size());
  const DenseRows<const void*> from = {type, rows, k, {dense.data(), Layout::row, k}};
  const DenseRows<void*> to = {type, rows, k, {pruned.data(), Layout::row, k}};
  const perf::Measurement of_prune =
      perf::time([&](cudaStream_t stream) { return prune(from, to, stream); }, cold());
  const DenseRows<const void*> made = {type, rows, k, {pruned.data(), Layout::row, k}};
  const DeviceBuffer<unsigned long long> workspace(1);
  FormatError reason;
  ASSERT_EQ(check(from, workspace.data(), workspace.bytes(), &reason, nullptr), cudaSuccess);
  ASSERT_NE(reason.text(), "") << "there was nothing to prune";
  ASSERT_EQ(check(made, workspace.data(), workspace.bytes(), &reason, nullptr), cudaSuccess);
  ASSERT_EQ(reason.text(), "");
  const double bytes = 2.0 * rows * k;
  perf::report("structured.prune_8192", of_prune, {2 * bytes, 0});
}

}  // namespace
}  // namespace archgrid::sparse
