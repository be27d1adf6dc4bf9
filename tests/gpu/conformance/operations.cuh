// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Every operation that archgrid::cpu_emulator models beyond the language itself. Each is a function
// of a warp from input words to result words, compiled by nvcc for a GPU, and for the CPU.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

#include "ptx/cp_async.cuh"
#include "ptx/launch.cuh"
#include "ptx/mma.cuh"
#include "ptx/vote.cuh"

namespace archgrid::conformance {

constexpr unsigned all_lanes = 0xffffffffu;

// The kinds of random inputs that exercise an operation.
enum class Inputs {
  words,  // any bits
  f16,    // pairs of numbers of moderate size; some are subnormal, infinite or NaN
  bf16,
  f32,
  e4m3,  // four numbers of any kind, rarely NaN
  e5m2,
  f64,  // pairs of words
};

// An operation takes `in` words per lane and returns `out` words. first_device is 80 for 8.0.
// `formats` has a letter for each result word:
//   w  plain bits          h  f16, in the low half       b  bf16, in the low half
//   f  f32                 d  the low word of an f64     D  the high word of an f64
template <class Number, Inputs Kind, int FirstDevice>
struct Mma {
  static constexpr int in = 10;
  static constexpr int out = 4;
  static constexpr int first_device = FirstDevice;
  static constexpr Inputs inputs = Kind;
  static constexpr const char* formats = "ffff";
  static __device__ void run(const unsigned* words, unsigned* results) {
    const unsigned a[4] = {words[0], words[1], words[2], words[3]};
    const unsigned b[2] = {words[4], words[5]};
    float sum[4];
    for (int i = 0; i < 4; ++i) sum[i] = __uint_as_float(words[6 + i]);
    ptx::mma_sync(Number(), sum, a, b);
    for (int i = 0; i < 4; ++i) results[i] = __float_as_uint(sum[i]);
  }
};
using MmaF16 = Mma<ptx::F16, Inputs::f16, 75>;
using MmaBf16 = Mma<ptx::Bf16, Inputs::bf16, 80>;
using MmaTf32 = Mma<ptx::Tf32, Inputs::f32, 80>;
using MmaE4m3 = Mma<ptx::E4m3, Inputs::e4m3, 89>;
using MmaE5m2 = Mma<ptx::E5m2, Inputs::e5m2, 89>;

struct MmaS8 {
  static constexpr int in = 10;
  static constexpr int out = 4;
  static constexpr int first_device = 75;
  static constexpr Inputs inputs = Inputs::words;
  static constexpr const char* formats = "wwww";
  static __device__ void run(const unsigned* words, unsigned* results) {
    const unsigned a[4] = {words[0], words[1], words[2], words[3]};
    const unsigned b[2] = {words[4], words[5]};
    int sum[4];
    for (int i = 0; i < 4; ++i) sum[i] = static_cast<int>(words[6 + i]);
    ptx::mma_sync(ptx::S8(), sum, a, b);
    for (int i = 0; i < 4; ++i) results[i] = static_cast<unsigned>(sum[i]);
  }
};

// Maps each four bits to one of the six valid values of metadata.
__device__ inline unsigned ordered_metadata(unsigned word) {
  unsigned metadata = 0;
  for (int bit = 0; bit < 32; bit += 4) {
    const unsigned first = (word >> bit & 3u) % 3u;
    const unsigned second = first + 1 + (word >> (bit + 2) & 3u) % (3u - first);
    metadata |= (first | second << 2) << bit;
  }
  return metadata;
}

template <class Number, Inputs Kind>
struct MmaSparse {
  static constexpr int in = 13;
  static constexpr int out = 4;
  static constexpr int first_device = 80;
  static constexpr Inputs inputs = Kind;
  static constexpr const char* formats = "ffff";
  static __device__ void run(const unsigned* words, unsigned* results) {
    const unsigned a[4] = {words[0], words[1], words[2], words[3]};
    const unsigned b[4] = {words[4], words[5], words[6], words[7]};
    float sum[4];
    for (int i = 0; i < 4; ++i) sum[i] = __uint_as_float(words[8 + i]);
    ptx::mma_sp(Number(), sum, a, b, ordered_metadata(words[12]));
    for (int i = 0; i < 4; ++i) results[i] = __float_as_uint(sum[i]);
  }
};
using MmaSparseF16 = MmaSparse<ptx::F16, Inputs::f16>;
using MmaSparseBf16 = MmaSparse<ptx::Bf16, Inputs::bf16>;

struct MmaSparseS8 {
  static constexpr int in = 13;
  static constexpr int out = 4;
  static constexpr int first_device = 80;
  static constexpr Inputs inputs = Inputs::words;
  static constexpr const char* formats = "wwww";
  static __device__ void run(const unsigned* words, unsigned* results) {
    const unsigned a[4] = {words[0], words[1], words[2], words[3]};
    const unsigned b[4] = {words[4], words[5], words[6], words[7]};
    int sum[4];
    for (int i = 0; i < 4; ++i) sum[i] = static_cast<int>(words[8 + i]);
    ptx::mma_sp(ptx::S8(), sum, a, b, ordered_metadata(words[12]));
    for (int i = 0; i < 4; ++i) results[i] = static_cast<unsigned>(sum[i]);
  }
};

__device__ inline double double_of(const unsigned* words) {
  return __longlong_as_double(
      static_cast<long long>(static_cast<unsigned long long>(words[1]) << 32 | words[0]));
}
__device__ inline void words_of(double value, unsigned* words) {
  const auto bits = static_cast<unsigned long long>(__double_as_longlong(value));
  words[0] = static_cast<unsigned>(bits);
  words[1] = static_cast<unsigned>(bits >> 32);
}

struct MmaF64 {
  static constexpr int in = 8;
  static constexpr int out = 4;
  static constexpr int first_device = 80;
  static constexpr Inputs inputs = Inputs::f64;
  static constexpr const char* formats = "dDdD";
  static __device__ void run(const unsigned* words, unsigned* results) {
    double sum[2] = {double_of(words + 4), double_of(words + 6)};
    ptx::mma_sync(sum, double_of(words), double_of(words + 2));
    words_of(sum[0], results);
    words_of(sum[1], results + 2);
  }
};

template <bool Transposed>
struct LoadMatrices {
  static constexpr int in = 4;
  static constexpr int out = 4;
  static constexpr int first_device = 75;
  static constexpr Inputs inputs = Inputs::words;
  static constexpr const char* formats = "wwww";
  static __device__ void run(const unsigned* words, unsigned* results) {
    __shared__ __align__(16) unsigned rows[32][4];
    for (int i = 0; i < 4; ++i) rows[threadIdx.x][i] = words[i];
    __syncthreads();
    unsigned registers[4];
    // The order of rows differs from that of lanes.
    ptx::ldmatrix_x4<Transposed>(registers, rows[(threadIdx.x * 5 + 3) % 32]);
    for (int i = 0; i < 4; ++i) results[i] = registers[i];
  }
};

// Copies 16 bytes, of which (lane % 17) are valid.
struct CopyAsync {
  static constexpr int in = 4;
  static constexpr int out = 4;
  static constexpr int first_device = 50;
  static constexpr Inputs inputs = Inputs::words;
  static constexpr const char* formats = "wwww";
  static __device__ void run(const unsigned* words, unsigned* results) {
    __shared__ __align__(16) unsigned rows[32][4];
    ptx::cp_async<16>(rows[threadIdx.x], words, static_cast<int>(threadIdx.x) % 17);
    ptx::cp_async_commit_group();
    ptx::cp_async_wait_group<0>();
    __syncthreads();
    for (int i = 0; i < 4; ++i) results[i] = rows[threadIdx.x ^ 1][i];
  }
};

struct Warp {
  static constexpr int in = 1;
  static constexpr int out = 13;
  static constexpr int first_device = 50;
  static constexpr Inputs inputs = Inputs::words;
  static constexpr const char* formats = "wwwwwwwwwwwww";
  static __device__ void run(const unsigned* words, unsigned* results) {
    const unsigned word = words[0];
    results[0] = __shfl_sync(all_lanes, word, static_cast<int>(threadIdx.x * 7 + 1), 32);
    results[1] = __shfl_sync(all_lanes, word, 3, 8);
    results[2] = __shfl_up_sync(all_lanes, word, 3, 16);
    results[3] = __shfl_down_sync(all_lanes, word, 5, 8);
    results[4] = __shfl_xor_sync(all_lanes, word, 9, 32);
    results[5] = __shfl_xor_sync(all_lanes, word, 5, 4);
    results[6] = __ballot_sync(all_lanes, (word & 1u) != 0);
    results[7] = static_cast<unsigned>(__any_sync(all_lanes, word % 64 == 0));
    results[8] = static_cast<unsigned>(__all_sync(all_lanes, word % 64 != 0));
    results[9] = static_cast<unsigned>(__syncthreads_count((word & 2u) != 0));
    results[10] =
        static_cast<unsigned>(__popc(word)) + static_cast<unsigned>(__clz(static_cast<int>(word)));
    results[11] = __umulhi(word, 0x9e3779b9u);
    results[12] = ptx::match_bit(word & 4u);
  }
};

struct Half {
  static constexpr int in = 3;
  static constexpr int out = 8;
  static constexpr int first_device = 53;
  static constexpr Inputs inputs = Inputs::f16;
  static constexpr const char* formats = "hhhhfhhw";
  static __device__ void run(const unsigned* words, unsigned* results) {
    const __half a = __ushort_as_half(static_cast<unsigned short>(words[0]));
    const __half b = __ushort_as_half(static_cast<unsigned short>(words[1]));
    const __half c = __ushort_as_half(static_cast<unsigned short>(words[2]));
    results[0] = __half_as_ushort(__hadd(a, b));
    results[1] = __half_as_ushort(__hmul(a, b));
    results[2] = __half_as_ushort(__hfma(a, b, c));
    results[3] = __half_as_ushort(__hsub(a, b));
    results[4] = __float_as_uint(__half2float(a));
    results[5] = __half_as_ushort(__float2half_rn(__uint_as_float(words[1])));
    results[6] = __half_as_ushort(__double2half(static_cast<double>(__uint_as_float(words[2]))));
    results[7] = static_cast<unsigned>(__hlt(a, b)) + 2 * static_cast<unsigned>(__heq(a, a));
  }
};

struct Bfloat {
  static constexpr int in = 3;
  static constexpr int out = 6;
  static constexpr int first_device = 80;
  static constexpr Inputs inputs = Inputs::bf16;
  static constexpr const char* formats = "bbbfbb";
  static __device__ void run(const unsigned* words, unsigned* results) {
    const __nv_bfloat16 a = __ushort_as_bfloat16(static_cast<unsigned short>(words[0]));
    const __nv_bfloat16 b = __ushort_as_bfloat16(static_cast<unsigned short>(words[1]));
    const __nv_bfloat16 c = __ushort_as_bfloat16(static_cast<unsigned short>(words[2]));
    results[0] = __bfloat16_as_ushort(__hadd(a, b));
    results[1] = __bfloat16_as_ushort(__hmul(a, b));
    results[2] = __bfloat16_as_ushort(__hfma(a, b, c));
    results[3] = __float_as_uint(__bfloat162float(a));
    results[4] = __bfloat16_as_ushort(__float2bfloat16_rn(__uint_as_float(words[1])));
    results[5] = __bfloat16_as_ushort(__float2bfloat16_rn(__uint_as_float(words[2] ^ 0x8000u)));
  }
};

struct Fp8 {
  static constexpr int in = 2;
  static constexpr int out = 6;
  static constexpr int first_device = 50;
  static constexpr Inputs inputs = Inputs::f32;
  static constexpr const char* formats = "wwwwff";
  static __device__ void run(const unsigned* words, unsigned* results) {
    const float x = __uint_as_float(words[0]) * 4.0f;
    results[0] = __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E4M3);
    results[1] = __nv_cvt_float_to_fp8(x, __NV_NOSAT, __NV_E4M3);
    results[2] = __nv_cvt_float_to_fp8(x * 512.0f, __NV_SATFINITE, __NV_E5M2);
    results[3] = __nv_cvt_float_to_fp8(x * 512.0f, __NV_NOSAT, __NV_E5M2);
    __nv_fp8_e4m3 e4m3;
    e4m3.__x = static_cast<__nv_fp8_storage_t>(words[1]);
    __nv_fp8_e5m2 e5m2;
    e5m2.__x = static_cast<__nv_fp8_storage_t>(words[1] >> 8);
    results[4] = __float_as_uint(static_cast<float>(e4m3));
    results[5] = __float_as_uint(static_cast<float>(e5m2));
  }
};

struct Arithmetic {
  static constexpr int in = 4;
  static constexpr int out = 8;
  static constexpr int first_device = 50;
  static constexpr Inputs inputs = Inputs::f32;
  static constexpr const char* formats = "fffffdDw";
  static __device__ void run(const unsigned* words, unsigned* results) {
    const float a = __uint_as_float(words[0]);
    const float b = __uint_as_float(words[1]);
    results[0] = __float_as_uint(fmaf(a, b, __uint_as_float(words[2])));
    results[1] = __float_as_uint(__fadd_rn(a, b));
    results[2] = __float_as_uint(__fmul_rn(a, b));
    results[3] = __float_as_uint(__fdiv_rn(a, b));
    results[4] = __float_as_uint(__fsqrt_rn(fabsf(a)));
    words_of(__fma_rn(static_cast<double>(a), static_cast<double>(b), 1e-9), results + 5);
    __shared__ unsigned total;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    // The results depend on no order, as all additions precede all maxima.
    atomicAdd(&total, words[3]);
    __syncthreads();
    atomicMax(&total, words[3]);
    __syncthreads();
    results[7] = total;
  }
};

// Each block, which is one warp, runs one case.
template <class Operation>
__global__ void __launch_bounds__(32) apply(const unsigned* in, unsigned* out) {
  const std::size_t lane = static_cast<std::size_t>(blockIdx.x) * 32 + threadIdx.x;
  Operation::run(in + lane * Operation::in, out + lane * Operation::out);
}

}  // namespace archgrid::conformance
