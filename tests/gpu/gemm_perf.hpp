// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Large products of dense matrices for benchmarks.
#ifndef ARCHGRID_TESTS_GPU_GEMM_PERF_HPP
#define ARCHGRID_TESTS_GPU_GEMM_PERF_HPP

#include <algorithm>
#include <archgrid/perf.hpp>
#include <vector>

#include "gemm_cases.hpp"

namespace archgrid::gemm {

/// The extents of a product. In a model: tokens x output features x input features.
struct Size {
  const char* name;
  int m, n, k;
};

/// Returns random numbers that repeat after a period: rounding all of them would take minutes.
inline std::vector<unsigned char> random_elements(Type type, std::size_t count,
                                                  std::uint32_t seed) {
  constexpr std::size_t period = 1000003;
  const std::size_t bytes = static_cast<std::size_t>(bytes_of(type));
  std::vector<unsigned char> elements(count * bytes);
  Generator generator(seed);
  // Integers for types of 8 bits: their sums are exact on every device.
  const Values values = bytes_of(type) == 1 ? Values::integers : Values::reals;
  for (std::size_t i = 0; i < std::min(count, period); ++i) {
    put(generator.next(values), type, elements.data() + i * bytes);
  }
  for (std::size_t i = period * bytes; i < elements.size(); ++i)
    elements[i] = elements[i - period * bytes];
  return elements;
}

struct Data {
  Data(const Variant& variant, const Size& size)
      : output(output_of(variant.input, false)),
        a(random_elements(variant.input, area(size.m, size.k), 1)),
        b(random_elements(variant.input, area(size.k, size.n), 2)),
        c(area(size.m, size.n) * static_cast<std::size_t>(bytes_of(output))) {}

  static std::size_t area(int rows, int columns) {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  }

  Type output;
  std::vector<unsigned char> a, b, c;
};

/// Returns a problem with A row-major, B column-major like the weights of a layer, and C row-major.
inline Problem problem(const Variant& variant, const Size& size, const void* a, const void* b,
                       void* c) {
  Problem p;
  p.m = size.m;
  p.n = size.n;
  p.k = size.k;
  p.input = variant.input;
  p.output = output_of(variant.input, false);
  p.allow_tf32 = variant.is_tf32;
  p.a = {a, Layout::row, size.k};
  p.b = {b, Layout::column, size.k};
  p.c = {c, Layout::row, size.n};
  return p;
}

/// Checks some rows of C. A reference of all rows would take too long.
inline ::testing::AssertionResult has_right_rows(const Variant& variant, int splits,
                                                 const Size& size, Data& data) {
  for (const int row : {0, size.m / 2, size.m - 1}) {
    Size one = size;
    one.m = 1;
    // Check only the first 512 columns.
    one.n = std::min(size.n, 512);
    const std::size_t element_bytes = static_cast<std::size_t>(bytes_of(variant.input));
    const Problem p = problem(variant, one, data.a.data() + Data::area(row, size.k) * element_bytes,
                              data.b.data(), nullptr);
    const Reference expected = reference(p, arithmetic_of(variant, splits));
    for (int column = 0; column < one.n; ++column) {
      const auto index = static_cast<std::size_t>(column);
      const double got =
          element(data.c.data(), data.output, static_cast<long long>(row) * size.n + column);
      if (!(std::abs(got - expected.value[index]) <= expected.bound[index])) {
        return ::testing::AssertionFailure()
               << "row " << row << " column " << column << " is " << got << ", not "
               << expected.value[index] << " within " << expected.bound[index];
      }
    }
  }
  return ::testing::AssertionSuccess();
}

inline perf::Work work_of(const Variant& variant, const Size& size) {
  const double input = bytes_of(variant.input);
  const double output = bytes_of(output_of(variant.input, false));
  return {input * (1.0 * size.m * size.k + 1.0 * size.k * size.n) + output * size.m * size.n,
          2.0 * size.m * size.n * size.k};
}

}  // namespace archgrid::gemm

#endif
