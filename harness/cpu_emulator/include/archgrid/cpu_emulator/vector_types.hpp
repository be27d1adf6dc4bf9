// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// CUDA's vector types, with CUDA's sizes and alignments (CUDA C++ Programming Guide, "Alignment
// Requirements"). They are global, as CUDA's are.
#ifndef ARCHGRID_CPU_EMULATOR_VECTOR_TYPES_HPP
#define ARCHGRID_CPU_EMULATOR_VECTOR_TYPES_HPP

#define ARCHGRID_CPU_EMULATOR_VECTORS(name, scalar)                       \
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

ARCHGRID_CPU_EMULATOR_VECTORS(char, signed char)
ARCHGRID_CPU_EMULATOR_VECTORS(uchar, unsigned char)
ARCHGRID_CPU_EMULATOR_VECTORS(short, short)
ARCHGRID_CPU_EMULATOR_VECTORS(ushort, unsigned short)
ARCHGRID_CPU_EMULATOR_VECTORS(int, int)
ARCHGRID_CPU_EMULATOR_VECTORS(uint, unsigned)
ARCHGRID_CPU_EMULATOR_VECTORS(long, long)
ARCHGRID_CPU_EMULATOR_VECTORS(ulong, unsigned long)
ARCHGRID_CPU_EMULATOR_VECTORS(longlong, long long)
ARCHGRID_CPU_EMULATOR_VECTORS(ulonglong, unsigned long long)
ARCHGRID_CPU_EMULATOR_VECTORS(float, float)
ARCHGRID_CPU_EMULATOR_VECTORS(double, double)

#undef ARCHGRID_CPU_EMULATOR_VECTORS

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned in_x = 1, unsigned in_y = 1, unsigned in_z = 1)
      : x(in_x), y(in_y), z(in_z) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};

#endif
