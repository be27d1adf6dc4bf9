// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// How fast products of sparse matrices with dense ones are. Each timing is of work whose result the
// same test checks before it reports the time. No test judges a time.
#include <archgrid/gtest.hpp>
#include <archgrid/perf.hpp>
#include <archgrid/perf/arithmetic.hpp>
#include <ostream>
#include <string>

#include "sparse/spmm.h"
#include "spmv_cases.hpp"

namespace archgrid::sparse {
namespace {

constexpr Index kRows = 1 << 14;

struct Kind {
  const char* name;
  Csr (*generate)();
};

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
         (benchmark.layout == Layout::row ? "_rows_" : "_columns_") + std::to_string(benchmark.n);
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
  const Csr matrix = kind->generate();
  const CsrMemory a(matrix, Number::f32, Integer::i32);
  // Each column of B is the same: one reference serves all.
  const std::vector<double> x = uniform(1, kRows, kRows, Entries::integers, 5).value;
  std::vector<double> b;
  for (Index i = 0; i < kRows * n; ++i)
    b.push_back(x[static_cast<std::size_t>(layout == Layout::row ? i / n : i % kRows)]);
  const DeviceBytes b_memory(stored(b, Number::f32));
  const DeviceBytes c_memory(
      std::vector<unsigned char>(static_cast<std::size_t>(kRows * n) * sizeof(float), 0xff));
  const Index leading = layout == Layout::row ? n : kRows;
  const Spmm problem{
      a.matrix, n, 1, {b_memory.data(), layout, leading}, 0, {c_memory.data(), layout, leading}};
  const DeviceBuffer<char> workspace(variant->workspace_bytes(problem) + 16);
  const perf::Measurement timing = perf::time(
      [&](cudaStream_t stream) { return variant->launch(problem, workspace.data(), stream); });
  const std::vector<double> expected = reference(matrix, 1, x, 0, {}, 0).value;
  const std::vector<double> got = numbers_in(c_memory.to_host(), Number::f32);
  for (Index i = 0; i < kRows * n; ++i) {
    const Index row = layout == Layout::row ? i / n : i % kRows;
    ASSERT_EQ(got[static_cast<std::size_t>(i)], expected[static_cast<std::size_t>(row)]);
  }
  perf::report("spmm." + name_of(GetParam()), timing, work_of(matrix, n), {perf::fp32_ceiling()});
}

}  // namespace
}  // namespace archgrid::sparse
