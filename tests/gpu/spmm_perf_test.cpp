// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Benchmarks of products of sparse and dense matrices, beside all of cuSPARSE's algorithms in the
// same run if its library is found.
#include <ostream>

#include "dense_perf.hpp"

namespace archgrid::sparse {
namespace {

constexpr Index kPart = 1 << 16;

const Kind kKinds[] = {
    {"uniform_32", 32,
     [](Index rows) { return stacked(uniform(kPart, kPart, 32, Entries::integers, 3), rows); }},
    {"power_law_32", 32,
     [](Index rows) {
       return stacked(power_law(kPart, kPart, 32 * kPart, 0.9, Entries::integers, 4), rows);
     }},
    {"one_gigantic_row", 4, one_gigantic_row},
};

struct Product {
  const Kind* kind;
  Index n;
  Number type;
  Layout layout;  // of B and C
};

std::string name_of(const Product& product) {
  return std::string(name(product.type)) + "_" + product.kind->name +
         suffix_of(product.layout, product.n);
}

/// Returns all products. Products of one matrix are consecutive.
std::vector<Product> products() {
  std::vector<Product> all;
  for (const Kind& kind : kKinds) {
    for (const Index n : {8, 128}) {
      for (const Number type : {Number::f32, Number::f16}) {
        // One matrix is enough to show the gain of half the bytes.
        if (type == Number::f16 && &kind != kKinds) continue;
        for (const Layout layout : {Layout::row, Layout::column})
          all.push_back({&kind, n, type, layout});
      }
    }
  }
  return all;
}

/// Returns the matrix of a product. Together with C it exceeds any cache, whatever the type.
const Csr& matrix_of(const Product& product) {
  constexpr Number type = Number::f16;
  const Index bytes_of_row =
      product.kind->entries_per_row * (bytes_of(type) + 4) + product.n * bytes_of(sum_of(type));
  return matrix_of(*product.kind, bytes_of_case() / bytes_of_row + 1);
}

struct Benchmark {
  Product product;
  const SpmmVariant* variant;
};

std::string name_of(const Benchmark& benchmark) {
  return std::string(benchmark.variant->name) + "_" + name_of(benchmark.product);
}
void PrintTo(const Benchmark& benchmark, std::ostream* out) {
  *out << name_of(benchmark);
}

std::vector<Benchmark> benchmarks() {
  std::vector<Benchmark> all;
  for (const Product& product : products()) {
    for (const SpmmVariant& variant : spmm_variants()) all.push_back({product, &variant});
  }
  return all;
}

/// Returns the minimum traffic, with all of B read once, and the operations.
perf::Work work_of(const Csr& m, const Product& product) {
  const auto entries = static_cast<double>(m.column.size());
  const auto rows = static_cast<double>(m.rows);
  const auto columns = static_cast<double>(product.n);
  const int type_bytes = bytes_of(product.type);
  return {entries * (type_bytes + 4) + rows * 4 +
              columns * (static_cast<double>(m.columns) * type_bytes +
                         rows * bytes_of(sum_of(product.type))),
          2 * entries * columns};
}

class SpmmPerf : public ::testing::TestWithParam<Benchmark> {};
INSTANTIATE_TEST_SUITE_P(Variants, SpmmPerf, ::testing::ValuesIn(benchmarks()),
                         [](const auto& tested) { return name_of(tested.param); });

TEST_P(SpmmPerf, IsMeasured) {
  const auto& [product, variant] = GetParam();
  const Csr& matrix = matrix_of(product);
  const CsrMemory a(matrix, product.type, Integer::i32);
  const DensePerfData dense(matrix, product.n, product.layout, product.type);
  const Spmm problem{a.matrix, product.n, 1, dense.b(), 0, dense.c()};
  const DeviceBuffer<char> workspace(variant->workspace_bytes(problem) + 16);
  const perf::Measurement timing = perf::time([&](cudaStream_t stream) {
    return variant->launch(problem, workspace.data(), workspace.size(), stream);
  });
  ASSERT_TRUE(dense.is_right());
  const perf::Work work = work_of(matrix, product);
  perf::report("spmm." + name_of(GetParam()), timing, work, {perf::fp32_ceiling()});
  RowStatistics rows;
  ASSERT_EQ(measure_rows(a.matrix, workspace.data(), workspace.size(), &rows, nullptr),
            cudaSuccess);
  if (choose(rows, product.layout, product.n).variant == variant)
    perf::report("spmm.chosen_" + name_of(product), timing, work, {perf::fp32_ceiling()});
}

struct PeerBenchmark {
  Product product;
  CusparseAlgorithm algorithm;
};

std::string name_of(const PeerBenchmark& benchmark) {
  return std::string(benchmark.algorithm.name) + "_" + name_of(benchmark.product);
}
void PrintTo(const PeerBenchmark& benchmark, std::ostream* out) {
  *out << name_of(benchmark);
}

std::vector<PeerBenchmark> peer_benchmarks() {
  std::vector<PeerBenchmark> all;
  for (const Product& product : products()) {
    for (const CusparseAlgorithm& algorithm : spmm_algorithms) all.push_back({product, algorithm});
  }
  return all;
}

class SpmmOfCusparse : public ::testing::TestWithParam<PeerBenchmark> {};
INSTANTIATE_TEST_SUITE_P(Peers, SpmmOfCusparse, ::testing::ValuesIn(peer_benchmarks()),
                         [](const auto& tested) { return name_of(tested.param); });

TEST_P(SpmmOfCusparse, IsMeasured) {
  const auto& [product, algorithm] = GetParam();
  const Csr& matrix = matrix_of(product);
  const CsrMemory a(matrix, product.type, Integer::i32);
  const bool is_coo = algorithm.format == CusparseFormat::coo;
  const DeviceNumbers rows = entry_rows(is_coo ? matrix : Csr(), Integer::i32);
  const DensePerfData dense(matrix, product.n, product.layout, product.type);
  const int number = algorithm.number;
  measure_cusparse(
      "spmm." + name_of(GetParam()),
      [&](const Cusparse& library) {
        library.require(GetParam().algorithm);
        return std::make_unique<Cusparse::Product>(
            library, "SpMM", 1,
            is_coo ? library.coo(a.matrix, rows.data())
                   : library.csr(a.matrix, a.matrix.value, a.matrix.type),
            dense.b_of(library), 0, dense.c_of(library), sum_of(a.matrix.type), number);
      },
      [&] { return dense.is_right(); }, work_of(matrix, product));
}

}  // namespace
}  // namespace archgrid::sparse
