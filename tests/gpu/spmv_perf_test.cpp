// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Benchmarks of products of sparse matrices and vectors, beside all of cuSPARSE's algorithms in the
// same run if its library is found.
#include <algorithm>
#include <ostream>

#include "bsr_memory.hpp"
#include "sparse_perf.hpp"

namespace archgrid::sparse {
namespace {

constexpr Index kPart = 1 << 19;
constexpr Index kBlock = 8;

Csr banded_part() {
  return banded(kPart, kPart, 13, 13, Entries::integers, 1);
}
Csr power_law_part() {
  return power_law(kPart, kPart, 16 * kPart, 0.9, Entries::integers, 4);
}
Csr blocks_part() {
  return blocks(kPart / kBlock, kPart / kBlock, kBlock, 4, Entries::integers, 5);
}
template <Index EntriesOfRow>
Csr uniform_part() {
  return uniform(kPart / EntriesOfRow, kPart, EntriesOfRow, Entries::integers, 2);
}

template <Csr (*Part)()>
Csr stacked(Index rows) {
  return stacked(Part(), rows);
}

const Kind kKinds[] = {
    {"banded_27", 27, stacked<banded_part>},       {"uniform_4", 4, stacked<uniform_part<4>>},
    {"uniform_64", 64, stacked<uniform_part<64>>}, {"power_law_16", 16, stacked<power_law_part>},
    {"one_gigantic_row", 4, one_gigantic_row},     {"blocks_8", 4 * kBlock, stacked<blocks_part>},
};

/// Returns the number of rows of a matrix that exceeds any cache, whatever its types.
Index rows_of(const Kind& kind) {
  const Index bytes_of_row = kind.entries_per_row * (bytes_of(Number::f16) + 4);
  return bytes_of_case() / bytes_of_row + 1;
}

/// The types of a matrix and its vectors.
struct Types {
  Number number;
  Integer index;
};

template <class Visit>
void for_each_matrix(Visit visit) {
  for (const Kind& kind : kKinds) {
    for (const Number number : {Number::f16, Number::f32, Number::f64})
      visit(kind, Types{number, Integer::i32});
    // One matrix is enough for wider indices, which only add bytes to read.
    if (&kind == kKinds) visit(kind, Types{Number::f32, Integer::i64});
  }
}

std::string name_of(const Kind& kind, Types types) {
  return std::string(name(types.number)) + (types.index == Integer::i64 ? "_i64_" : "_") +
         kind.name;
}

struct Benchmark {
  const Kind* kind;
  const SpmvVariant* variant;
  Types types;
};

std::string name_of(const Benchmark& benchmark) {
  return std::string(benchmark.variant->name) + "_" + name_of(*benchmark.kind, benchmark.types);
}
void PrintTo(const Benchmark& benchmark, std::ostream* out) {
  *out << name_of(benchmark);
}

std::vector<Benchmark> benchmarks() {
  std::vector<Benchmark> all;
  for_each_matrix([&](const Kind& kind, Types types) {
    for (const SpmvVariant& variant : spmv_variants()) all.push_back({&kind, &variant, types});
  });
  return all;
}

/// A product in device memory.
class Data {
 public:
  Data(const Kind& kind, Types types)
      : matrix_(matrix_of(kind, rows_of(kind))),
        types_(types),
        x_(uniform(1, matrix_.columns, matrix_.columns, Entries::integers, 5).value),
        a_(matrix_, types.number, types.index),
        device_x_(stored(x_, types.number)),
        y_(unwritten(matrix_.rows, sum_of(types.number))) {}

  const Csr& matrix() const { return matrix_; }
  Spmv problem() const { return {a_.matrix, 1, device_x_.data(), 0, y_.data()}; }
  bool is_right() const {
    return numbers_in(y_.to_host(), sum_of(types_.number)) ==
           reference(matrix_, 1, x_, 0, {}, 0).value;
  }
  /// Returns the minimum traffic, with all of x read once, and the operations. Each square block of
  /// `block` rows has one index.
  perf::Work work(Index block = 1) const {
    const auto entries = static_cast<double>(matrix_.column.size());
    const auto rows = static_cast<double>(matrix_.rows);
    const auto columns = static_cast<double>(matrix_.columns);
    const int number_bytes = bytes_of(types_.number);
    const auto index_bytes = static_cast<double>(bytes_of(types_.index));
    const auto of_block = static_cast<double>(block);
    return {entries * (number_bytes + index_bytes / (of_block * of_block)) +
                rows * (bytes_of(sum_of(types_.number)) + index_bytes / of_block) +
                columns * number_bytes,
            2 * entries};
  }

 private:
  const Csr& matrix_;
  Types types_;
  std::vector<double> x_;
  CsrMemory a_;
  DeviceBytes device_x_;
  DeviceBytes y_;
};

class SpmvPerf : public ::testing::TestWithParam<Benchmark> {};
INSTANTIATE_TEST_SUITE_P(Variants, SpmvPerf, ::testing::ValuesIn(benchmarks()),
                         [](const auto& tested) { return name_of(tested.param); });

TEST_P(SpmvPerf, IsMeasured) {
  const auto& [kind, variant, types] = GetParam();
  const Data data(*kind, types);
  const Spmv problem = data.problem();
  const DeviceBuffer<char> workspace(variant->workspace_bytes(problem) + 16);
  const perf::Measurement timing = perf::time([&](cudaStream_t stream) {
    return variant->launch(problem, workspace.data(), workspace.size(), stream);
  });
  ASSERT_TRUE(data.is_right());
  perf::report("spmv." + name_of(GetParam()), timing, data.work(), {ceiling_of(types.number)});
  RowStatistics rows;
  ASSERT_EQ(measure_rows(problem.a, workspace.data(), workspace.size(), &rows, nullptr),
            cudaSuccess);
  if (choose(rows).variant == variant) {
    perf::report("spmv.chosen_" + name_of(*kind, types), timing, data.work(),
                 {ceiling_of(types.number)});
  }
}

struct PeerBenchmark {
  const Kind* kind;
  CusparseAlgorithm algorithm;
  Types types;
};

std::string name_of(const PeerBenchmark& benchmark) {
  return std::string(benchmark.algorithm.name) + "_" + name_of(*benchmark.kind, benchmark.types);
}
void PrintTo(const PeerBenchmark& benchmark, std::ostream* out) {
  *out << name_of(benchmark);
}

/// Reports whether an algorithm suits a matrix: BSR for a matrix of blocks, sliced ELL for rows of
/// about equal lengths. Other matrices would be padded to many times their size.
bool is_for(const CusparseAlgorithm& algorithm, const Kind& kind) {
  const std::string name = kind.name;
  if (algorithm.format == CusparseFormat::bsr) return name == "blocks_8";
  const bool has_long_rows = name == "power_law_16" || name == "one_gigantic_row";
  return algorithm.format != CusparseFormat::sliced_ell || !has_long_rows;
}

std::vector<PeerBenchmark> peer_benchmarks() {
  std::vector<PeerBenchmark> all;
  for_each_matrix([&](const Kind& kind, Types types) {
    for (const CusparseAlgorithm& algorithm : spmv_algorithms) {
      if (is_for(algorithm, kind)) all.push_back({&kind, algorithm, types});
    }
  });
  return all;
}

/// Slices of rows, each padded to its longest row.
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
    const bool is_valid = row < m.rows && begin(m, row) + i < end(m, row);
    const auto entry = is_valid ? static_cast<std::size_t>(begin(m, row) + i) : 0;
    column.push_back(is_valid ? m.column[entry] : -1);
    value.push_back(is_valid ? m.value[entry] : 0);
  }

  Numbers offsets = {0};
  Numbers column;
  std::vector<double> value;
};

class SpmvOfCusparse : public ::testing::TestWithParam<PeerBenchmark> {};
INSTANTIATE_TEST_SUITE_P(Peers, SpmvOfCusparse, ::testing::ValuesIn(peer_benchmarks()),
                         [](const auto& tested) { return name_of(tested.param); });

TEST_P(SpmvOfCusparse, IsMeasured) {
  const auto& [kind, algorithm, types] = GetParam();
  const auto [type, index_type] = types;
  const Data data(*kind, types);
  const Spmv p = data.problem();
  const bool is_coo = algorithm.format == CusparseFormat::coo;
  const DeviceNumbers rows = entry_rows(is_coo ? data.matrix() : Csr(), index_type);
  std::unique_ptr<BsrMemory> blocks;
  if (algorithm.format == CusparseFormat::bsr) {
    blocks = std::make_unique<BsrMemory>(bsr_of(data.matrix(), kBlock, kBlock), type, index_type);
  }
  const bool is_sliced = algorithm.format == CusparseFormat::sliced_ell;
  const SlicedEll slices(is_sliced ? data.matrix() : Csr());
  const DeviceNumbers slice_offsets(slices.offsets, index_type);
  const DeviceNumbers slice_column(slices.column, index_type);
  const DeviceBytes slice_value(stored(slices.value, type));
  const auto described = [&](const Cusparse& library) {
    if (blocks != nullptr) return library.bsr(blocks->matrix);
    if (is_sliced) {
      return library.sliced_ell(p.a, static_cast<Index>(slices.column.size()), SlicedEll::slice,
                                slice_offsets.data(), slice_column.data(), slice_value.data());
    }
    return is_coo ? library.coo(p.a, rows.data()) : library.csr(p.a, p.a.value, p.a.type);
  };
  const int number = algorithm.number;
  // Blocks have so few indices that a cache may hold the matrix.
  const bool is_small = blocks != nullptr;
  measure_cusparse(
      "spmv." + name_of(GetParam()),
      [&](const Cusparse& library) {
        library.require(GetParam().algorithm);
        return std::make_unique<Cusparse::Product>(
            library, "SpMV", p.alpha, described(library),
            library.vector(p.a.columns, p.x, p.a.type), p.beta,
            library.vector(p.a.rows, p.y, sum_of(p.a.type)), sum_of(p.a.type), number);
      },
      [&] { return data.is_right(); }, data.work(is_small ? kBlock : 1),
      is_small ? cold() : perf::Options());
}

}  // namespace
}  // namespace archgrid::sparse
