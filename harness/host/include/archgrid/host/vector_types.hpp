// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// CUDA's vector types, with CUDA's sizes and alignments (CUDA C++ Programming Guide, "Alignment
// Requirements"). They are global, as CUDA's are.
#ifndef ARCHGRID_HOST_VECTOR_TYPES_HPP
#define ARCHGRID_HOST_VECTOR_TYPES_HPP

#define ARCHGRID_HOST_VECTORS(name, scalar)                               \
  struct name##1 {                                                        \
    scalar x;                                                             \
  };                                                                      \
  struct alignas(2 * sizeof(scalar)) name##2 {                            \
    scalar x, y;                                                          \
  };                                                                      \
  struct name##3 {                                                        \
    scalar x, y, z;                                                       \
  };                                                                      \
  struct alignas(sizeof(scalar) == 8 ? 16 : 4 * sizeof(scalar)) name##4 { \
    scalar x, y, z, w;                                                    \
  };

ARCHGRID_HOST_VECTORS(char, signed char)
ARCHGRID_HOST_VECTORS(uchar, unsigned char)
ARCHGRID_HOST_VECTORS(short, short)
ARCHGRID_HOST_VECTORS(ushort, unsigned short)
ARCHGRID_HOST_VECTORS(int, int)
ARCHGRID_HOST_VECTORS(uint, unsigned)
ARCHGRID_HOST_VECTORS(long, long)
ARCHGRID_HOST_VECTORS(ulong, unsigned long)
ARCHGRID_HOST_VECTORS(longlong, long long)
ARCHGRID_HOST_VECTORS(ulonglong, unsigned long long)
ARCHGRID_HOST_VECTORS(float, float)
ARCHGRID_HOST_VECTORS(double, double)

#undef ARCHGRID_HOST_VECTORS

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned in_x = 1, unsigned in_y = 1, unsigned in_z = 1)
      : x(in_x), y(in_y), z(in_z) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};

#endif
