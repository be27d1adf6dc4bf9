// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CPU_EMULATOR_CUDA_FP8_H
#define ARCHGRID_CPU_EMULATOR_CUDA_FP8_H

// A stand-in for CUDA's header of this name: 8-bit numbers on the CPU, e4m3 and e5m2, single, in
// pairs and in fours. The first number is in the lowest bits.

#include <archgrid/cpu_emulator/rounding.hpp>
#include <cmath>
#include <cstdint>

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "vector_types.h"

/// The codes of one, two and four numbers.
using __nv_fp8_storage_t = unsigned char;
using __nv_fp8x2_storage_t = unsigned short;
using __nv_fp8x4_storage_t = unsigned;

/// The result of an overflow: infinity, or NaN in a format without infinity; or the largest number.
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };

/// e4m3: 4 bits of exponent and 3 of mantissa, without infinities, and with one NaN magnitude,
/// 0x7f. e5m2: 5 and 2 bits, with infinities and more NaNs, the upper byte of a half.
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

/// Returns the number nearest to `x`, rounded once, ties to even. A NaN keeps its sign and, in
/// e5m2, the first bits of its mantissa, as in CUDA for double only.
inline __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturate,
                                                 __nv_fp8_interpretation_t interpretation) {
  const bool e4m3 = interpretation == __NV_E4M3;
  std::uint32_t magnitude = 0;
  if (std::isnan(x)) {
    const auto mantissa = (archgrid::cpu_emulator::bits_as<std::uint64_t>(x) >> 50) & 3;
    magnitude = e4m3 ? 0x7f : 0x7e | static_cast<std::uint32_t>(mantissa);
  } else {
    const std::uint32_t largest = e4m3 ? 0x7e : 0x7b;
    magnitude = e4m3 ? archgrid::cpu_emulator::rounded_magnitude<4, 3>(x)
                     : archgrid::cpu_emulator::rounded_magnitude<5, 2>(x);
    if (magnitude > largest) {
      magnitude = saturate == __NV_SATFINITE ? largest : largest + 1;
    }
  }
  return static_cast<__nv_fp8_storage_t>(magnitude | (std::signbit(x) ? 0x80U : 0));
}

/// The same conversion for other types, whose NaNs all become 0x7f.
inline __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate,
                                                __nv_fp8_interpretation_t interpretation) {
  return std::isnan(x) ? __nv_fp8_storage_t{0x7f}
                       : __nv_cvt_double_to_fp8(x, saturate, interpretation);
}
inline __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturate,
                                                  __nv_fp8_interpretation_t interpretation) {
  return __nv_cvt_float_to_fp8(__half2float(x), saturate, interpretation);
}
inline __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x,
                                                      __nv_saturation_t saturate,
                                                      __nv_fp8_interpretation_t interpretation) {
  return __nv_cvt_float_to_fp8(__bfloat162float(x), saturate, interpretation);
}

namespace archgrid::cpu_emulator {

inline __nv_fp8x2_storage_t fp8x2_of(__nv_fp8_storage_t low, __nv_fp8_storage_t high) {
  return static_cast<__nv_fp8x2_storage_t>(low | high << 8);
}
inline __nv_fp8x4_storage_t fp8x4_of(__nv_fp8x2_storage_t low, __nv_fp8x2_storage_t high) {
  return low | static_cast<__nv_fp8x4_storage_t>(high) << 16;
}

}  // namespace archgrid::cpu_emulator

/// The same conversions for pairs.
inline __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 x, __nv_saturation_t saturate,
                                                      __nv_fp8_interpretation_t interpretation) {
  return archgrid::cpu_emulator::fp8x2_of(__nv_cvt_double_to_fp8(x.x, saturate, interpretation),
                                          __nv_cvt_double_to_fp8(x.y, saturate, interpretation));
}
inline __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x, __nv_saturation_t saturate,
                                                     __nv_fp8_interpretation_t interpretation) {
  return archgrid::cpu_emulator::fp8x2_of(__nv_cvt_float_to_fp8(x.x, saturate, interpretation),
                                          __nv_cvt_float_to_fp8(x.y, saturate, interpretation));
}
inline __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw x, __nv_saturation_t saturate,
                                                       __nv_fp8_interpretation_t interpretation) {
  return archgrid::cpu_emulator::fp8x2_of(
      __nv_cvt_halfraw_to_fp8(__half_raw{x.x}, saturate, interpretation),
      __nv_cvt_halfraw_to_fp8(__half_raw{x.y}, saturate, interpretation));
}
inline __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(
    __nv_bfloat162_raw x, __nv_saturation_t saturate, __nv_fp8_interpretation_t interpretation) {
  return archgrid::cpu_emulator::fp8x2_of(
      __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw{x.x}, saturate, interpretation),
      __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw{x.y}, saturate, interpretation));
}

/// Exact; every NaN becomes 0x7fff.
inline __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x,
                                          __nv_fp8_interpretation_t interpretation) {
  const auto sign = static_cast<unsigned short>((x & 0x80U) << 8);
  const unsigned magnitude = x & 0x7fU;
  if (interpretation == __NV_E5M2) {
    const auto half_of = static_cast<unsigned short>(x << 8);
    return magnitude > 0x7c ? __half_raw{0x7fff} : __half_raw{half_of};
  }
  if (magnitude == 0x7f) {
    return __half_raw{0x7fff};
  }
  const __half_raw value = __half(archgrid::cpu_emulator::value_of_magnitude<4, 3>(magnitude));
  return __half_raw{static_cast<unsigned short>(sign | value.x)};
}
inline __nv_bfloat16_raw __nv_cvt_fp8_to_bf16raw(__nv_fp8_storage_t x,
                                                 __nv_fp8_interpretation_t interpretation) {
  return __nv_bfloat16(__half2float(__nv_cvt_fp8_to_halfraw(x, interpretation)));
}
inline __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x,
                                              __nv_fp8_interpretation_t interpretation) {
  return {__nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(x), interpretation).x,
          __nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(x >> 8), interpretation).x};
}
inline __nv_bfloat162_raw __nv_cvt_fp8x2_to_bf162raw(__nv_fp8x2_storage_t x,
                                                     __nv_fp8_interpretation_t interpretation) {
  return {__nv_cvt_fp8_to_bf16raw(static_cast<__nv_fp8_storage_t>(x), interpretation).x,
          __nv_cvt_fp8_to_bf16raw(static_cast<__nv_fp8_storage_t>(x >> 8), interpretation).x};
}

#define __CUDA_FP8_TYPES_EXIST__

// The types of both formats: one, two and four numbers. Conversions to them saturate, as in CUDA.
// Integers are converted by way of float: one that is not exact in float exceeds the largest number
// anyway.
#define ARCHGRID_FP8(format, kind)                                                                \
  struct __nv_fp8_##format {                                                                      \
    __nv_fp8_storage_t __x;                                                                       \
                                                                                                  \
    __nv_fp8_##format() = default;                                                                \
    explicit __nv_fp8_##format(__half value)                                                      \
        : __x(__nv_cvt_halfraw_to_fp8(value, __NV_SATFINITE, interpretation)) {}                  \
    explicit __nv_fp8_##format(__nv_bfloat16 value)                                               \
        : __x(__nv_cvt_bfloat16raw_to_fp8(value, __NV_SATFINITE, interpretation)) {}              \
    explicit __nv_fp8_##format(float value)                                                       \
        : __x(__nv_cvt_float_to_fp8(value, __NV_SATFINITE, interpretation)) {}                    \
    explicit __nv_fp8_##format(double value)                                                      \
        : __x(__nv_cvt_double_to_fp8(value, __NV_SATFINITE, interpretation)) {}                   \
    explicit __nv_fp8_##format(short value) : __nv_fp8_##format(static_cast<float>(value)) {}     \
    explicit __nv_fp8_##format(unsigned short value)                                              \
        : __nv_fp8_##format(static_cast<float>(value)) {}                                         \
    explicit __nv_fp8_##format(int value) : __nv_fp8_##format(static_cast<float>(value)) {}       \
    explicit __nv_fp8_##format(unsigned value) : __nv_fp8_##format(static_cast<float>(value)) {}  \
    explicit __nv_fp8_##format(long value) : __nv_fp8_##format(static_cast<float>(value)) {}      \
    explicit __nv_fp8_##format(unsigned long value)                                               \
        : __nv_fp8_##format(static_cast<float>(value)) {}                                         \
    explicit __nv_fp8_##format(long long value) : __nv_fp8_##format(static_cast<float>(value)) {} \
    explicit __nv_fp8_##format(unsigned long long value)                                          \
        : __nv_fp8_##format(static_cast<float>(value)) {}                                         \
    explicit operator __half() const { return __nv_cvt_fp8_to_halfraw(__x, interpretation); }     \
    explicit operator __nv_bfloat16() const {                                                     \
      return __nv_cvt_fp8_to_bf16raw(__x, interpretation);                                        \
    }                                                                                             \
    explicit operator float() const { return __half2float(static_cast<__half>(*this)); }          \
    explicit operator double() const { return static_cast<float>(*this); }                        \
    explicit operator bool() const { return (__x & 0x7fU) != 0; }                                 \
    explicit operator char() const { return integer<char>(); }                                    \
    explicit operator signed char() const { return integer<signed char>(); }                      \
    explicit operator unsigned char() const { return integer<unsigned char>(); }                  \
    explicit operator short() const { return integer<short>(); }                                  \
    explicit operator unsigned short() const { return integer<unsigned short>(); }                \
    explicit operator int() const { return integer<int>(); }                                      \
    explicit operator unsigned() const { return integer<unsigned>(); }                            \
    explicit operator long() const { return integer<long>(); }                                    \
    explicit operator unsigned long() const { return integer<unsigned long>(); }                  \
    explicit operator long long() const { return integer<long long>(); }                          \
    explicit operator unsigned long long() const { return integer<unsigned long long>(); }        \
                                                                                                  \
   private:                                                                                       \
    static constexpr __nv_fp8_interpretation_t interpretation = kind;                             \
                                                                                                  \
    template <class Integer>                                                                      \
    Integer integer() const {                                                                     \
      return archgrid::cpu_emulator::integer_of<Integer>(static_cast<double>(*this));             \
    }                                                                                             \
  };                                                                                              \
                                                                                                  \
  struct alignas(2) __nv_fp8x2_##format {                                                         \
    __nv_fp8x2_storage_t __x;                                                                     \
                                                                                                  \
    __nv_fp8x2_##format() = default;                                                              \
    explicit __nv_fp8x2_##format(__half2 value)                                                   \
        : __x(__nv_cvt_halfraw2_to_fp8x2(value, __NV_SATFINITE, interpretation)) {}               \
    explicit __nv_fp8x2_##format(__nv_bfloat162 value)                                            \
        : __x(__nv_cvt_bfloat16raw2_to_fp8x2(value, __NV_SATFINITE, interpretation)) {}           \
    explicit __nv_fp8x2_##format(float2 value)                                                    \
        : __x(__nv_cvt_float2_to_fp8x2(value, __NV_SATFINITE, interpretation)) {}                 \
    explicit __nv_fp8x2_##format(double2 value)                                                   \
        : __x(__nv_cvt_double2_to_fp8x2(value, __NV_SATFINITE, interpretation)) {}                \
    explicit operator __half2() const { return __nv_cvt_fp8x2_to_halfraw2(__x, interpretation); } \
    explicit operator __nv_bfloat162() const {                                                    \
      return __nv_cvt_fp8x2_to_bf162raw(__x, interpretation);                                     \
    }                                                                                             \
    explicit operator float2() const { return __half22float2(static_cast<__half2>(*this)); }      \
                                                                                                  \
   private:                                                                                       \
    static constexpr __nv_fp8_interpretation_t interpretation = kind;                             \
  };                                                                                              \
                                                                                                  \
  struct alignas(4) __nv_fp8x4_##format {                                                         \
    __nv_fp8x4_storage_t __x;                                                                     \
                                                                                                  \
    __nv_fp8x4_##format() = default;                                                              \
    explicit __nv_fp8x4_##format(__half2 low, __half2 high) : __x(of(low, high)) {}               \
    explicit __nv_fp8x4_##format(__nv_bfloat162 low, __nv_bfloat162 high) : __x(of(low, high)) {} \
    explicit __nv_fp8x4_##format(float4 value)                                                    \
        : __x(of(float2{value.x, value.y}, float2{value.z, value.w})) {}                          \
    explicit __nv_fp8x4_##format(double4 value)                                                   \
        : __x(of(double2{value.x, value.y}, double2{value.z, value.w})) {}                        \
    explicit operator float4() const {                                                            \
      const float2 low = __half22float2(                                                          \
          __nv_cvt_fp8x2_to_halfraw2(static_cast<__nv_fp8x2_storage_t>(__x), kind));              \
      const float2 high = __half22float2(                                                         \
          __nv_cvt_fp8x2_to_halfraw2(static_cast<__nv_fp8x2_storage_t>(__x >> 16), kind));        \
      return float4{low.x, low.y, high.x, high.y};                                                \
    }                                                                                             \
                                                                                                  \
   private:                                                                                       \
    template <class Pair>                                                                         \
    static __nv_fp8x4_storage_t of(Pair low, Pair high) {                                         \
      return archgrid::cpu_emulator::fp8x4_of(__nv_fp8x2_##format(low).__x,                       \
                                              __nv_fp8x2_##format(high).__x);                     \
    }                                                                                             \
  };

ARCHGRID_FP8(e4m3, __NV_E4M3)
ARCHGRID_FP8(e5m2, __NV_E5M2)

#undef ARCHGRID_FP8

static_assert(sizeof(__nv_fp8_e4m3) == 1 && sizeof(__nv_fp8x2_e4m3) == 2 &&
              sizeof(__nv_fp8x4_e4m3) == 4);

#endif
