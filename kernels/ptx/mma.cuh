// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Tensor core instructions. All 32 lanes of a warp call them together. The PTX ISA, "Matrix
// Fragments for mma", defines the contents of each register. If a device has only a smaller shape,
// the larger one is composed of it: fragments of the smaller are parts of the larger's.
#pragma once

#include <cuda_runtime.h>

#include "ptx/cp_async.cuh"

#ifdef ARCHGRID_CPU_EMULATOR
#include <archgrid/cpu_emulator/rounding.hpp>
#include <archgrid/cpu_emulator/tensor_core.hpp>
#endif

namespace archgrid::ptx {

// Tags for the element types packed into registers. double needs none.
struct F16 {};
struct Bf16 {};
struct Tf32 {};
struct E4m3 {};
struct E5m2 {};
struct S8 {};

// Loads four matrices of 8 rows of 16 bytes from shared memory. Lane i passes row i % 8 of matrix
// i / 8. Transposed swaps rows and columns of 2-byte elements.
template <bool Transposed>
__device__ __forceinline__ void ldmatrix_x4(unsigned (&registers)[4], const void* row) {
#ifdef ARCHGRID_CPU_EMULATOR
  cpu_emulator::ldmatrix(registers, 4, row, Transposed, cpu_emulator::Site::here());
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 750
  if (Transposed) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];\n"
                 : "=r"(registers[0]), "=r"(registers[1]), "=r"(registers[2]), "=r"(registers[3])
                 : "r"(shared_address(row))
                 : "memory");
  } else {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];\n"
                 : "=r"(registers[0]), "=r"(registers[1]), "=r"(registers[2]), "=r"(registers[3])
                 : "r"(shared_address(row))
                 : "memory");
  }
#else
  registers[0] = registers[1] = registers[2] = registers[3] = shared_address(row);
  __trap();
#endif
}

#ifdef ARCHGRID_CPU_EMULATOR

namespace detail {
constexpr cpu_emulator::Number number(F16) {
  return cpu_emulator::Number::f16;
}
constexpr cpu_emulator::Number number(Bf16) {
  return cpu_emulator::Number::bf16;
}
constexpr cpu_emulator::Number number(Tf32) {
  return cpu_emulator::Number::tf32;
}
constexpr cpu_emulator::Number number(E4m3) {
  return cpu_emulator::Number::e4m3;
}
constexpr cpu_emulator::Number number(E5m2) {
  return cpu_emulator::Number::e5m2;
}
template <class T>
constexpr int depth = sizeof(T) == 0 ? 0 : 16;
template <>
inline constexpr int depth<Tf32> = 8;
template <>
inline constexpr int depth<E4m3> = 32;
template <>
inline constexpr int depth<E5m2> = 32;
template <class T>
constexpr bool is_fp8 = false;
template <>
inline constexpr bool is_fp8<E4m3> = true;
template <>
inline constexpr bool is_fp8<E5m2> = true;

// Returns the f16 that equals an 8-bit number.
inline unsigned f16_of(E4m3, unsigned code) {
  const unsigned sign = (code & 0x80u) << 8;
  const unsigned magnitude = code & 0x7fu;
  if (magnitude == 0x7f) return sign | 0x7fff;  // NaN
  return sign |
         cpu_emulator::rounded_magnitude<5, 10>(cpu_emulator::value_of_magnitude<4, 3>(magnitude));
}
inline unsigned f16_of(E5m2, unsigned code) {
  return code << 8;
}
template <class T>
void to_f16(T type, unsigned four, unsigned& low, unsigned& high) {
  const auto two = [&](unsigned codes) {
    return f16_of(type, codes & 0xffu) | f16_of(type, codes >> 8 & 0xffu) << 16;
  };
  low = two(four);
  high = two(four >> 16);
}
}  // namespace detail

template <class T>
void mma_sync_by_f16(T type, float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]);

// Computes D += A * B for 16 rows, 8 columns, and as much of K as fits the registers.
template <class T>
void mma_sync(T type, float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  if constexpr (detail::is_fp8<T>) {
    if (cpu_emulator::device() == 90) return mma_sync_by_f16(type, d, a, b);
  }
  cpu_emulator::mma(detail::number(type), detail::depth<T>, d, a, b, d, cpu_emulator::Site::here());
}
#if __CUDA_ARCH__ < 800
inline void mma_sync(F16, float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  cpu_emulator::mma(cpu_emulator::Number::f16, 8, d, a, b, d, cpu_emulator::Site::here());
  cpu_emulator::mma(cpu_emulator::Number::f16, 8, d, a + 2, b + 1, d, cpu_emulator::Site::here());
}
inline void mma_sync(S8, int (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  for (int half = 0; half < 2; ++half) {
    for (int rows = 0; rows < 2; ++rows) {
      int part[2] = {d[2 * rows], d[2 * rows + 1]};
      cpu_emulator::mma_s8(part, a[2 * half + rows], b[half], part, cpu_emulator::Site::here());
      d[2 * rows] = part[0];
      d[2 * rows + 1] = part[1];
    }
  }
}
#else
inline void mma_sync(S8, int (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  cpu_emulator::mma_s8(d, a, b, d, cpu_emulator::Site::here());
}
#endif
inline void mma_sync(double (&d)[2], double a, double b) {
  cpu_emulator::mma_f64(d, a, b, d, cpu_emulator::Site::here());
}
template <class T>
void mma_sp(T, float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[4], unsigned metadata) {
  cpu_emulator::mma_sp(detail::number(T{}), d, a, b, d, metadata, cpu_emulator::Site::here());
}
inline void mma_sp(S8, int (&d)[4], const unsigned (&a)[4], const unsigned (&b)[4],
                   unsigned metadata) {
  cpu_emulator::mma_sp_s8(d, a, b, d, metadata, cpu_emulator::Site::here());
}

#else

// Traps in kernels that are compiled for an architecture without the instruction, so that they do
// not silently compute nothing.
#define ARCHGRID_NOT_HERE static_cast<void>(d), static_cast<void>(a), static_cast<void>(b), __trap()

#define ARCHGRID_MMA(instruction, constraint)                                       \
  asm volatile("mma.sync.aligned." instruction                                      \
               " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};\n" \
               : "+" constraint(d[0]), "+" constraint(d[1]), "+" constraint(d[2]),  \
                 "+" constraint(d[3])                                               \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))

__device__ __forceinline__ void mma_sync(F16, float (&d)[4], const unsigned (&a)[4],
                                         const unsigned (&b)[2]) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  ARCHGRID_MMA("m16n8k16.row.col.f32.f16.f16.f32", "f");
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 750
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, "
        "{%0, %1, %2, %3};\n"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[2 * half]), "r"(a[2 * half + 1]), "r"(b[half]));
  }
#else
  ARCHGRID_NOT_HERE;
#endif
}

__device__ __forceinline__ void mma_sync(S8, int (&d)[4], const unsigned (&a)[4],
                                         const unsigned (&b)[2]) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  ARCHGRID_MMA("m16n8k32.row.col.s32.s8.s8.s32", "r");
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 750
#pragma unroll
  for (int half = 0; half < 2; ++half) {
#pragma unroll
    for (int rows = 0; rows < 2; ++rows) {
      asm volatile(
          "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};\n"
          : "+r"(d[2 * rows]), "+r"(d[2 * rows + 1])
          : "r"(a[2 * half + rows]), "r"(b[half]));
    }
  }
#else
  ARCHGRID_NOT_HERE;
#endif
}

__device__ __forceinline__ void mma_sync(Bf16, float (&d)[4], const unsigned (&a)[4],
                                         const unsigned (&b)[2]) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  ARCHGRID_MMA("m16n8k16.row.col.f32.bf16.bf16.f32", "f");
#else
  ARCHGRID_NOT_HERE;
#endif
}

__device__ __forceinline__ void mma_sync(Tf32, float (&d)[4], const unsigned (&a)[4],
                                         const unsigned (&b)[2]) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  ARCHGRID_MMA("m16n8k8.row.col.f32.tf32.tf32.f32", "f");
#else
  ARCHGRID_NOT_HERE;
#endif
}

__device__ __forceinline__ void mma_sync(double (&d)[2], double a, double b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};\n"
               : "+d"(d[0]), "+d"(d[1])
               : "d"(a), "d"(b));
#else
  ARCHGRID_NOT_HERE;
#endif
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 900
namespace detail {
// Converts four numbers to f16, the lower two to `low`, which is exact. Extracting the halves here,
// not in C++, saves instructions.
#define ARCHGRID_TO_F16(number)                                                     \
  asm("{ .reg .b16 low, high; mov.b32 {low, high}, %2;"                             \
      " cvt.rn.f16x2." number "x2 %0, low; cvt.rn.f16x2." number "x2 %1, high; }\n" \
      : "=r"(low), "=r"(high)                                                       \
      : "r"(four))
__device__ __forceinline__ void to_f16(E4m3, unsigned four, unsigned& low, unsigned& high) {
  ARCHGRID_TO_F16("e4m3");
}
__device__ __forceinline__ void to_f16(E5m2, unsigned four, unsigned& low, unsigned& high) {
  ARCHGRID_TO_F16("e5m2");
}
#undef ARCHGRID_TO_F16
}  // namespace detail
template <class T>
__device__ __forceinline__ void mma_sync_by_f16(T type, float (&d)[4], const unsigned (&a)[4],
                                                const unsigned (&b)[2]);
#define ARCHGRID_FP8(T, number) mma_sync_by_f16(T{}, d, a, b)
// PTX has mma for 8-bit floating-point numbers since ISA 8.4, CUDA 12.4.
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890 && \
    (__CUDACC_VER_MAJOR__ > 12 || (__CUDACC_VER_MAJOR__ == 12 && __CUDACC_VER_MINOR__ >= 4))
#define ARCHGRID_FP8(T, number) ARCHGRID_MMA("m16n8k32.row.col.f32." number "." number ".f32", "f")
#else
#define ARCHGRID_FP8(T, number) ARCHGRID_NOT_HERE
#endif

__device__ __forceinline__ void mma_sync(E4m3, float (&d)[4], const unsigned (&a)[4],
                                         const unsigned (&b)[2]) {
  ARCHGRID_FP8(E4m3, "e4m3");
}

__device__ __forceinline__ void mma_sync(E5m2, float (&d)[4], const unsigned (&a)[4],
                                         const unsigned (&b)[2]) {
  ARCHGRID_FP8(E5m2, "e5m2");
}

// Products with a 2:4 sparse A: at most two of each four adjacent elements along K are nonzero. The
// registers of A contain two of each four. `metadata` has four bits for them: the index of the
// first, then the larger index of the second. Lanes 0 and 1 of each four provide it for f16 and
// bf16, all lanes for s8 (PTX ISA, "Matrix fragments for sparse mma"). K is twice what the
// registers of A hold.
//
// Devices from 10.0 on sort the metadata each time unless the instruction promises that it is
// ordered, which PTX supports since ISA 8.5, CUDA 12.5.
#if __CUDACC_VER_MAJOR__ > 12 || (__CUDACC_VER_MAJOR__ == 12 && __CUDACC_VER_MINOR__ >= 5)
#define ARCHGRID_SPARSE "mma.sp::ordered_metadata.sync.aligned."
#else
#define ARCHGRID_SPARSE "mma.sp.sync.aligned."
#endif
#define ARCHGRID_MMA_SPARSE(instruction, constraint)                                            \
  asm volatile(                                                                                 \
      ARCHGRID_SPARSE instruction                                                               \
      " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9, %10, %11}, "                               \
      "{%0, %1, %2, %3}, %12, 0x0;\n"                                                           \
      : "+" constraint(d[0]), "+" constraint(d[1]), "+" constraint(d[2]), "+" constraint(d[3])  \
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), \
        "r"(metadata))

__device__ __forceinline__ void mma_sp(F16, float (&d)[4], const unsigned (&a)[4],
                                       const unsigned (&b)[4], unsigned metadata) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  ARCHGRID_MMA_SPARSE("m16n8k32.row.col.f32.f16.f16.f32", "f");
#else
  static_cast<void>(metadata);
  ARCHGRID_NOT_HERE;
#endif
}

__device__ __forceinline__ void mma_sp(Bf16, float (&d)[4], const unsigned (&a)[4],
                                       const unsigned (&b)[4], unsigned metadata) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  ARCHGRID_MMA_SPARSE("m16n8k32.row.col.f32.bf16.bf16.f32", "f");
#else
  static_cast<void>(metadata);
  ARCHGRID_NOT_HERE;
#endif
}

__device__ __forceinline__ void mma_sp(S8, int (&d)[4], const unsigned (&a)[4],
                                       const unsigned (&b)[4], unsigned metadata) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  ARCHGRID_MMA_SPARSE("m16n8k64.row.col.s32.s8.s8.s32", "r");
#else
  static_cast<void>(metadata);
  ARCHGRID_NOT_HERE;
#endif
}

#undef ARCHGRID_MMA_SPARSE
#undef ARCHGRID_SPARSE
#undef ARCHGRID_FP8
#undef ARCHGRID_NOT_HERE
#undef ARCHGRID_MMA

#endif

#if defined(ARCHGRID_CPU_EMULATOR) || (defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 900)
// Computes D += A * B of 8-bit floating-point numbers as two products of f16. By mma.sync, tensor
// cores of 9.0 multiply no 8-bit numbers, and compilers emulate the instruction. ptxas 12.4 does so
// wrongly (it returns 2 * A * B, as measured on an H200). Other releases of ptxas add D last, to a
// sum of both products, which is slower (248 instead of 297 TFLOP/s in a product of 8192 x 8192 on
// an H200). A driver compiles PTX for 8.9, which has the instruction, for 9.0, too:
// is_fp8_loadable() refuses the wrong code.
template <class T>
__device__ __forceinline__ void mma_sync_by_f16(T type, float (&d)[4], const unsigned (&a)[4],
                                                const unsigned (&b)[2]) {
  unsigned low_a[4];
  unsigned high_a[4];
  unsigned low_b[2];
  unsigned high_b[2];
  for (int i = 0; i < 4; ++i) detail::to_f16(type, a[i], low_a[i], high_a[i]);
  for (int i = 0; i < 2; ++i) detail::to_f16(type, b[i], low_b[i], high_b[i]);
  mma_sync(F16{}, d, low_a, low_b);
  mma_sync(F16{}, d, high_a, high_b);
}
#endif

}  // namespace archgrid::ptx
