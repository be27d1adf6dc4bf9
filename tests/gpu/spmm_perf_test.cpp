// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// How fast products of sparse matrices with dense ones are, and all of cuSPARSE's algorithms in the
// same run where its library is found.
#include <ostream>

#include "dense_perf.hpp"

namespace archgrid::sparse {
namespace {

constexpr Index kRows = 1 << 14;

const Kind kKinds[] = {
    {"uniform_32", [] { return uniform(kRows, kRows, 32, Entries::integers, 3); }},
    {"power_law_32", [] { return power_law(kRows, kRows, 32 * kRows, 0.9, Entries::integers, 4); }},
};

struct Benchmark {
  const Kind* kind;
  const SpmmVariant* variant;
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

std::vector<Benchmark> benchmarks() {
  std::vector<Benchmark> all;
  for (const Kind& kind : kKinds) {
    for (const SpmmVariant& variant : spmm_variants()) {
      for (const Layout layout : {Layout::row, Layout::column}) {
        for (const Index n : {8, 128}) all.push_back({&kind, &variant, layout, n});
      }
    }
  }
  return all;
}

/// What must be read and written at least, if all of B is read once.
perf::Work work_of(const Csr& m, Index n) {
  const auto entries = static_cast<double>(m.column.size());
  const auto columns = static_cast<double>(n);
  return {entries * 8 + static_cast<double>(m.rows) * 4 +
              4 * columns * static_cast<double>(m.rows + m.columns),
          2 * entries * columns};
}

class SpmmPerf : public ::testing::TestWithParam<Benchmark> {};
INSTANTIATE_TEST_SUITE_P(Variants, SpmmPerf, ::testing::ValuesIn(benchmarks()),
                         [](const auto& tested) { return name_of(tested.param); });

TEST_P(SpmmPerf, IsMeasured) {
  const auto& [kind, variant, layout, n] = GetParam();
  const Csr& matrix = matrix_of(*kind);
  const CsrMemory a(matrix, Number::f32, Integer::i32);
  const DensePerfData dense(matrix, n, layout, Number::f32);
  const Spmm problem{a.matrix, n, 1, dense.b(), 0, dense.c()};
  const DeviceBuffer<char> workspace(variant->workspace_bytes(problem) + 16);
  const perf::Measurement timing = perf::time(
      [&](cudaStream_t stream) { return variant->launch(problem, workspace.data(), stream); });
  ASSERT_TRUE(dense.is_right());
  perf::report("spmm." + name_of(GetParam()), timing, work_of(matrix, n), {perf::fp32_ceiling()});
  RowStatistics rows;
  ASSERT_EQ(measure_rows(a.matrix, workspace.data(), &rows, nullptr), cudaSuccess);
  if (choose(rows, layout).variant == variant) {
    perf::report(std::string("spmm.chosen_") + kind->name + suffix_of(layout, n), timing,
                 work_of(matrix, n), {perf::fp32_ceiling()});
  }
}

struct PeerBenchmark {
  const Kind* kind;
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
  for (const Kind& kind : kKinds) {
    for (const CusparseAlgorithm& algorithm : spmm_algorithms) {
      for (const Layout layout : {Layout::row, Layout::column}) {
        for (const Index n : {8, 128}) all.push_back({&kind, algorithm, layout, n});
      }
    }
  }
  return all;
}

class SpmmOfCusparse : public ::testing::TestWithParam<PeerBenchmark> {};
INSTANTIATE_TEST_SUITE_P(Peers, SpmmOfCusparse, ::testing::ValuesIn(peer_benchmarks()),
                         [](const auto& tested) { return name_of(tested.param); });

TEST_P(SpmmOfCusparse, IsMeasured) {
  const auto& [kind, algorithm, layout, n] = GetParam();
  const Csr& matrix = matrix_of(*kind);
  const CsrMemory a(matrix, Number::f32, Integer::i32);
  const DeviceNumbers rows = entry_rows(matrix, Integer::i32);
  const DensePerfData dense(matrix, n, layout, Number::f32);
  const bool is_coo = algorithm.format == CusparseFormat::coo;
  const int number = algorithm.number;
  measure_cusparse(
      "spmm." + name_of(GetParam()),
      [&](const Cusparse& library) {
        library.require(GetParam().algorithm);
        return std::make_unique<Cusparse::Product>(
            library, "SpMM", 1,
            is_coo ? library.coo(a.matrix, rows.data())
                   : library.csr(a.matrix, a.matrix.value, Number::f32),
            dense.b_of(library), 0, dense.c_of(library), Number::f32, number);
      },
      [&] { return dense.is_right(); }, work_of(matrix, n));
}

}  // namespace
}  // namespace archgrid::sparse
