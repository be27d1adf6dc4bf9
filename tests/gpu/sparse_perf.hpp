// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Shared parts of the benchmarks of sparse products: large matrices, and cuSPARSE as a peer. Each
// test checks the result of the timed work before it reports the time: a launch that computes
// nothing would be the fastest. No test judges a time.
#ifndef ARCHGRID_TESTS_GPU_SPARSE_PERF_HPP
#define ARCHGRID_TESTS_GPU_SPARSE_PERF_HPP

#include <algorithm>
#include <archgrid/gtest.hpp>
#include <archgrid/perf.hpp>
#include <archgrid/perf/arithmetic.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cache_perf.hpp"
#include "cusparse.hpp"
#include "spmv_cases.hpp"

namespace archgrid::sparse {

/// A generator of matrices with at least `rows` rows, of `entries_per_row` entries in the mean.
struct Kind {
  const char* name;
  Index entries_per_row;
  Csr (*generate)(Index rows);
};

/// Returns a matrix. Keeps it for consecutive tests, because large ones take long to generate.
inline const Csr& matrix_of(const Kind& kind, Index rows) {
  static std::pair<const Kind*, Index> made;
  static Csr matrix;
  const std::pair<const Kind*, Index> wanted(&kind, rows);
  if (made != wanted) {
    matrix = kind.generate(rows);
    made = wanted;
  }
  return matrix;
}

/// Returns copies of a matrix below each other, with at least `rows` rows. The host generates
/// different parts slowly, and copies are no faster for a cache.
inline Csr stacked(const Csr& part, Index rows) {
  Csr all{0, part.columns, {0}, {}, {}};
  while (all.rows < rows) {
    const Index before = all.offsets.back();
    for (std::size_t row = 1; row < part.offsets.size(); ++row)
      all.offsets.push_back(before + part.offsets[row]);
    all.column.insert(all.column.end(), part.column.begin(), part.column.end());
    all.value.insert(all.value.end(), part.value.begin(), part.value.end());
    all.rows += part.rows;
  }
  return all;
}

/// Returns a matrix with a row of 2^18 entries, or of all, among rows of four.
inline Csr one_gigantic_row(Index rows) {
  std::vector<Index> lengths(static_cast<std::size_t>(rows), 4);
  lengths[lengths.size() / 2] = std::min<Index>(1 << 18, rows);
  return with_row_lengths(lengths, rows, Entries::integers, 6);
}

/// Returns the bytes of a result of that many elements, which are all NaN.
inline std::vector<unsigned char> unwritten(Index elements, Number type) {
  return std::vector<unsigned char>(
      static_cast<std::size_t>(elements) * static_cast<std::size_t>(bytes_of(type)), 0xff);
}

inline perf::Ceiling ceiling_of(Number type) {
  return type == Number::f64 ? perf::fp64_ceiling() : perf::fp32_ceiling();
}

using CusparseProduct = std::unique_ptr<Cusparse::Product>;

/// Times the product that make(library) returns. Reports the time if is_right() accepts the result.
/// Skips the test if there is no cuSPARSE, or if it does not support the product.
template <class Make, class IsRight>
void measure_cusparse(const std::string& name, Make make, IsRight is_right, const perf::Work& work,
                      const perf::Options& options = {}) {
  launches_no_kernel();  // of this program
  std::string reason;
  const Cusparse* const library = find_cusparse(&reason);
  if (library == nullptr) GTEST_SKIP() << reason;
  ::testing::Test::RecordProperty("cusparse", library->version());
  const auto with_version = [&](const std::string& text) {
    return "cuSPARSE " + std::to_string(library->version()) + ": " + text;
  };
  CusparseProduct product;
  // The stream of the last timing no longer exists.
  library->go_to(nullptr);
  try {
    product = make(*library);
  } catch (const NotSupported& error) {
    GTEST_SKIP() << with_version(error.what());
  }
  const int status = product->run(nullptr);
  if (status == Cusparse::not_supported) GTEST_SKIP() << with_version("does not compute this");
  ASSERT_EQ(status, 0) << with_version("cannot compute this");
  const perf::Measurement timing = perf::time(
      [&](cudaStream_t stream) {
        return product->run(stream) == 0 ? cudaSuccess : cudaErrorUnknown;
      },
      options);
  ASSERT_TRUE(is_right());
  perf::report("cusparse." + name, timing, work);
}

/// Returns the rows of entries, for COO.
inline DeviceNumbers entry_rows(const Csr& matrix, Integer type) {
  return DeviceNumbers(coo_of(matrix).row, type);
}

}  // namespace archgrid::sparse

#endif
