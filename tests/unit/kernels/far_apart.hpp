// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Dense matrices with rows so far apart that an element's offset does not fit 32 bits. An offset
// truncated to 32 bits, signed or not, then points at no element.
#ifndef ARCHGRID_TESTS_UNIT_KERNELS_FAR_APART_HPP
#define ARCHGRID_TESTS_UNIT_KERNELS_FAR_APART_HPP

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include "../../gpu/gemm_cases.hpp"

namespace archgrid::far_apart {

using gemm::Layout;
using gemm::Type;

/// Distance between rows, in elements. Not a multiple of 2^32: truncated offsets fall between the
/// first row and the second, not on the first, as long as there are fewer than 4096 rows.
constexpr long long kApart = (1ll << 32) + (1ll << 20);

/// Address space in which only touched pages, initially zero, take memory. Throws if there is none,
/// so that a test that cannot run fails.
class Memory {
 public:
  explicit Memory(long long bytes) : size_(static_cast<std::size_t>(bytes)) {
    data_ = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (data_ == MAP_FAILED)
      throw std::system_error(errno, std::generic_category(), "no address space");
    // A huge page per row would take too much memory, and a core dump too much space.
    ::madvise(data_, size_, MADV_NOHUGEPAGE);
    ::madvise(data_, size_, MADV_DONTDUMP);
  }
  Memory(Memory&& other) noexcept
      : size_(other.size_), data_(std::exchange(other.data_, nullptr)) {}
  Memory& operator=(Memory&&) = delete;
  ~Memory() {
    if (data_ != nullptr) ::munmap(data_, size_);
  }

  unsigned char* data() const { return static_cast<unsigned char*>(data_); }

 private:
  std::size_t size_;
  void* data_ = nullptr;
};

/// The rows or columns that a test touches.
using Places = std::vector<long long>;

inline Places side_by_side(int count, long long first = 0) {
  Places places(static_cast<std::size_t>(count));
  std::iota(places.begin(), places.end(), first);
  return places;
}
inline Places each_apart(int count, long long apart) {
  Places places = side_by_side(count);
  for (long long& place : places) place *= apart;
  return places;
}

/// Returns a small whole number: never zero, and exact in every type.
inline double number(int seed, int batch, int row, int column) {
  std::uint64_t bits = static_cast<std::uint64_t>(seed);
  for (const int part : {batch, row, column}) {
    bits = (bits + static_cast<std::uint64_t>(part)) * 0x9e3779b97f4a7c15u;
    bits ^= bits >> 29;
  }
  return static_cast<double>(bits % 4) + 1;
}

/// Some rows and columns of a matrix, or of a batch of matrices. The memory beside an element is
/// NaN, if the type has NaN.
class Matrix {
 public:
  /// Distances between rows, columns and matrices, in elements.
  struct Steps {
    long long row = 0;
    long long column = 0;
    long long batch = 0;
    int batches = 1;
    bool is_aligned = true;  ///< to 16 bytes
  };

  Matrix(Type type, Places rows, Places columns, const Steps& steps)
      : type_(type),
        rows_(std::move(rows)),
        columns_(std::move(columns)),
        steps_(steps),
        memory_(margin +
                (offset(steps.batches - 1, row_count() - 1, column_count() - 1) + 1) *
                    bytes_of(type) +
                margin),
        data_(memory_.data() + margin + (steps.is_aligned ? 0 : bytes_of(type))) {
    for_each([&](int batch, int row, int column) {
      std::memset(at(batch, row, column) - 64, 0xff, 64 + 64);
    });
  }

  /// Returns a matrix with consecutive rows and columns, which lie kApart apart.
  static Matrix of_lines(Type type, Layout layout, int rows, int columns, bool is_aligned = true,
                         int batches = 1) {
    const long long leading = kApart + (is_aligned ? 0 : 1);
    const bool is_row_major = layout == Layout::row;
    const int outer = is_row_major ? rows : columns;
    Steps steps;
    steps.row = is_row_major ? leading : 1;
    steps.column = is_row_major ? 1 : leading;
    steps.batch = outer * leading + kApart;
    steps.batches = batches;
    steps.is_aligned = is_aligned;
    return {type, side_by_side(rows), side_by_side(columns), steps};
  }

  void* data() const { return data_; }
  long long leading() const { return std::max(steps_.row, steps_.column); }
  long long batch_stride() const { return steps_.batch; }
  int row_count() const { return static_cast<int>(rows_.size()); }
  int column_count() const { return static_cast<int>(columns_.size()); }

  void fill(int seed) {
    for_each([&](int batch, int row, int column) {
      put(number(seed, batch, row, column), batch, row, column);
    });
  }
  void put(double value, int batch, int row, int column) {
    gemm::put(value, type_, at(batch, row, column));
  }
  double value(int batch, int row, int column) const {
    return gemm::element(at(batch, row, column), type_, 0);
  }

  template <class Visit>
  void for_each(Visit visit) const {
    for (int batch = 0; batch < steps_.batches; ++batch) {
      for (int row = 0; row < row_count(); ++row) {
        for (int column = 0; column < column_count(); ++column) visit(batch, row, column);
      }
    }
  }

 private:
  static constexpr long long margin = 4096;

  long long offset(int batch, int row, int column) const {
    return batch * steps_.batch + rows_[static_cast<std::size_t>(row)] * steps_.row +
           columns_[static_cast<std::size_t>(column)] * steps_.column;
  }
  unsigned char* at(int batch, int row, int column) const {
    return data_ + offset(batch, row, column) * bytes_of(type_);
  }

  Type type_;
  Places rows_;
  Places columns_;
  Steps steps_;
  Memory memory_;
  unsigned char* data_;
};

/// Compares each element with expected(batch, row, column), rounded to the matrix's type.
template <class Expected>
::testing::AssertionResult matches(const Matrix& matrix, Type type, Expected expected) {
  ::testing::AssertionResult result = ::testing::AssertionSuccess();
  std::set<double> values;
  matrix.for_each([&](int batch, int row, int column) {
    const double want = gemm::rounded(expected(batch, row, column), type);
    const double got = matrix.value(batch, row, column);
    values.insert(want);
    if (!result || got == want) return;
    result = ::testing::AssertionFailure() << "batch " << batch << " row " << row << " column "
                                           << column << " is " << got << ", not " << want;
  });
  // Otherwise one element could stand in for another.
  if (values.size() < 5) return ::testing::AssertionFailure() << "what is expected is all alike";
  return result;
}

}  // namespace archgrid::far_apart

#endif
