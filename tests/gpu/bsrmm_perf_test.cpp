// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Benchmarks of products of matrices of dense blocks and dense matrices, beside cuSPARSE's
// algorithms for blocks in the same run if its library is found.
#include <ostream>

#include "bsr_memory.hpp"
#include "dense_perf.hpp"
#include "mma_perf.hpp"
#include "sparse/variant.h"

namespace archgrid::sparse {
namespace {

// cuSPARSE fills a blocked ELL from a dense matrix, which limits the size. Timings are cold.
constexpr Index kRows = 1 << 13;
// Returns a matrix with a tenth of all blocks.
template <Index Block>
Csr tenth(Index rows) {
  const Index block_rows = rows / Block;
  return blocks(block_rows, block_rows, Block, block_rows / 10, Entries::integers, 3);
}

const Kind kKinds[] = {
    {"blocks_16", kRows / 10, tenth<16>},
    {"blocks_32", kRows / 10, tenth<32>},
    {"blocks_64", kRows / 10, tenth<64>},
};
constexpr Index kBlocks[] = {16, 32, 64};
constexpr Index kColumns[] = {128, 1024};
constexpr Layout kLayouts[] = {Layout::row, Layout::column};

struct Benchmark {
  const Kind* kind;
  Index block;
  const BsrmmVariant* variant;
  Layout layout;  // of B and C
  Index n;
};

std::string name_of(const Benchmark& benchmark) {
  return std::string(benchmark.variant->name) + "_" + benchmark.kind->name +
         suffix_of(benchmark.layout, benchmark.n);
}
void PrintTo(const Benchmark& benchmark, std::ostream* out) {
  *out << name_of(benchmark);
}

template <class Visit>
void for_each_product(Visit visit) {
  for (std::size_t i = 0; i < std::size(kKinds); ++i) {
    for (const Layout layout : kLayouts) {
      for (const Index n : kColumns) visit(&kKinds[i], kBlocks[i], layout, n);
    }
  }
}

std::vector<Benchmark> benchmarks() {
  std::vector<Benchmark> all;
  for_each_product([&](const Kind* kind, Index block, Layout layout, Index n) {
    for (const BsrmmVariant& variant : bsrmm_variants()) {
      if (variant.launch != nullptr) all.push_back({kind, block, &variant, layout, n});
    }
  });
  return all;
}

/// Returns the minimum traffic, with all of B read once, and the operations.
perf::Work work_of(const Csr& m, Index n) {
  const auto values = static_cast<double>(m.column.size());
  const auto columns = static_cast<double>(n);
  return {values * 2 + columns * static_cast<double>(m.columns * 2 + m.rows * 4),
          2 * values * columns};
}

perf::Ceiling ceiling_of(const BsrmmVariant& variant) {
  const bool has_tensor_cores = std::string(row(variant.name).instruction) == "HMMA";
  return has_tensor_cores ? gemm::mma_sync_ceiling("f16") : perf::fp32_ceiling();
}

class BsrmmPerf : public ::testing::TestWithParam<Benchmark> {};
INSTANTIATE_TEST_SUITE_P(Variants, BsrmmPerf, ::testing::ValuesIn(benchmarks()),
                         [](const auto& tested) { return name_of(tested.param); });

TEST_P(BsrmmPerf, IsMeasured) {
  const auto& [kind, block, variant, layout, n] = GetParam();
  int device = 0;
  ASSERT_EQ(current_device(&device), cudaSuccess);
  if (device < row(variant->name).first_device)
    GTEST_SKIP() << obstacle(row(variant->name), device, false);
  const Csr& matrix = matrix_of(*kind, kRows);
  const BsrMemory a(bsr_of(matrix, block, block), Number::f16, Integer::i32);
  const DensePerfData dense(matrix, n, layout, Number::f16);
  const Bsrmm problem{a.matrix, n, 1, dense.b(), 0, dense.c()};
  const perf::Measurement timing =
      perf::time([&](cudaStream_t stream) { return variant->launch(problem, stream); }, cold());
  ASSERT_TRUE(dense.is_right());
  perf::report("bsrmm." + name_of(GetParam()), timing, work_of(matrix, n), {ceiling_of(*variant)});
  RecordProperty("choice", choose(problem).variant->name);
}

struct PeerBenchmark {
  const Kind* kind;
  Index block;
  CusparseAlgorithm algorithm;
  Layout layout;
  Index n;
};

std::string name_of(const PeerBenchmark& benchmark) {
  return std::string(benchmark.algorithm.name) + "_" + benchmark.kind->name +
         suffix_of(benchmark.layout, benchmark.n);
}
void PrintTo(const PeerBenchmark& benchmark, std::ostream* out) {
  *out << name_of(benchmark);
}

std::vector<PeerBenchmark> peer_benchmarks() {
  std::vector<PeerBenchmark> all;
  for_each_product([&](const Kind* kind, Index block, Layout layout, Index n) {
    for (const CusparseAlgorithm& algorithm : bsrmm_algorithms)
      all.push_back({kind, block, algorithm, layout, n});
  });
  return all;
}

/// Returns all elements of a matrix, row by row.
std::vector<double> dense_of(const Csr& m) {
  std::vector<double> all(static_cast<std::size_t>(m.rows * m.columns), 0);
  const Coo entries = coo_of(m);
  for (std::size_t i = 0; i < entries.value.size(); ++i)
    all[static_cast<std::size_t>(entries.row[i] * m.columns + entries.column[i])] =
        entries.value[i];
  return all;
}

class BsrmmOfCusparse : public ::testing::TestWithParam<PeerBenchmark> {};
INSTANTIATE_TEST_SUITE_P(Peers, BsrmmOfCusparse, ::testing::ValuesIn(peer_benchmarks()),
                         [](const auto& tested) { return name_of(tested.param); });

TEST_P(BsrmmOfCusparse, IsMeasured) {
  const auto& [kind, block, algorithm, layout, n] = GetParam();
  const Csr& matrix = matrix_of(*kind, kRows);
  const Bsr on_host = bsr_of(matrix, block, block);
  const BsrMemory a(on_host, Number::f16, Integer::i32);
  const DensePerfData dense(matrix, n, layout, Number::f16);
  const bool is_ell = algorithm.format == CusparseFormat::blocked_ell;
  const DeviceBytes elements(
      stored(is_ell ? dense_of(matrix) : std::vector<double>(), Number::f16));
  const DeviceBytes ell_value(std::vector<unsigned char>(is_ell ? on_host.value.size() * 2 : 0));
  const Index of_block = block;
  const int number = algorithm.number;
  const auto described = [&](const Cusparse& library) {
    if (!is_ell) return library.bsr(a.matrix);
    // Each row has the same number of blocks, in order, so the block columns of BSR and ELL agree.
    const Index columns_of_row = on_host.offsets[1] * of_block;
    CusparseObject ell =
        library.blocked_ell(matrix.rows, matrix.columns, of_block, columns_of_row, a.column.data(),
                            ell_value.data(), Integer::i32, Number::f16);
    library.convert(library.dense(matrix.rows, matrix.columns,
                                  {elements.data(), Layout::row, matrix.columns}, Number::f16),
                    ell);
    return ell;
  };
  measure_cusparse(
      "bsrmm." + name_of(GetParam()),
      [&](const Cusparse& library) {
        library.require(GetParam().algorithm);
        return std::make_unique<Cusparse::Product>(library, "SpMM", 1, described(library),
                                                   dense.b_of(library), 0, dense.c_of(library),
                                                   Number::f32, number);
      },
      [&] { return dense.is_right(); }, work_of(matrix, n), cold());
}

}  // namespace
}  // namespace archgrid::sparse
