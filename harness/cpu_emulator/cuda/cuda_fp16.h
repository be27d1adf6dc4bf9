// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CPU_EMULATOR_CUDA_FP16_H
#define ARCHGRID_CPU_EMULATOR_CUDA_FP16_H

// A stand-in for CUDA's header of this name: __half, __half2 and their functions on the CPU. Each
// result is rounded as on the device; <archgrid/cpu_emulator/rounding.hpp> explains why.

#include <archgrid/cpu_emulator/rounding.hpp>
#include <cmath>
#include <cstdint>

#include "vector_types.h"

#define ARCHGRID_NUMBER __half
#define ARCHGRID_NUMBER_RAW __half_raw
#define ARCHGRID_PAIR __half2
#define ARCHGRID_PAIR_RAW __half2_raw
#define ARCHGRID_OTHER __nv_bfloat16
#define ARCHGRID_FORMAT archgrid::cpu_emulator::SixteenBits<5, 10>
#include <archgrid/cpu_emulator/sixteen_bits.inc>

using half = __half;
using half2 = __half2;
using nv_half = __half;
using nv_half2 = __half2;
using __nv_half = __half;
using __nv_half2 = __half2;
using __nv_half_raw = __half_raw;
using __nv_half2_raw = __half2_raw;

#define __CUDA_FP16_TYPES_EXIST__

/// Conversions between numbers and their bits.
inline unsigned short __half_as_ushort(__half a) {
  return archgrid::cpu_emulator::code_of(a);
}
inline short __half_as_short(__half a) {
  return static_cast<short>(archgrid::cpu_emulator::code_of(a));
}
inline __half __ushort_as_half(unsigned short code) {
  return __half_raw{code};
}
inline __half __short_as_half(short code) {
  return __half_raw{static_cast<unsigned short>(code)};
}

/// Conversions from other types, rounded once to nearest even.
inline __half __double2half(double a) {
  return a;
}
inline __half __float2half(float a) {
  return a;
}
inline __half __float2half_rn(float a) {
  return a;
}

namespace archgrid::cpu_emulator {

/// Returns `value` with the given rounding.
inline __half half_of(double value, Rounding rounding) {
  return __half_raw{SixteenBits<5, 10>::code_of(value, rounding)};
}

}  // namespace archgrid::cpu_emulator

/// Rounded towards 0, -infinity and +infinity.
inline __half __float2half_rz(float a) {
  return archgrid::cpu_emulator::half_of(a, archgrid::cpu_emulator::Rounding::to_zero);
}
inline __half __float2half_rd(float a) {
  return archgrid::cpu_emulator::half_of(a, archgrid::cpu_emulator::downwards(a));
}
inline __half __float2half_ru(float a) {
  return archgrid::cpu_emulator::half_of(a, archgrid::cpu_emulator::upwards(a));
}

/// Exact; every NaN becomes the device's 0x7fffffff.
inline float __half2float(__half a) {
  return __hisnan(a) ? archgrid::cpu_emulator::bits_as<float>(0x7fffffffU)
                     : static_cast<float>(archgrid::cpu_emulator::value_of(a));
}
inline __half::operator float() const {
  return __half2float(*this);
}

/// Conversions between pairs and numbers.
inline __half2 make_half2(__half x, __half y) {
  return {x, y};
}
inline __half2 __halves2half2(__half low, __half high) {
  return {low, high};
}
inline __half2 __half2half2(__half a) {
  return {a, a};
}
inline __half2 __float2half2_rn(float a) {
  return {a, a};
}
inline __half2 __floats2half2_rn(float low, float high) {
  return {low, high};
}
inline __half2 __float22half2_rn(float2 a) {
  return {a.x, a.y};
}
inline float2 __half22float2(__half2 a) {
  return float2{a.x, a.y};
}
inline __half __low2half(__half2 a) {
  return a.x;
}
inline __half __high2half(__half2 a) {
  return a.y;
}
inline __half2 __low2half2(__half2 a) {
  return {a.x, a.x};
}
inline __half2 __high2half2(__half2 a) {
  return {a.y, a.y};
}
inline __half2 __lows2half2(__half2 a, __half2 b) {
  return {a.x, b.x};
}
inline __half2 __highs2half2(__half2 a, __half2 b) {
  return {a.y, b.y};
}

// Integers: __half2int_rz and __int2half_rn, with all types and roundings.
#define ARCHGRID_TO_INTEGER(type, name, rounded)                           \
  inline type name(__half a) {                                             \
    using archgrid::cpu_emulator::value_of;                                \
    return archgrid::cpu_emulator::integer_of<type>(rounded(value_of(a))); \
  }
#define ARCHGRID_INTEGER(type, name)                                                         \
  ARCHGRID_TO_INTEGER(type, __half2##name##_rn, std::rint)                                   \
  ARCHGRID_TO_INTEGER(type, __half2##name##_rz, std::trunc)                                  \
  ARCHGRID_TO_INTEGER(type, __half2##name##_rd, std::floor)                                  \
  ARCHGRID_TO_INTEGER(type, __half2##name##_ru, std::ceil)                                   \
  inline __half __##name##2half_rn(type a) {                                                 \
    return a;                                                                                \
  }                                                                                          \
  inline __half __##name##2half_rz(type a) {                                                 \
    return archgrid::cpu_emulator::half_of(archgrid::cpu_emulator::value_of_integer(a),      \
                                           archgrid::cpu_emulator::Rounding::to_zero);       \
  }                                                                                          \
  inline __half __##name##2half_rd(type a) {                                                 \
    const double value = archgrid::cpu_emulator::value_of_integer(a);                        \
    return archgrid::cpu_emulator::half_of(value, archgrid::cpu_emulator::downwards(value)); \
  }                                                                                          \
  inline __half __##name##2half_ru(type a) {                                                 \
    const double value = archgrid::cpu_emulator::value_of_integer(a);                        \
    return archgrid::cpu_emulator::half_of(value, archgrid::cpu_emulator::upwards(value));   \
  }

ARCHGRID_TO_INTEGER(signed char, __half2char_rz, std::trunc)
ARCHGRID_TO_INTEGER(unsigned char, __half2uchar_rz, std::trunc)
ARCHGRID_INTEGER(short, short)
ARCHGRID_INTEGER(unsigned short, ushort)
ARCHGRID_INTEGER(int, int)
ARCHGRID_INTEGER(unsigned, uint)
ARCHGRID_INTEGER(long long, ll)
ARCHGRID_INTEGER(unsigned long long, ull)

#undef ARCHGRID_INTEGER
#undef ARCHGRID_TO_INTEGER

/// Constants.
#define CUDART_INF_FP16 __ushort_as_half(0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bff)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half(0x0000)
#define CUDART_ONE_FP16 __ushort_as_half(0x3c00)

#endif
