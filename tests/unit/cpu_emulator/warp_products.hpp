// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes products by archgrid::cpu_emulator's mma(), from matrices of codes to a matrix of f32.
#ifndef ARCHGRID_TESTS_UNIT_HOST_WARP_PRODUCTS_HPP
#define ARCHGRID_TESTS_UNIT_HOST_WARP_PRODUCTS_HPP

#include <cuda_runtime.h>

#include <archgrid/cpu_emulator.hpp>
#include <archgrid/cpu_emulator/tensor_core.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace archgrid::cpu_emulator {

inline int bits_of(Number type) {
  switch (type) {
    case Number::tf32:
      return 32;
    case Number::e4m3:
    case Number::e5m2:
      return 8;
    default:
      return 16;
  }
}

/// Operands of many warps: each multiplies 16 rows of A by 8 columns of B and adds 16 rows of C.
struct WarpProducts {
  Number type = Number::f16;
  int k = 16;
  std::vector<std::uint32_t> a;  ///< [warp][row][k], one code each
  std::vector<std::uint32_t> b;  ///< [warp][column][k]
  std::vector<float> c;          ///< [warp][row][column]

  std::size_t warps() const { return c.size() / 128; }
};

// Returns a register of a lane: neighbours in K of one line, as in PTX's "Matrix Fragments for
// mma.m16n8k16" and the like.
inline std::uint32_t fragment_register(const std::uint32_t* lines, int line, int first_k, int k,
                                       int bits) {
  std::uint32_t word = 0;
  for (int i = 0; i < 32 / bits; ++i) word |= lines[line * k + first_k + i] << (i * bits);
  return word;
}

__global__ inline void multiply_warps(const WarpProducts* products, float* d) {
  const int k = products->k;
  const int bits = bits_of(products->type);
  const int per_register = 32 / bits;
  const std::size_t warp = blockIdx.x;
  const std::uint32_t* const a = products->a.data() + warp * 16 * static_cast<std::size_t>(k);
  const std::uint32_t* const b = products->b.data() + warp * 8 * static_cast<std::size_t>(k);
  const int group = static_cast<int>(threadIdx.x) / 4;
  const int within = static_cast<int>(threadIdx.x) % 4;
  std::uint32_t of_a[4] = {};
  std::uint32_t of_b[2] = {};
  for (int half = 0; half < k / (4 * per_register); ++half) {
    const int first_k = (half * 4 + within) * per_register;
    of_a[2 * half] = fragment_register(a, group, first_k, k, bits);
    of_a[2 * half + 1] = fragment_register(a, group + 8, first_k, k, bits);
    of_b[half] = fragment_register(b, group, first_k, k, bits);
  }
  float sums[4];
  const auto place = [&](int i) {
    return warp * 128 + static_cast<std::size_t>((group + i / 2 * 8) * 8 + within * 2 + i % 2);
  };
  for (int i = 0; i < 4; ++i) sums[i] = products->c[place(i)];
  mma(products->type, k, sums, of_a, of_b, sums, Site::here());
  for (int i = 0; i < 4; ++i) d[place(i)] = sums[i];
}

/// Returns D of each warp, [warp][row][column], as the device of set_device() computes it.
inline std::vector<float> multiply(const WarpProducts& products) {
  std::vector<float> d(products.c.size());
  launch(multiply_warps, dim3(static_cast<unsigned>(products.warps())), dim3(32), 0, &products,
         d.data());
  return d;
}

}  // namespace archgrid::cpu_emulator

#endif
