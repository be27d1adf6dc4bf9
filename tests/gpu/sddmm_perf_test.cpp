// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Benchmarks of sampled products of dense matrices, beside cuSPARSE in the same run if its library
// is found.
#include <ostream>

#include "sparse_perf.hpp"

namespace archgrid::sparse {
namespace {

// The host also computes every entry, which limits the size. Timings are cold.
constexpr Index kRows = 1 << 16;

const Kind kKinds[] = {
    {"uniform_32", 32, [](Index n) { return uniform(n, n, 32, Entries::integers, 3); }},
    {"power_law_32", 32,
     [](Index n) { return power_law(n, n, 32 * n, 0.9, Entries::integers, 4); }},
};

struct Benchmark {
  const Kind* kind;
  const SddmmVariant* variant;  // or null, for cuSPARSE
  Layout b;
  Index k;
};

std::string name_of(const Benchmark& benchmark) {
  return std::string(benchmark.variant == nullptr ? ""
                                                  : benchmark.variant->name + std::string("_")) +
         benchmark.kind->name + (benchmark.b == Layout::row ? "_b_rows_" : "_b_columns_") +
         std::to_string(benchmark.k);
}
void PrintTo(const Benchmark& benchmark, std::ostream* out) {
  *out << name_of(benchmark);
}

std::vector<Benchmark> benchmarks_of(const std::vector<const SddmmVariant*>& variants) {
  std::vector<Benchmark> all;
  for (const Kind& kind : kKinds) {
    for (const SddmmVariant* variant : variants) {
      for (const Layout b : {Layout::row, Layout::column}) {
        for (const Index k : {32, 128}) all.push_back({&kind, variant, b, k});
      }
    }
  }
  return all;
}

std::vector<Benchmark> benchmarks() {
  std::vector<const SddmmVariant*> variants;
  for (const SddmmVariant& variant : sddmm_variants()) variants.push_back(&variant);
  return benchmarks_of(variants);
}

/// Returns small integers that differ between rows and columns.
double element_of_a(Index row, Index k) {
  return static_cast<double>((row * 7 + k * 3) % 9 - 4);
}
double element_of_b(Index k, Index column) {
  return static_cast<double>((k * 5 + column * 11) % 9 - 4);
}

/// A product in device memory. A is row-major.
class Data {
 public:
  Data(const Kind& kind, Layout b, Index k)
      : matrix_(matrix_of(kind, kRows)),
        b_layout_(b),
        k_(k),
        pattern_(matrix_, Number::f32, Integer::i32),
        a_(stored(elements(matrix_.rows, k, element_of_a), Number::f32)),
        b_(stored(b == Layout::row
                      ? elements(k, matrix_.columns, element_of_b)
                      : elements(matrix_.columns, k,
                                 [](Index column, Index i) { return element_of_b(i, column); }),
                  Number::f32)),
        value_(unwritten(static_cast<Index>(matrix_.column.size()), Number::f32)) {}

  Sddmm problem() const {
    Sddmm p;
    p.rows = matrix_.rows;
    p.columns = matrix_.columns;
    p.entries = pattern_.matrix.entries;
    p.k = k_;
    p.offsets = pattern_.matrix.offsets;
    p.column = pattern_.matrix.column;
    p.a = {a_.data(), Layout::row, k_};
    p.b = {b_.data(), b_layout_, b_layout_ == Layout::row ? matrix_.columns : k_};
    p.value = value_.data();
    return p;
  }
  const CsrOnDevice& pattern() const { return pattern_.matrix; }

  ::testing::AssertionResult is_right() const {
    const std::vector<double> got = numbers_in(value_.to_host(), Number::f32);
    const Coo entries = coo_of(matrix_);
    for (std::size_t i = 0; i < got.size(); ++i) {
      double sum = 0;
      for (Index j = 0; j < k_; ++j)
        sum += element_of_a(entries.row[i], j) * element_of_b(j, entries.column[i]);
      if (got[i] != sum)
        return ::testing::AssertionFailure()
               << "entry " << i << " is " << got[i] << ", not " << sum;
    }
    return ::testing::AssertionSuccess();
  }

  /// Returns the minimum traffic, with all of A and B read once, and the operations.
  perf::Work work() const {
    const auto entries = static_cast<double>(matrix_.column.size());
    const auto depth = static_cast<double>(k_);
    return {entries * 8 + static_cast<double>(matrix_.rows) * 4 +
                4 * depth * static_cast<double>(matrix_.rows + matrix_.columns),
            2 * entries * depth};
  }

 private:
  template <class Element>
  static std::vector<double> elements(Index rows, Index columns, Element element) {
    std::vector<double> all;
    all.reserve(static_cast<std::size_t>(rows * columns));
    for (Index row = 0; row < rows; ++row) {
      for (Index column = 0; column < columns; ++column) all.push_back(element(row, column));
    }
    return all;
  }

  const Csr& matrix_;
  Layout b_layout_;
  Index k_;
  CsrMemory pattern_;
  DeviceBytes a_;
  DeviceBytes b_;
  DeviceBytes value_;
};

class SddmmPerf : public ::testing::TestWithParam<Benchmark> {};
INSTANTIATE_TEST_SUITE_P(Variants, SddmmPerf, ::testing::ValuesIn(benchmarks()),
                         [](const auto& tested) { return name_of(tested.param); });

TEST_P(SddmmPerf, IsMeasured) {
  const auto& [kind, variant, b, k] = GetParam();
  const Data data(*kind, b, k);
  const Sddmm problem = data.problem();
  const perf::Measurement timing =
      perf::time([&](cudaStream_t stream) { return variant->launch(problem, stream); }, cold());
  ASSERT_TRUE(data.is_right());
  perf::report("sddmm." + name_of(GetParam()), timing, data.work(), {perf::fp32_ceiling()});
  RecordProperty("choice", choose(problem.a.layout, problem.b.layout).variant->name);
}

class SddmmOfCusparse : public ::testing::TestWithParam<Benchmark> {};
INSTANTIATE_TEST_SUITE_P(Peers, SddmmOfCusparse, ::testing::ValuesIn(benchmarks_of({nullptr})),
                         [](const auto& tested) { return name_of(tested.param); });

TEST_P(SddmmOfCusparse, IsMeasured) {
  const Data data(*GetParam().kind, GetParam().b, GetParam().k);
  const Sddmm p = data.problem();
  constexpr int by_default = 0;  // the only algorithm
  measure_cusparse(
      "sddmm." + name_of(GetParam()),
      [&](const Cusparse& library) {
        return std::make_unique<Cusparse::Product>(
            library, "SDDMM", 1, library.dense(p.rows, p.k, p.a, Number::f32),
            library.dense(p.k, p.columns, p.b, Number::f32), 0,
            library.csr(data.pattern(), p.value, Number::f32), Number::f32, by_default);
      },
      [&] { return data.is_right(); }, data.work(), cold());
}

}  // namespace
}  // namespace archgrid::sparse
