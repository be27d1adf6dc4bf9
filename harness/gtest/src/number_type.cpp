// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <archgrid/gtest/number_type.hpp>
#include <cmath>

namespace archgrid {
namespace {

int bias_of(const FloatFormat& format) {
  return (1 << (format.exponent_bits - 1)) - 1;
}

/// Returns the bits of infinity or, for a format without it, of its only NaN: all bits but the
/// sign.
std::int64_t infinity_of(const FloatFormat& format) {
  const std::int64_t exponents = (std::int64_t{1} << format.exponent_bits) - 1;
  const std::int64_t fractions = (std::int64_t{1} << format.fraction_bits) - 1;
  return (exponents << format.fraction_bits) + (format.has_infinity ? 0 : fractions);
}

std::int64_t nan_of(const FloatFormat& format) {
  return (std::int64_t{1} << (format.exponent_bits + format.fraction_bits)) - 1;
}

/// Returns the bits of a positive number, which may be too large for the format.
std::int64_t rounded(double magnitude, const FloatFormat& format) {
  const int least = 1 - bias_of(format);
  const int exponent = std::max(magnitude > 0 ? std::ilogb(magnitude) : least, least);
  const double digits = std::nearbyint(std::ldexp(magnitude, format.fraction_bits - exponent));
  // The leading digit of a normal number, and a carry, increment the exponent.
  return ((exponent - least) * (std::int64_t{1} << format.fraction_bits)) +
         static_cast<std::int64_t>(digits);
}

}  // namespace

double decode(std::uint32_t bits, const FloatFormat& format) {
  const std::int64_t magnitude = bits & nan_of(format);
  const double sign = (bits >> (format.exponent_bits + format.fraction_bits)) & 1 ? -1.0 : 1.0;
  const std::int64_t infinity = infinity_of(format);
  if (magnitude >= infinity) {
    return magnitude == infinity && format.has_infinity ? sign * HUGE_VAL : std::nan("");
  }
  const std::int64_t one = std::int64_t{1} << format.fraction_bits;
  const auto exponent = static_cast<int>(magnitude / one);
  const std::int64_t digits = magnitude % one + (exponent == 0 ? 0 : one);
  const int scale = std::max(exponent, 1) - bias_of(format) - format.fraction_bits;
  return sign * std::ldexp(static_cast<double>(digits), scale);
}

std::uint32_t encode(double value, const FloatFormat& format) {
  const std::int64_t sign =
      std::signbit(value) ? std::int64_t{1} << (format.exponent_bits + format.fraction_bits) : 0;
  if (std::isnan(value)) return static_cast<std::uint32_t>(nan_of(format));
  const std::int64_t infinity = infinity_of(format);
  const std::int64_t too_large = format.saturates ? infinity - 1 : infinity;
  const std::int64_t magnitude = std::isinf(value) ? infinity : rounded(std::abs(value), format);
  return static_cast<std::uint32_t>(sign + (magnitude >= infinity ? too_large : magnitude));
}

}  // namespace archgrid
