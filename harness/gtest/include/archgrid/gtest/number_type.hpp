// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Properties of number types, for the comparisons and the generators. Includes none of the
// toolkit's headers: declares the small types and accesses their bits.
#ifndef ARCHGRID_GTEST_NUMBER_TYPE_HPP
#define ARCHGRID_GTEST_NUMBER_TYPE_HPP

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

struct __half;
struct __nv_bfloat16;
struct __nv_fp8_e4m3;
struct __nv_fp8_e5m2;

namespace archgrid {

/// A type of number. Defined for the integers, float, double, __half, __nv_bfloat16, __nv_fp8_e4m3
/// and __nv_fp8_e5m2. Specialise it for a type of your own, with
///   static double to_double(const T&);   exact
///   static T from_double(double);        to nearest, ties to even
///   static constexpr int digits;         significant bits, the leading one counted
///   static constexpr int min_exponent; 2^min_exponent is the smallest number above 0
template <class T, class = void>
struct NumberType {
  static_assert(!std::is_same<T, T>::value, "specialise archgrid::NumberType for this type");
};

template <class T>
struct NumberType<T, std::enable_if_t<std::is_integral<T>::value>> {
  static double to_double(const T& number) { return static_cast<double>(number); }
  static T from_double(double value) { return static_cast<T>(value); }
  static constexpr int digits = std::numeric_limits<T>::digits;
  static constexpr int min_exponent = 0;
};

template <class T>
struct NumberType<
    T, std::enable_if_t<std::is_same<T, float>::value || std::is_same<T, double>::value>> {
  static double to_double(const T& number) { return static_cast<double>(number); }
  static T from_double(double value) { return static_cast<T>(value); }
  static constexpr int digits = std::numeric_limits<T>::digits;
  static constexpr int min_exponent =
      std::numeric_limits<T>::min_exponent - std::numeric_limits<T>::digits;
};

/// A floating-point format of at most 16 bits: a sign, then the exponent, then the fraction.
struct FloatFormat {
  int exponent_bits;
  int fraction_bits;
  bool has_infinity;  ///< if false, the largest exponent encodes numbers, too, except for one NaN
  bool saturates;     ///< an overflow becomes the largest number, not infinity
};

double decode(std::uint32_t bits, const FloatFormat& format);

/// Rounds to nearest, ties to even.
std::uint32_t encode(double value, const FloatFormat& format);

/// The NumberType of a class that consists of the bits of such a number.
template <class T, class Bits, int kExponentBits, int kFractionBits, bool kHasInfinity,
          bool kSaturates>
struct SmallFloatType {
  static constexpr FloatFormat format = {kExponentBits, kFractionBits, kHasInfinity, kSaturates};
  static constexpr int digits = kFractionBits + 1;
  static constexpr int min_exponent = 2 - (1 << (kExponentBits - 1)) - kFractionBits;

  static double to_double(const T& number) {
    static_assert(sizeof(T) == sizeof(Bits), "the type is its bits");
    Bits bits;
    std::memcpy(&bits, &number, sizeof bits);
    return decode(bits, format);
  }

  static T from_double(double value) {
    const auto bits = static_cast<Bits>(encode(value, format));
    T number;
    std::memcpy(static_cast<void*>(&number), &bits, sizeof bits);
    return number;
  }
};

// An overflow gives the same value as the constructors of cuda_fp16.h, cuda_bf16.h and cuda_fp8.h:
// infinity for the first two, the largest number for the third.
template <>
struct NumberType<__half, void> : SmallFloatType<__half, std::uint16_t, 5, 10, true, false> {};
template <>
struct NumberType<__nv_bfloat16, void>
    : SmallFloatType<__nv_bfloat16, std::uint16_t, 8, 7, true, false> {};
template <>
struct NumberType<__nv_fp8_e4m3, void>
    : SmallFloatType<__nv_fp8_e4m3, std::uint8_t, 4, 3, false, true> {};
template <>
struct NumberType<__nv_fp8_e5m2, void>
    : SmallFloatType<__nv_fp8_e5m2, std::uint8_t, 5, 2, true, true> {};

}  // namespace archgrid

#endif
