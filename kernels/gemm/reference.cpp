// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "gemm/reference.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace archgrid::gemm {
namespace {

// --- the error bound -----------------------------------------------------------------------------
//
// S is the sum of the magnitudes of an element's K products.
//
// Sums in f32. A fused multiply-add rounds by at most 2^-24 of its result, so K of them by K *
// 2^-24 * S. Tensor cores add L products and the previous sum at once. Each term loses at most 2^-F
// of the largest term, which is at most S, and the sum loses at most 2^-23 of itself. This happens
// K / L times, rounded up. With the L and F of the devices (docs/cpu-emulator.md has their
// sources):
//     f16, bf16   L = 8,  F = 24: (9 * 2^-24 + 2^-23) * K / 8   = 1.38 * 2^-24 * K
//                 L = 16, F = 25: (17 * 2^-25 + 2^-23) * K / 16 = 0.66 * 2^-24 * K
//     tf32        L = 4,  F = 24: (5 * 2^-24 + 2^-23) * K / 4   = 1.75 * 2^-24 * K
//                 L = 8,  F = 25: less
//     e4m3, e5m2  less than f16 where they are converted and on 12.x
// All of them are below 2^-23 * (K + 32) * S. The 32 covers rounding K up to a multiple of L. If K
// is split, each part is rounded up and added once, so 32 counts once per part.
//
// e4m3 and e5m2 on 8.9 have L = 16, F = 13, and keep 13 bits of the fraction. The formula above
// gives 18 * 2^-13 * K / 16 * S. With K = 2000 that is 0.27 * S, more than most sums, so a result
// of zero would pass. Instead, cut_off_of_sum() adds up the maximum loss of each block of 16
// products. T bounds the magnitude of the sum before a block: the exact sum, plus the loss so far.
// e is the exponent of T or of the largest product, whichever is larger. Aligned to u = 2^(e - 13),
//     a product   loses nothing if it is a multiple of u, otherwise less than u and than itself;
//     the sum     has 13 bits, and loses less than 2^-13 of the largest product's power of two;
//     the result  loses less than 2^-13 of the power of two of T after the block.
// If the sum is smaller than T, products are aligned to less, and lose less. Each part of a split K
// starts at zero, at an unknown position. T then contains the largest difference between two exact
// sums instead of the exact sum.
//
// tf32 loses less than 2^-10 of each element, and 2^-9 + 2^-20 of a product.
//
// alpha * sum + (beta * c + bias) rounds three more times, each by at most 2^-24 of the sum of the
// magnitudes. The slope of an activation is at most 1.13, and its rounding error less than 16 *
// 2^-24 of its argument (CUDA C++ Programming Guide: erff and expf err by 2 units in the last
// place). Finally, the result is rounded to the output's type.

double unit_of_sum(const Problem& p) {
  return std::ldexp(1.0, p.input == Type::f64 ? -53 : -23);
}

double rounding_to(Type output, double magnitude) {
  switch (output) {
    case Type::f64:
      return std::ldexp(magnitude, -53);
    case Type::f16:
      return std::ldexp(magnitude, -11) + std::ldexp(1.0, -25);
    case Type::bf16:
      return std::ldexp(magnitude, -8);
    case Type::s32:
      return 0;
    default:
      return std::ldexp(magnitude, -24) + std::ldexp(1.0, -150);
  }
}

struct Sum {
  double value = 0;
  double magnitude = 0;
  double cut_off = 0;  // maximum loss of 8-bit numbers on devices 8.9
};

double bound_of(const Problem& p, const Arithmetic& arithmetic, double alpha, const Sum& sum,
                double scaled, double value) {
  if (p.input == Type::s8) return 0;
  const double unit = p.input == Type::f64 ? std::ldexp(1.0, -53) : std::ldexp(1.0, -24);
  const double of_sum =
      unit_of_sum(p) * (p.k + 32.0 * arithmetic.splits) * sum.magnitude + sum.cut_off;
  const double of_inputs =
      arithmetic.is_tf32 ? (std::ldexp(1.0, -9) + std::ldexp(1.0, -20)) * sum.magnitude : 0.0;
  const double before = std::abs(alpha) * (of_sum + of_inputs) + 4 * unit * scaled;
  const bool is_curved = p.activation == Activation::gelu || p.activation == Activation::silu;
  const double after = is_curved ? 1.13 * before + 16 * unit * scaled : before;
  return after + rounding_to(p.output, std::abs(value) + after);
}

// --- the product ---------------------------------------------------------------------------------

double activated(double x, Activation activation) {
  switch (activation) {
    case Activation::relu:
      return x < 0 ? 0 : x;
    case Activation::gelu:
      return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0)));
    case Activation::silu:
      return x / (1 + std::exp(-x));
    default:
      return x;
  }
}

template <class Pointer>
double at(const Matrix<Pointer>& matrix, Type type, int batch, int row, int column) {
  const bool is_row_major = matrix.layout == Layout::row;
  const long long across = is_row_major ? row : column;
  const long long along = is_row_major ? column : row;
  return element(matrix.data, type, batch * matrix.batch_stride + across * matrix.leading + along);
}

// Returns alpha * sum + beta * c + bias in 32 bits with wrap-around.
double wrapped_sum(const Problem& p, double sum, int batch, int row, int column, double bias) {
  const auto bits = [](double value) {
    return static_cast<std::uint32_t>(static_cast<std::int64_t>(value));
  };
  const double old = p.beta == 0 ? 0 : at(p.c, p.output, batch, row, column);
  return static_cast<std::int32_t>(bits(p.alpha) * bits(sum) + bits(p.beta) * bits(old) +
                                   bits(bias));
}

// Returns the sum of an element's products. It is exact for s8, whose products are integers of at
// most 2^14.
Sum sum_of_products(const double* a, const double* b, int k) {
  Sum sum;
  for (int i = 0; i < k; ++i) {
    const double product = a[i] * b[i];
    sum.value += product;
    sum.magnitude += std::abs(product);
  }
  return sum;
}

// Returns the exponent that a tensor core uses for a nonzero number. Subnormal numbers have the
// exponent of the smallest normal number.
int exponent_of(double value, Type type) {
  return std::max(std::ilogb(value), type == Type::e4m3 ? -6 : -14);
}

// Returns an upper bound of what products of 8-bit numbers and their sums lose on 8.9, as derived
// above.
double cut_off_of_sum(const double* a, const double* b, int k, Type type, bool is_in_parts) {
  constexpr int block = 16;
  constexpr int kept = 13;
  double sum = 0;
  double lowest = 0;  // lowest and highest exact sum so far, at which a part may have begun
  double highest = 0;
  double cut_off = 0;
  const auto sum_at_most = [&] { return std::max(sum - lowest, highest - sum) + cut_off; };
  for (int first = 0; first < k; first += block) {
    const int last = std::min(k, first + block);
    int of_products = std::numeric_limits<int>::min();
    for (int i = first; i < last; ++i) {
      if (a[i] * b[i] == 0) continue;
      of_products = std::max(of_products, exponent_of(a[i], type) + exponent_of(b[i], type));
    }
    if (of_products == std::numeric_limits<int>::min()) continue;
    const double before = sum_at_most();
    const int exponent = before > 0 ? std::max(of_products, std::ilogb(before)) : of_products;
    const double unit = std::ldexp(1.0, exponent - kept);
    if (before > 0) cut_off += std::ldexp(1.0, of_products - kept);
    for (int i = first; i < last; ++i) {
      const double product = a[i] * b[i];
      if (std::fmod(product, unit) != 0) cut_off += std::min(std::abs(product), unit);
      sum += product;
    }
    const double after = sum_at_most();
    if (after > 0) cut_off += std::ldexp(1.0, std::ilogb(after) - kept);
    if (!is_in_parts) continue;
    lowest = std::min(lowest, sum);
    highest = std::max(highest, sum);
  }
  return cut_off;
}

bool multiplies(const Problem& p) {
  return p.k > 0 && reads_operands(p);
}

// Returns the rows of A or the columns of B, one after another.
std::vector<double> k_vectors_of(const Problem& p, bool is_a, int batch) {
  if (!multiplies(p)) return {};
  const int extent_mn = is_a ? p.m : p.n;
  std::vector<double> elements;
  elements.reserve(static_cast<std::size_t>(extent_mn) * static_cast<std::size_t>(p.k));
  for (int mn = 0; mn < extent_mn; ++mn) {
    for (int k = 0; k < p.k; ++k) {
      elements.push_back(is_a ? at(p.a, p.input, batch, mn, k) : at(p.b, p.input, batch, k, mn));
    }
  }
  return elements;
}

}  // namespace

double element(const void* data, Type type, long long index) {
  switch (type) {
    case Type::f32:
      return static_cast<const float*>(data)[index];
    case Type::f64:
      return static_cast<const double*>(data)[index];
    case Type::f16:
      return __half2float(static_cast<const __half*>(data)[index]);
    case Type::bf16:
      return __bfloat162float(static_cast<const __nv_bfloat16*>(data)[index]);
    case Type::e4m3:
      return static_cast<float>(static_cast<const __nv_fp8_e4m3*>(data)[index]);
    case Type::e5m2:
      return static_cast<float>(static_cast<const __nv_fp8_e5m2*>(data)[index]);
    case Type::s8:
      return static_cast<const std::int8_t*>(data)[index];
    case Type::s32:
      return static_cast<const std::int32_t*>(data)[index];
  }
  return 0;
}

Reference reference(const Problem& p, const Arithmetic& arithmetic) {
  Reference result;
  for (int batch = 0; batch < p.batches; ++batch) {
    const std::vector<double> a = k_vectors_of(p, true, batch);
    const std::vector<double> b = k_vectors_of(p, false, batch);
    const int k = multiplies(p) ? p.k : 0;
    const double alpha = multiplies(p) ? p.alpha : 0;
    for (int row = 0; row < p.m; ++row) {
      for (int column = 0; column < p.n; ++column) {
        const double* const of_a = a.data() + static_cast<std::ptrdiff_t>(row) * k;
        const double* const of_b = b.data() + static_cast<std::ptrdiff_t>(column) * k;
        Sum sum = sum_of_products(of_a, of_b, k);
        if (arithmetic.keeps_13_bits) {
          sum.cut_off = cut_off_of_sum(of_a, of_b, k, p.input, arithmetic.splits > 1);
        }
        const double old = p.beta == 0 ? 0 : p.beta * at(p.c, p.output, batch, row, column);
        const double bias = p.bias == nullptr ? 0 : element(p.bias, p.output, column);
        double value = p.output == Type::s32 ? wrapped_sum(p, sum.value, batch, row, column, bias)
                                             : alpha * sum.value + old + bias;
        value = activated(value, p.activation);
        const double scaled = std::abs(alpha) * sum.magnitude + std::abs(old) + std::abs(bias);
        result.value.push_back(value);
        result.bound.push_back(bound_of(p, arithmetic, alpha, sum, scaled, value));
      }
    }
  }
  return result;
}

}  // namespace archgrid::gemm
