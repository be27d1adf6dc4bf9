// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "gemm/reference.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cmath>
#include <cstdint>

namespace archgrid::gemm {
namespace {

// --- how far a result can lie from the product ---------------------------------------------------
//
// S is the sum of the magnitudes of an element's K products.
//
// Sums in f32. A fused multiply-add rounds by at most 2^-24 of its result, so K of them by K *
// 2^-24 * S. Tensor cores add L products and what they have so far at once: each term is cut off at
// most 2^-F of the largest, which is at most S, and the sum at most 2^-23 of itself; K / L times,
// rounded up. With the L and F of the devices (docs/host.md has their sources):
//     f16, bf16   L = 8,  F = 24: (9 * 2^-24 + 2^-23) * K / 8   = 1.38 * 2^-24 * K
//                 L = 16, F = 25: (17 * 2^-25 + 2^-23) * K / 16 = 0.66 * 2^-24 * K
//     tf32        L = 4,  F = 24: (5 * 2^-24 + 2^-23) * K / 4   = 1.75 * 2^-24 * K
//                 L = 8,  F = 25: less
//     e4m3, e5m2  less than f16 where they are converted and on 12.x; on 8.9
//                 L = 16, F = 13, and 13 bits kept: 18 * 2^-13 * K / 16 = 1.13 * 2^-13 * K
// so that 2^-23 * (K + 32) * S holds for all but the last, and 1.25 * 2^-13 * (K + 32) * S for it;
// 32 are for what K lacks to a multiple of L. Each part of K lacks as much, and is added once: 32
// for each.
//
// tf32 cuts off less than 2^-10 of each element, 2^-9 + 2^-20 of a product.
//
// alpha * sum + (beta * c + bias) rounds three times more, each by 2^-24 of no more than the
// magnitudes together. The activations' slopes are at most 1.13, and they round by less than 16 *
// 2^-24 of what they are given (CUDA C++ Programming Guide: erff and expf err by 2 units in the
// last place). The result is rounded once more, to the output's type.

double unit_of_sum(const Problem& p, const Arithmetic& arithmetic) {
  if (p.input == Type::f64) return std::ldexp(1.0, -53);
  return arithmetic.keeps_13_bits ? 1.25 * std::ldexp(1.0, -13) : std::ldexp(1.0, -23);
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

double bound_of(const Problem& p, const Arithmetic& arithmetic, double alpha, double products,
                double scaled, double value) {
  if (p.input == Type::s8) return 0;
  const double unit = p.input == Type::f64 ? std::ldexp(1.0, -53) : std::ldexp(1.0, -24);
  const double of_sum = unit_of_sum(p, arithmetic) * (p.k + 32.0 * arithmetic.splits) * products;
  const double of_inputs =
      arithmetic.is_tf32 ? (std::ldexp(1.0, -9) + std::ldexp(1.0, -20)) * products : 0.0;
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

// alpha * sum + beta * c + bias in 32 bits that wrap around.
double wrapped_sum(const Problem& p, double sum, int batch, int row, int column, double bias) {
  const auto bits = [](double value) {
    return static_cast<std::uint32_t>(static_cast<std::int64_t>(value));
  };
  const double old = p.beta == 0 ? 0 : at(p.c, p.output, batch, row, column);
  return static_cast<std::int32_t>(bits(p.alpha) * bits(sum) + bits(p.beta) * bits(old) +
                                   bits(bias));
}

struct Sum {
  double value = 0;
  double magnitude = 0;
};

// The element's products are whole numbers of at most 2^14 for s8, so that their sum is exact.
Sum sum_of_products(const double* a, const double* b, int k) {
  Sum sum;
  for (int i = 0; i < k; ++i) {
    const double product = a[i] * b[i];
    sum.value += product;
    sum.magnitude += std::abs(product);
  }
  return sum;
}

bool multiplies(const Problem& p) {
  return p.k > 0 && reads_operands(p);
}

// Lines of K: rows of A, columns of B.
std::vector<double> lines_of(const Problem& p, bool is_a, int batch) {
  if (!multiplies(p)) return {};
  const int lines = is_a ? p.m : p.n;
  std::vector<double> elements;
  elements.reserve(static_cast<std::size_t>(lines) * static_cast<std::size_t>(p.k));
  for (int line = 0; line < lines; ++line) {
    for (int k = 0; k < p.k; ++k) {
      elements.push_back(is_a ? at(p.a, p.input, batch, line, k)
                              : at(p.b, p.input, batch, k, line));
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
    const std::vector<double> a = lines_of(p, true, batch);
    const std::vector<double> b = lines_of(p, false, batch);
    const int k = multiplies(p) ? p.k : 0;
    const double alpha = multiplies(p) ? p.alpha : 0;
    for (int row = 0; row < p.m; ++row) {
      for (int column = 0; column < p.n; ++column) {
        const Sum sum = sum_of_products(a.data() + static_cast<std::ptrdiff_t>(row) * k,
                                        b.data() + static_cast<std::ptrdiff_t>(column) * k, k);
        const double old = p.beta == 0 ? 0 : p.beta * at(p.c, p.output, batch, row, column);
        const double bias = p.bias == nullptr ? 0 : element(p.bias, p.output, column);
        double value = p.output == Type::s32 ? wrapped_sum(p, sum.value, batch, row, column, bias)
                                             : alpha * sum.value + old + bias;
        value = activated(value, p.activation);
        const double scaled = std::abs(alpha) * sum.magnitude + std::abs(old) + std::abs(bias);
        result.value.push_back(value);
        result.bound.push_back(bound_of(p, arithmetic, alpha, sum.magnitude, scaled, value));
      }
    }
  }
  return result;
}

}  // namespace archgrid::gemm
