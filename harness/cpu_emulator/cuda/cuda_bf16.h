// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CPU_EMULATOR_CUDA_BF16_H
#define ARCHGRID_CPU_EMULATOR_CUDA_BF16_H

// A stand-in for CUDA's header of this name: __nv_bfloat16, __nv_bfloat162 and their functions on
// the CPU. Each result is rounded as on the device; <archgrid/cpu_emulator/rounding.hpp> explains
// why.

#include <archgrid/cpu_emulator/rounding.hpp>
#include <cmath>
#include <cstdint>

#include "cuda_fp16.h"
#include "vector_types.h"

#define ARCHGRID_NUMBER __nv_bfloat16
#define ARCHGRID_NUMBER_RAW __nv_bfloat16_raw
#define ARCHGRID_PAIR __nv_bfloat162
#define ARCHGRID_PAIR_RAW __nv_bfloat162_raw
#define ARCHGRID_OTHER __half
#define ARCHGRID_FORMAT archgrid::cpu_emulator::SixteenBits<8, 7>
#include <archgrid/cpu_emulator/sixteen_bits.inc>

using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

#define __CUDA_BF16_TYPES_EXIST__

/// Conversions between numbers and their bits.
inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 a) {
  return archgrid::cpu_emulator::code_of(a);
}
inline short __bfloat16_as_short(__nv_bfloat16 a) {
  return static_cast<short>(archgrid::cpu_emulator::code_of(a));
}
inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short code) {
  return __nv_bfloat16_raw{code};
}
inline __nv_bfloat16 __short_as_bfloat16(short code) {
  return __nv_bfloat16_raw{static_cast<unsigned short>(code)};
}

/// Conversions from other types, rounded once to nearest even.
inline __nv_bfloat16 __double2bfloat16(double a) {
  return a;
}
inline __nv_bfloat16 __float2bfloat16(float a) {
  return a;
}
inline __nv_bfloat16 __float2bfloat16_rn(float a) {
  return a;
}

namespace archgrid::cpu_emulator {

/// Returns `value` with the given rounding.
inline __nv_bfloat16 bfloat16_of(double value, Rounding rounding) {
  return __nv_bfloat16_raw{SixteenBits<8, 7>::code_of(value, rounding)};
}

}  // namespace archgrid::cpu_emulator

/// Rounded towards 0, -infinity and +infinity.
inline __nv_bfloat16 __float2bfloat16_rz(float a) {
  return archgrid::cpu_emulator::bfloat16_of(a, archgrid::cpu_emulator::Rounding::to_zero);
}
inline __nv_bfloat16 __float2bfloat16_rd(float a) {
  return archgrid::cpu_emulator::bfloat16_of(a, archgrid::cpu_emulator::downwards(a));
}
inline __nv_bfloat16 __float2bfloat16_ru(float a) {
  return archgrid::cpu_emulator::bfloat16_of(a, archgrid::cpu_emulator::upwards(a));
}

/// Exact: the number is the upper half of the float, for a NaN, too.
inline float __bfloat162float(__nv_bfloat16 a) {
  return archgrid::cpu_emulator::bits_as<float>(std::uint32_t{archgrid::cpu_emulator::code_of(a)}
                                                << 16);
}
inline __nv_bfloat16::operator float() const {
  return __bfloat162float(*this);
}

inline __nv_bfloat16::__nv_bfloat16(__half value) : __nv_bfloat16(__half2float(value)) {}
inline __half::__half(__nv_bfloat16 value) : __half(__bfloat162float(value)) {}

/// Conversions between pairs and numbers.
inline __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) {
  return {x, y};
}
inline __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) {
  return {low, high};
}
inline __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) {
  return {a, a};
}
inline __nv_bfloat162 __float2bfloat162_rn(float a) {
  return {a, a};
}
inline __nv_bfloat162 __floats2bfloat162_rn(float low, float high) {
  return {low, high};
}
inline __nv_bfloat162 __float22bfloat162_rn(float2 a) {
  return {a.x, a.y};
}
inline float2 __bfloat1622float2(__nv_bfloat162 a) {
  return float2{a.x, a.y};
}
inline __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) {
  return a.x;
}
inline __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) {
  return a.y;
}
inline __nv_bfloat162 __low2bfloat162(__nv_bfloat162 a) {
  return {a.x, a.x};
}
inline __nv_bfloat162 __high2bfloat162(__nv_bfloat162 a) {
  return {a.y, a.y};
}
inline __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) {
  return {a.x, b.x};
}
inline __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) {
  return {a.y, b.y};
}

// Integers: __bfloat162int_rz and __int2bfloat16_rn, with all types and roundings.
#define ARCHGRID_TO_INTEGER(type, name, rounded)                           \
  inline type name(__nv_bfloat16 a) {                                      \
    using archgrid::cpu_emulator::value_of;                                \
    return archgrid::cpu_emulator::integer_of<type>(rounded(value_of(a))); \
  }
#define ARCHGRID_INTEGER(type, name)                                                             \
  ARCHGRID_TO_INTEGER(type, __bfloat162##name##_rn, std::rint)                                   \
  ARCHGRID_TO_INTEGER(type, __bfloat162##name##_rz, std::trunc)                                  \
  ARCHGRID_TO_INTEGER(type, __bfloat162##name##_rd, std::floor)                                  \
  ARCHGRID_TO_INTEGER(type, __bfloat162##name##_ru, std::ceil)                                   \
  inline __nv_bfloat16 __##name##2bfloat16_rn(type a) {                                          \
    return a;                                                                                    \
  }                                                                                              \
  inline __nv_bfloat16 __##name##2bfloat16_rz(type a) {                                          \
    return archgrid::cpu_emulator::bfloat16_of(archgrid::cpu_emulator::value_of_integer(a),      \
                                               archgrid::cpu_emulator::Rounding::to_zero);       \
  }                                                                                              \
  inline __nv_bfloat16 __##name##2bfloat16_rd(type a) {                                          \
    const double value = archgrid::cpu_emulator::value_of_integer(a);                            \
    return archgrid::cpu_emulator::bfloat16_of(value, archgrid::cpu_emulator::downwards(value)); \
  }                                                                                              \
  inline __nv_bfloat16 __##name##2bfloat16_ru(type a) {                                          \
    const double value = archgrid::cpu_emulator::value_of_integer(a);                            \
    return archgrid::cpu_emulator::bfloat16_of(value, archgrid::cpu_emulator::upwards(value));   \
  }

ARCHGRID_TO_INTEGER(signed char, __bfloat162char_rz, std::trunc)
ARCHGRID_TO_INTEGER(unsigned char, __bfloat162uchar_rz, std::trunc)
ARCHGRID_INTEGER(short, short)
ARCHGRID_INTEGER(unsigned short, ushort)
ARCHGRID_INTEGER(int, int)
ARCHGRID_INTEGER(unsigned, uint)
ARCHGRID_INTEGER(long long, ll)
ARCHGRID_INTEGER(unsigned long long, ull)

#undef ARCHGRID_INTEGER
#undef ARCHGRID_TO_INTEGER

/// Constants.
#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7fff)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(0x0001)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7f7f)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(0x8000)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3f80)

#endif
