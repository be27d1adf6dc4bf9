// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Kernels that measure the peak rate of tensor cores, one for each of the structs below. Matrix
// files promise the kernels of each type by the names of the structs.
#pragma once

#include "mma_ceiling.hpp"
#include "ptx/mma.cuh"

namespace archgrid::gemm {

// A product of numbers of one type. The bits `Ones` make the magnitude of each number in a register
// 0.5 to 1; the bits `Free`, including the sign, are arbitrary. Zeros would heat the card less than
// real work.
template <class N, class S, unsigned Free, unsigned Ones, int Elements>
struct Mma {
  using Sum = S;
  static constexpr double flops = 2.0 * 16 * 8 * Elements * 8;  // K has 8 registers per row
  struct Operands {
    unsigned a[4];
    unsigned b[2];
  };
  struct Sums {
    S of[4];
  };
  __device__ static unsigned bits(unsigned i) { return (i * 2654435761u & Free) | Ones; }
  __device__ static Operands operands(unsigned i) {
    return {{bits(i), bits(i + 1), bits(i + 2), bits(i + 3)}, {bits(i + 4), bits(i + 5)}};
  }
  __device__ static void multiply_add(Sums& sums, const Operands& left, const Operands& right) {
    ptx::mma_sync(N(), sums.of, left.a, right.b);
  }
};

struct F16_mma : Mma<ptx::F16, float, 0x83ff83ffu, 0x38003800u, 2> {};
struct Bf16_mma : Mma<ptx::Bf16, float, 0x807f807fu, 0x3f003f00u, 2> {};
struct Tf32_mma : Mma<ptx::Tf32, float, 0x807fe000u, 0x3f000000u, 1> {};
struct E4m3_mma : Mma<ptx::E4m3, float, 0x87878787u, 0x30303030u, 4> {};
struct E5m2_mma : Mma<ptx::E5m2, float, 0x83838383u, 0x38383838u, 4> {};
struct S8_mma : Mma<ptx::S8, int, 0xffffffffu, 0u, 4> {};

struct F64_mma {
  using Sum = double;
  static constexpr double flops = 2.0 * 8 * 8 * 4;
  struct Operands {
    double a;
    double b;
  };
  struct Sums {
    double of[2];
  };
  __device__ static Operands operands(unsigned i) {
    const double a = 0.5 + static_cast<double>(i * 2654435761u) * 0x1p-33;
    return {a, i % 2 == 0 ? a : -a};
  }
  __device__ static void multiply_add(Sums& sums, const Operands& left, const Operands& right) {
    ptx::mma_sync(sums.of, left.a, right.b);
  }
};

namespace {
constexpr int chains = 8;  // independent chains of products per warp
constexpr int rounds = 1024;
constexpr int unrolled = chains;
constexpr int threads = 256;
}  // namespace

template <class M>
__global__ void __launch_bounds__(threads) mma_ceiling(unsigned seed, typename M::Sum* result) {
  // Each product has its own pair of operands: a compiler that replaces one instruction by several
  // would merge products of equal operands.
  typename M::Operands operands[chains];
#pragma unroll
  for (int i = 0; i < chains; ++i) operands[i] = M::operands(threadIdx.x + seed + 8 * i);
  typename M::Sums sums[chains] = {};
#pragma unroll 1
  for (int round = 0; round < rounds; round += unrolled) {
#pragma unroll
    for (int i = 0; i < unrolled * chains; ++i) {
      M::multiply_add(sums[i % chains], operands[i % chains], operands[i / chains]);
    }
  }
  typename M::Sum sum = 0;
  for (const typename M::Sums& some : sums) {
    for (const typename M::Sum one : some.of) sum += one;
  }
  // Unused sums would be optimised away. `result` is always null, so no thread stores them.
  if (result != nullptr) *result = sum;
}

/// A global object that adds the kernel of M to mma_ceilings().
template <class M>
struct Measured {
  static cudaError_t launch(int blocks, cudaStream_t stream) {
    mma_ceiling<M><<<static_cast<unsigned>(blocks), threads, 0, stream>>>(1, nullptr);
    return cudaGetLastError();
  }

  static cudaError_t count_blocks(int* of_multiprocessor) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(of_multiprocessor, mma_ceiling<M>, threads,
                                                         0);
  }

  explicit Measured(const char* type) {
    mma_ceilings().push_back(
        {type, M::flops * chains * rounds * (threads / 32), launch, count_blocks});
  }
};

}  // namespace archgrid::gemm
