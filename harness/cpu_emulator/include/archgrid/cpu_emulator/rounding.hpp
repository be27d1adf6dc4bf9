// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CPU_EMULATOR_ROUNDING_HPP
#define ARCHGRID_CPU_EMULATOR_ROUNDING_HPP

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

/// Rounding to the small formats of CUDA: half (5 bits of exponent, 10 of mantissa), bfloat16 (8,
/// 7), e4m3 (4, 3) and e5m2 (5, 2). A code is the bits of such a number; its magnitude is the code
/// without the sign.
///
/// Everything is computed in double and then rounded to the format. The result is that of a single
/// rounding, because
/// - a sum, difference, product or quotient of two numbers of p bits may first be rounded to q bits
///   if q >= 2p + 2 (Figueroa, 1995): an exact result that is not a tie of p bits is far enough
///   from one for q bits to distinguish them. For p = 11 or 8 even float's q = 24 would suffice for
///   normal results; double's q = 53 suffices, and its exponents are small enough that subnormal
///   results need no special case;
/// - fused multiply-add is different: its exact result may be arbitrarily close to a tie. There the
///   product is exact in double, and sum_to_odd() adds so that ties neither appear nor vanish.
///
/// All of this requires IEEE 754 arithmetic: no -ffast-math.
namespace archgrid::cpu_emulator {

/// Returns the same bits as another type, like std::bit_cast of C++20.
template <class To, class From>
inline To bits_as(const From& from) noexcept {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

/// The choice between the two codes around a magnitude.
enum class Rounding { nearest_even, to_zero, from_zero };

/// The rounding of the magnitude that rounds `value` towards +infinity, or towards -infinity.
inline Rounding upwards(double value) noexcept {
  return std::signbit(value) ? Rounding::to_zero : Rounding::from_zero;
}
inline Rounding downwards(double value) noexcept {
  return std::signbit(value) ? Rounding::from_zero : Rounding::to_zero;
}

/// Returns the magnitude of `value`, which must not be NaN, rounded to a format with unlimited
/// exponents. The caller handles results above the format's largest number, as formats with and
/// without infinities differ there. Infinity is rounded to such a result, too.
template <int exponent_bits, int mantissa_bits>
inline std::uint32_t rounded_magnitude(double value,
                                       Rounding rounding = Rounding::nearest_even) noexcept {
  static_assert(exponent_bits <= 8 && mantissa_bits <= 10, "subnormal doubles have to be below it");
  constexpr int bias = (1 << (exponent_bits - 1)) - 1;
  constexpr std::uint64_t implicit_bit = std::uint64_t{1} << 52;
  const std::uint64_t bits = bits_as<std::uint64_t>(std::fabs(value));
  const int exponent = static_cast<int>(bits >> 52) - 1023 + bias;
  // Exponent and mantissa are one integer, so that a mantissa overflow carries into the exponent.
  std::uint64_t exact = bits - (static_cast<std::uint64_t>(1023 - bias) << 52);
  int dropped = 52 - mantissa_bits;
  if (exponent < 1) {
    exact = (bits & (implicit_bit - 1)) | implicit_bit;
    dropped += 1 - exponent;
    if (dropped > 54) {  // below a quarter of the smallest number; shifts end at 63
      return bits != 0 && rounding == Rounding::from_zero ? 1 : 0;
    }
  }
  const std::uint64_t below = exact >> dropped;
  const std::uint64_t rest = exact & ((std::uint64_t{1} << dropped) - 1);
  const std::uint64_t tie = std::uint64_t{1} << (dropped - 1);
  const bool up = rounding == Rounding::nearest_even ? rest > tie || (rest == tie && below % 2 == 1)
                                                     : rounding == Rounding::from_zero && rest != 0;
  return static_cast<std::uint32_t>(below + (up ? 1 : 0));
}

/// Returns the number of a magnitude. Codes of infinity and NaN count as numbers here.
template <int exponent_bits, int mantissa_bits>
inline double value_of_magnitude(std::uint32_t magnitude) noexcept {
  constexpr std::uint64_t rebias = 1023 - ((std::uint64_t{1} << (exponent_bits - 1)) - 1);
  if (magnitude >> mantissa_bits == 0) {
    const auto smallest = bits_as<double>((rebias + 1 - mantissa_bits) << 52);
    return smallest * magnitude;
  }
  return bits_as<double>((std::uint64_t{magnitude} << (52 - mantissa_bits)) + (rebias << 52));
}

/// A 16-bit format, half or bfloat16: like those of IEEE 754, except that all NaN results are one
/// code.
template <int exponent_bits, int mantissa_bits>
struct SixteenBits {
  static_assert(1 + exponent_bits + mantissa_bits == 16);
  static constexpr std::uint16_t sign_bit = 0x8000;
  static constexpr std::uint16_t infinity = ((1 << exponent_bits) - 1) << mantissa_bits;
  static constexpr std::uint16_t nan = 0x7fff;

  static bool is_nan(std::uint16_t code) noexcept { return (code & 0x7fff) > infinity; }

  static std::uint16_t code_of(double value, Rounding rounding = Rounding::nearest_even) noexcept {
    if (std::isnan(value)) {
      return nan;
    }
    const auto magnitude = rounded_magnitude<exponent_bits, mantissa_bits>(value, rounding);
    const bool stays_finite = rounding == Rounding::to_zero && !std::isinf(value);
    const std::uint32_t largest = stays_finite ? infinity - 1U : infinity;
    const std::uint32_t sign = std::signbit(value) ? sign_bit : 0;
    return static_cast<std::uint16_t>(sign | (magnitude < largest ? magnitude : largest));
  }

  static double value_of(std::uint16_t code) noexcept {
    const std::uint32_t magnitude = code & 0x7fffU;
    if (is_nan(code)) {
      return std::numeric_limits<double>::quiet_NaN();
    }
    const double value = magnitude == infinity
                             ? std::numeric_limits<double>::infinity()
                             : value_of_magnitude<exponent_bits, mantissa_bits>(magnitude);
    return (code & sign_bit) != 0 ? -value : value;
  }
};

/// Returns a + b rounded to odd: the exact sum, or the one of the two doubles around it whose last
/// bit is 1. Rounded again, to at most 51 bits, it gives the same as the exact sum: it is a tie of
/// the shorter format only if the exact sum is.
inline double sum_to_odd(double a, double b) noexcept {
  const double sum = a + b;
  // Knuth's TwoSum: the exact rounding error of the addition; NaN if the sum is not finite.
  const double part_of_b = sum - a;
  const double lost = (a - (sum - part_of_b)) + (b - part_of_b);
  const auto bits = bits_as<std::uint64_t>(sum);
  if (!(lost < 0 || lost > 0) || bits % 2 == 1) {
    return sum;
  }
  return bits_as<double>((lost > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

/// Returns an integer as a double, rounded to odd if it has more bits than a double.
template <class Integer>
inline double value_of_integer(Integer integer) noexcept {
  static_assert(std::numeric_limits<Integer>::is_integer);
  if constexpr (sizeof(Integer) < 8) {
    return integer;
  } else {
    const auto low = static_cast<std::uint32_t>(integer);
    return sum_to_odd(static_cast<double>(integer - static_cast<Integer>(low)), low);
  }
}

/// Returns the integer to which the device converts an integral `value`: the nearest of the type.
/// NaN becomes 0, or 2^63 in 64 bits.
template <class Integer>
inline Integer integer_of(double value) noexcept {
  using Limits = std::numeric_limits<Integer>;
  if (std::isnan(value)) {
    return sizeof(Integer) < 8 ? Integer{0} : static_cast<Integer>(std::uint64_t{1} << 63);
  }
  const double end = 2.0 * static_cast<double>(Limits::max() / 2 + 1);
  if (value >= end) {
    return Limits::max();
  }
  return value < static_cast<double>(Limits::min()) ? Limits::min() : static_cast<Integer>(value);
}

}  // namespace archgrid::cpu_emulator

#endif
