// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// How fast products of sparse matrices with vectors are, and all of cuSPARSE's algorithms in the
// same run where its library is found.
#include <algorithm>
#include <ostream>

#include "bsr_memory.hpp"
#include "sparse_perf.hpp"

namespace archgrid::sparse {
namespace {

// Matrices that no cache holds.
constexpr Index kRows = 1 << 19;
constexpr Index kBlock = 8;

const Kind kKinds[] = {
    {"banded_27", [] { return banded(kRows, kRows, 13, 13, Entries::integers, 1); }},
    {"uniform_4", [] { return uniform(kRows, kRows, 4, Entries::integers, 2); }},
    {"uniform_64", [] { return uniform(kRows / 4, kRows, 64, Entries::integers, 3); }},
    {"power_law_16", [] { return power_law(kRows, kRows, 16 * kRows, 0.9, Entries::integers, 4); }},
    {"blocks_8",
     [] { return blocks(kRows / kBlock, kRows / kBlock, kBlock, 4, Entries::integers, 5); }},
};

constexpr Number kTypes[] = {Number::f16, Number::f32, Number::f64};

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
      for (const Number type : kTypes) all.push_back({&kind, &variant, type});
    }
  }
  return all;
}

/// A product in device memory.
class Data {
 public:
  Data(const Kind& kind, Number type)
      : matrix_(matrix_of(kind)),
        type_(type),
        x_(uniform(1, kRows, kRows, Entries::integers, 5).value),
        a_(matrix_, type, Integer::i32),
        device_x_(stored(x_, type)),
        y_(unwritten(matrix_.rows, sum_of(type))) {}

  const Csr& matrix() const { return matrix_; }
  Spmv problem() const { return {a_.matrix, 1, device_x_.data(), 0, y_.data()}; }
  bool is_right() const {
    return numbers_in(y_.to_host(), sum_of(type_)) == reference(matrix_, 1, x_, 0, {}, 0).value;
  }
  /// What must be read and written at least, if all of x is read once.
  perf::Work work() const {
    const auto entries = static_cast<double>(matrix_.column.size());
    const auto rows = static_cast<double>(matrix_.rows);
    return {entries * (bytes_of(type_) + 4) + rows * (bytes_of(sum_of(type_)) + 4) +
                static_cast<double>(matrix_.columns) * bytes_of(type_),
            2 * entries};
  }

 private:
  const Csr& matrix_;
  Number type_;
  std::vector<double> x_;
  CsrMemory a_;
  DeviceBytes device_x_;
  DeviceBytes y_;
};

class SpmvPerf : public ::testing::TestWithParam<Benchmark> {};
INSTANTIATE_TEST_SUITE_P(Variants, SpmvPerf, ::testing::ValuesIn(benchmarks()),
                         [](const auto& tested) { return name_of(tested.param); });

TEST_P(SpmvPerf, IsMeasured) {
  const auto& [kind, variant, type] = GetParam();
  const Data data(*kind, type);
  const Spmv problem = data.problem();
  const DeviceBuffer<char> workspace(variant->workspace_bytes(problem) + 16);
  const perf::Measurement timing = perf::time(
      [&](cudaStream_t stream) { return variant->launch(problem, workspace.data(), stream); });
  ASSERT_TRUE(data.is_right());
  perf::report("spmv." + name_of(GetParam()), timing, data.work(), {ceiling_of(type)});
  RowStatistics rows;
  ASSERT_EQ(measure_rows(problem.a, workspace.data(), &rows, nullptr), cudaSuccess);
  if (choose(rows).variant == variant) {
    perf::report(std::string("spmv.chosen_") + name(type) + "_" + kind->name, timing, data.work(),
                 {ceiling_of(type)});
  }
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

/// Blocks are for the matrices that have some, and slices of equal length for rows of about equal
/// ones: others would be padded to many times their size.
bool is_for(const CusparseAlgorithm& algorithm, const Kind& kind) {
  const std::string name = kind.name;
  if (algorithm.format == CusparseFormat::bsr) return name == "blocks_8";
  return algorithm.format != CusparseFormat::sliced_ell || name != "power_law_16";
}

std::vector<PeerBenchmark> peer_benchmarks() {
  std::vector<PeerBenchmark> all;
  for (const Kind& kind : kKinds) {
    for (const CusparseAlgorithm& algorithm : spmv_algorithms) {
      for (const Number type : kTypes) {
        if (is_for(algorithm, kind)) all.push_back({&kind, algorithm, type});
      }
    }
  }
  return all;
}

/// Slices of rows, each as long as its longest one.
struct SlicedEll {
  static constexpr Index slice = 32;

  explicit SlicedEll(const Csr& m) {
    for (Index first = 0; first < m.rows; first += slice) {
      Index longest = 0;
      for (Index row = first; row < std::min(m.rows, first + slice); ++row)
        longest = std::max(longest, end(m, row) - begin(m, row));
      for (Index i = 0; i < longest; ++i) {
        for (Index row = first; row < first + slice; ++row) add(m, row, i);
      }
      offsets.push_back(static_cast<Index>(column.size()));
    }
  }

  static Index begin(const Csr& m, Index row) { return m.offsets[static_cast<std::size_t>(row)]; }
  static Index end(const Csr& m, Index row) { return begin(m, row + 1); }
  void add(const Csr& m, Index row, Index i) {
    const bool is_there = row < m.rows && begin(m, row) + i < end(m, row);
    const auto entry = is_there ? static_cast<std::size_t>(begin(m, row) + i) : 0;
    column.push_back(is_there ? m.column[entry] : -1);
    value.push_back(is_there ? m.value[entry] : 0);
  }

  Numbers offsets = {0};
  Numbers column;
  std::vector<double> value;
};

class SpmvOfCusparse : public ::testing::TestWithParam<PeerBenchmark> {};
INSTANTIATE_TEST_SUITE_P(Peers, SpmvOfCusparse, ::testing::ValuesIn(peer_benchmarks()),
                         [](const auto& tested) { return name_of(tested.param); });

TEST_P(SpmvOfCusparse, IsMeasured) {
  const auto& [kind, algorithm, type] = GetParam();
  const Data data(*kind, type);
  const Spmv p = data.problem();
  const DeviceNumbers rows = entry_rows(data.matrix(), Integer::i32);
  std::unique_ptr<BsrMemory> blocks;
  if (algorithm.format == CusparseFormat::bsr) {
    blocks = std::make_unique<BsrMemory>(bsr_of(data.matrix(), kBlock, kBlock), type, Integer::i32);
  }
  const bool is_sliced = algorithm.format == CusparseFormat::sliced_ell;
  const SlicedEll slices(is_sliced ? data.matrix() : Csr());
  const DeviceNumbers slice_offsets(slices.offsets, Integer::i32);
  const DeviceNumbers slice_column(slices.column, Integer::i32);
  const DeviceBytes slice_value(stored(slices.value, type));
  const auto described = [&](const Cusparse& library) {
    if (blocks != nullptr) return library.bsr(blocks->matrix);
    if (is_sliced) {
      return library.sliced_ell(p.a, static_cast<Index>(slices.column.size()), SlicedEll::slice,
                                slice_offsets.data(), slice_column.data(), slice_value.data());
    }
    return algorithm.format == CusparseFormat::coo ? library.coo(p.a, rows.data())
                                                   : library.csr(p.a, p.a.value, type);
  };
  const int number = algorithm.number;
  const Number of_type = type;
  measure_cusparse(
      "spmv." + name_of(GetParam()),
      [&](const Cusparse& library) {
        library.require(GetParam().algorithm);
        return std::make_unique<Cusparse::Product>(
            library, "SpMV", p.alpha, described(library), library.vector(p.a.columns, p.x, of_type),
            p.beta, library.vector(p.a.rows, p.y, sum_of(of_type)), sum_of(of_type), number);
      },
      [&] { return data.is_right(); }, data.work());
}

}  // namespace
}  // namespace archgrid::sparse
