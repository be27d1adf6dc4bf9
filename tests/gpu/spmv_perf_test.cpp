// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// How fast products of sparse matrices with vectors are, and all of cuSPARSE's algorithms in the
// same run where its library is found. Each timing is of work whose result the same test checks
// before it reports the time: a launch that computes nothing would be the fastest. No test judges a
// time.
#include <archgrid/gtest.hpp>
#include <archgrid/perf.hpp>
#include <archgrid/perf/arithmetic.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "cusparse.hpp"
#include "spmv_cases.hpp"

namespace archgrid::sparse {
namespace {

constexpr Index kRows = 1 << 17;

struct Kind {
  const char* name;
  Csr (*generate)();
};

const Kind kKinds[] = {
    {"banded_27", [] { return banded(kRows, kRows, 13, 13, Entries::integers, 1); }},
    {"uniform_4", [] { return uniform(kRows, kRows, 4, Entries::integers, 2); }},
    {"uniform_64", [] { return uniform(kRows / 4, kRows, 64, Entries::integers, 3); }},
    {"power_law_16", [] { return power_law(kRows, kRows, 16 * kRows, 0.9, Entries::integers, 4); }},
};

/// Made once, for all variants.
const Csr& matrix_of(const Kind& kind) {
  static const Kind* made = nullptr;
  static Csr matrix;
  if (made != &kind) {
    matrix = kind.generate();
    made = &kind;
  }
  return matrix;
}

struct Benchmark {
  const Kind* kind;
  const SpmvVariant* variant;
  Number type;
};

std::string name_of(const Benchmark& benchmark) {
  return std::string(benchmark.variant->name) + "_" + name(benchmark.type) + "_" +
         benchmark.kind->name;
}
void PrintTo(const Benchmark& benchmark, std::ostream* out) {
  *out << name_of(benchmark);
}

std::vector<Benchmark> benchmarks() {
  std::vector<Benchmark> all;
  for (const Kind& kind : kKinds) {
    for (const SpmvVariant& variant : spmv_variants()) {
      for (const Number type : {Number::f16, Number::f32, Number::f64})
        all.push_back({&kind, &variant, type});
    }
  }
  return all;
}

/// What must be read and written at least, if all of x is read once.
perf::Work work_of(const Csr& m, Number type) {
  const auto entries = static_cast<double>(m.column.size());
  const auto rows = static_cast<double>(m.rows);
  const double bytes = entries * (bytes_of(type) + 4) + rows * (bytes_of(sum_of(type)) + 4) +
                       static_cast<double>(m.columns) * bytes_of(type);
  return {bytes, 2 * entries};
}

class SpmvPerf : public ::testing::TestWithParam<Benchmark> {};
INSTANTIATE_TEST_SUITE_P(Variants, SpmvPerf, ::testing::ValuesIn(benchmarks()),
                         [](const auto& tested) { return name_of(tested.param); });

TEST_P(SpmvPerf, IsMeasured) {
  const auto& [kind, variant, type] = GetParam();
  const Csr& matrix = matrix_of(*kind);
  const CsrMemory a(matrix, type, Integer::i32);
  const std::vector<double> x = uniform(1, kRows, kRows, Entries::integers, 5).value;
  const DeviceBytes device_x(stored(x, type));
  const DeviceBytes y(std::vector<unsigned char>(
      static_cast<std::size_t>(matrix.rows) * static_cast<std::size_t>(bytes_of(sum_of(type))),
      0xff));
  const Spmv problem{a.matrix, 1, device_x.data(), 0, y.data()};
  const DeviceBuffer<char> workspace(variant->workspace_bytes(problem) + 16);
  const perf::Measurement timing = perf::time(
      [&](cudaStream_t stream) { return variant->launch(problem, workspace.data(), stream); });
  ASSERT_EQ(numbers_in(y.to_host(), sum_of(type)), reference(matrix, 1, x, 0, {}, 0).value);
  perf::report(std::string("spmv.") + name_of(GetParam()), timing, work_of(matrix, type),
               {type == Number::f64 ? perf::fp64_ceiling() : perf::fp32_ceiling()});
  RowStatistics rows;
  ASSERT_EQ(measure_rows(a.matrix, workspace.data(), &rows, nullptr), cudaSuccess);
  RecordProperty("choice", choose(rows).variant->name);
}

struct PeerBenchmark {
  const Kind* kind;
  CusparseAlgorithm algorithm;
  Number type;
};

std::string name_of(const PeerBenchmark& benchmark) {
  return std::string(benchmark.algorithm.name) + "_" + name(benchmark.type) + "_" +
         benchmark.kind->name;
}
void PrintTo(const PeerBenchmark& benchmark, std::ostream* out) {
  *out << name_of(benchmark);
}

std::vector<PeerBenchmark> peer_benchmarks() {
  std::vector<PeerBenchmark> all;
  for (const Kind& kind : kKinds) {
    for (const CusparseAlgorithm& algorithm : cusparse_algorithms()) {
      for (const Number type : {Number::f16, Number::f32, Number::f64})
        all.push_back({&kind, algorithm, type});
    }
  }
  return all;
}

class SpmvOfCusparse : public ::testing::TestWithParam<PeerBenchmark> {};
INSTANTIATE_TEST_SUITE_P(Peers, SpmvOfCusparse, ::testing::ValuesIn(peer_benchmarks()),
                         [](const auto& tested) { return name_of(tested.param); });

TEST_P(SpmvOfCusparse, IsMeasured) {
  launches_no_kernel();  // of this program
  const auto& [kind, algorithm, type] = GetParam();
  std::string reason;
  const auto library = find_cusparse(&reason);
  if (library == nullptr) GTEST_SKIP() << reason;
  const Csr& matrix = matrix_of(*kind);
  const CsrMemory a(matrix, type, Integer::i32);
  const DeviceNumbers entry_rows(coo_of(matrix).row, Integer::i32);
  const std::vector<double> x = uniform(1, kRows, kRows, Entries::integers, 5).value;
  const DeviceBytes device_x(stored(x, type));
  const DeviceBytes y(std::vector<unsigned char>(
      static_cast<std::size_t>(matrix.rows) * static_cast<std::size_t>(bytes_of(sum_of(type))),
      0xff));
  const Spmv problem{a.matrix, 1, device_x.data(), 0, y.data()};
  const Cusparse::Product product(*library, problem, algorithm, entry_rows.data());
  const perf::Measurement timing = perf::time([&](cudaStream_t stream) {
    return product.run(stream) == 0 ? cudaSuccess : cudaErrorUnknown;
  });
  ASSERT_EQ(numbers_in(y.to_host(), sum_of(type)), reference(matrix, 1, x, 0, {}, 0).value);
  perf::report("cusparse." + name_of(GetParam()), timing, work_of(matrix, type));
  RecordProperty("cusparse", library->version());
}

}  // namespace
}  // namespace archgrid::sparse
