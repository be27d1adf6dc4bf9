// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// A stand-in for CUDA's header of this name: make_float4() and the like.
#ifndef ARCHGRID_HOST_CUDA_VECTOR_FUNCTIONS_H
#define ARCHGRID_HOST_CUDA_VECTOR_FUNCTIONS_H

#include "vector_types.h"

#define ARCHGRID_HOST_MAKE(name, scalar)                                     \
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

ARCHGRID_HOST_MAKE(char, signed char)
ARCHGRID_HOST_MAKE(uchar, unsigned char)
ARCHGRID_HOST_MAKE(short, short)
ARCHGRID_HOST_MAKE(ushort, unsigned short)
ARCHGRID_HOST_MAKE(int, int)
ARCHGRID_HOST_MAKE(uint, unsigned)
ARCHGRID_HOST_MAKE(long, long)
ARCHGRID_HOST_MAKE(ulong, unsigned long)
ARCHGRID_HOST_MAKE(longlong, long long)
ARCHGRID_HOST_MAKE(ulonglong, unsigned long long)
ARCHGRID_HOST_MAKE(float, float)
ARCHGRID_HOST_MAKE(double, double)

#undef ARCHGRID_HOST_MAKE

#endif
