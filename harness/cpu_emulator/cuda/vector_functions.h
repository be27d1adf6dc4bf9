// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// A stand-in for CUDA's header of this name: make_float4() and the like.
#ifndef ARCHGRID_CPU_EMULATOR_CUDA_VECTOR_FUNCTIONS_H
#define ARCHGRID_CPU_EMULATOR_CUDA_VECTOR_FUNCTIONS_H

#include "vector_types.h"

#define ARCHGRID_CPU_EMULATOR_MAKE(name, scalar)                             \
  constexpr name##1 make_##name##1(scalar x) {                               \
    return {x};                                                              \
  }                                                                          \
  constexpr name##2 make_##name##2(scalar x, scalar y) {                     \
    return {x, y};                                                           \
  }                                                                          \
  constexpr name##3 make_##name##3(scalar x, scalar y, scalar z) {           \
    return {x, y, z};                                                        \
  }                                                                          \
  constexpr name##4 make_##name##4(scalar x, scalar y, scalar z, scalar w) { \
    return {x, y, z, w};                                                     \
  }

ARCHGRID_CPU_EMULATOR_MAKE(char, signed char)
ARCHGRID_CPU_EMULATOR_MAKE(uchar, unsigned char)
ARCHGRID_CPU_EMULATOR_MAKE(short, short)
ARCHGRID_CPU_EMULATOR_MAKE(ushort, unsigned short)
ARCHGRID_CPU_EMULATOR_MAKE(int, int)
ARCHGRID_CPU_EMULATOR_MAKE(uint, unsigned)
ARCHGRID_CPU_EMULATOR_MAKE(long, long)
ARCHGRID_CPU_EMULATOR_MAKE(ulong, unsigned long)
ARCHGRID_CPU_EMULATOR_MAKE(longlong, long long)
ARCHGRID_CPU_EMULATOR_MAKE(ulonglong, unsigned long long)
ARCHGRID_CPU_EMULATOR_MAKE(float, float)
ARCHGRID_CPU_EMULATOR_MAKE(double, double)

#undef ARCHGRID_CPU_EMULATOR_MAKE

#endif
