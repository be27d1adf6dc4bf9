// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// The arguments of every GEMM kernel, and their computation from a problem. C is row-major here: a
// column-major C is computed as the transposed product.
#pragma once

#include <cuda_runtime.h>

#include <type_traits>

#include "gemm/problem.h"
#include "ptx/launch.cuh"

namespace archgrid::gemm {

// A or B. Its two dimensions are K, and M for A or N for B.
struct Operand {
  const void* data;
  long long stride;  // elements between neighbours in the non-contiguous direction
  long long batch_stride;
  bool is_k_major;  // rows of A or columns of B are contiguous; otherwise elements of one k are
  bool is_aligned;  // contiguous elements begin at a multiple of 16 bytes
};

// The number of adjacent elements of a row of C that a thread stores at once (a vector). It is 1
// for double: the epilogue of one double already uses all registers.
template <class Sum>
constexpr int elements_per_vector = sizeof(Sum) == 4 ? 4 : 1;

// The arguments of a kernel. Sum is the accumulator type: float, double or int.
template <class Sum>
struct Arguments {
  int m, n, k;
  Operand a, b;
  void* c;
  long long ldc;
  long long c_batch_stride;
  Type output;
  Sum alpha, beta;
  const void* bias;
  bool is_bias_per_row;
  Activation activation;
  int tiles_m, tiles_n;
  int batches;
  int splits;
  int k_per_split;  // a multiple of the tile's k
  Sum* partials;    // [split][batch][m][n], where splits > 1
  // Each vector that begins at a multiple of its length is aligned to its size in bytes, in the
  // output and in a bias per column.
  bool is_epilogue_aligned;
};

// Reports whether `data` plus any multiples of the strides is a multiple of `bytes`.
inline bool is_aligned_to(std::size_t bytes, const void* data, long long stride,
                          long long batch_stride, int bytes_of_element) {
  const auto is_multiple = [&](std::size_t distance) { return distance % bytes == 0; };
  return is_multiple(reinterpret_cast<std::size_t>(data)) &&
         is_multiple(static_cast<std::size_t>(stride) * bytes_of_element) &&
         is_multiple(static_cast<std::size_t>(batch_stride) * bytes_of_element);
}

inline Operand make_operand(const Matrix<const void*>& matrix, bool is_k_major, Type type) {
  return {matrix.data, matrix.leading, matrix.batch_stride, is_k_major,
          is_aligned_to(16, matrix.data, matrix.leading, matrix.batch_stride, bytes_of(type))};
}

template <class Sum>
bool is_epilogue_aligned(const Arguments<Sum>& args) {
  const int bytes = args.splits > 1 ? static_cast<int>(sizeof(Sum)) : bytes_of(args.output);
  const std::size_t bytes_of_vector = static_cast<std::size_t>(bytes) * elements_per_vector<Sum>;
  if (args.splits > 1) return is_aligned_to(bytes_of_vector, args.partials, args.n, 0, bytes);
  return is_aligned_to(bytes_of_vector, args.c, args.ldc, args.c_batch_stride, bytes) &&
         (args.is_bias_per_row || is_aligned_to(bytes_of_vector, args.bias, 0, 0, bytes));
}

inline int ceil_div(int extent, int tile) {
  return extent / tile + (extent % tile != 0);
}

template <class Sum>
Arguments<Sum> arguments_of(const Problem& p, int tile_m, int tile_n, int tile_k, int splits,
                            void* partials) {
  const bool is_transposed = p.c.layout == Layout::column;
  Arguments<Sum> args{};
  args.m = is_transposed ? p.n : p.m;
  args.n = is_transposed ? p.m : p.n;
  // If nothing is multiplied, kernels get a K of 0: they load no k-tile, and their main loops need
  // no test.
  const bool multiplies = p.k > 0 && reads_operands(p);
  args.k = multiplies ? p.k : 0;
  const Operand a = make_operand(p.a, p.a.layout == Layout::row, p.input);
  const Operand b = make_operand(p.b, p.b.layout == Layout::column, p.input);
  if (multiplies) {
    args.a = is_transposed ? b : a;
    args.b = is_transposed ? a : b;
  }
  args.c = p.c.data;
  args.ldc = p.c.leading;
  args.c_batch_stride = p.c.batch_stride;
  args.output = p.output;
  args.alpha = multiplies ? static_cast<Sum>(p.alpha) : Sum(0);
  args.beta = static_cast<Sum>(p.beta);
  args.bias = p.bias;
  args.is_bias_per_row = is_transposed;
  args.activation = p.activation;
  args.tiles_m = ceil_div(args.m, tile_m);
  args.tiles_n = ceil_div(args.n, tile_n);
  args.batches = p.batches;
  args.splits = splits;
  args.k_per_split = ceil_div(ceil_div(args.k, tile_k), splits) * tile_k;
  args.partials = static_cast<Sum*>(partials);
  args.is_epilogue_aligned = is_epilogue_aligned(args);
  return args;
}

// The coordinates of a block: its tile of C, its product of the batch, its part of K.
struct TileCoord {
  int row, column;
  int batch;
  int split;
  int first_k, end_k;
};

// Returns the tile of this block. The grid has one dimension, because the others are limited to
// 65535. Consecutive blocks walk a band of tile rows column by column, so that blocks that run at
// the same time share both operands in L2.
template <class Sum>
__device__ __forceinline__ TileCoord tile_of_block(const Arguments<Sum>& args, int tile_m,
                                                   int tile_n) {
  constexpr int band = 8;
  const int tiles_per_product = args.tiles_m * args.tiles_n;
  const int product = static_cast<int>(blockIdx.x) / tiles_per_product;
  const int in_product = static_cast<int>(blockIdx.x) % tiles_per_product;
  const int first_row = in_product / (band * args.tiles_n) * band;
  const int left = args.tiles_m - first_row;
  const int rows = left < band ? left : band;
  const int in_band = in_product % (band * args.tiles_n);
  TileCoord tile;
  tile.row = (first_row + in_band % rows) * tile_m;
  tile.column = in_band / rows * tile_n;
  tile.split = product % args.splits;
  tile.batch = product / args.splits;
  const long long first = static_cast<long long>(tile.split) * args.k_per_split;
  const long long end = first + args.k_per_split;
  tile.first_k = static_cast<int>(first < args.k ? first : args.k);
  tile.end_k = static_cast<int>(end < args.k ? end : args.k);
  return tile;
}

template <class Sum>
cudaError_t launch_tiles(void (*kernel)(Arguments<Sum>), const Arguments<Sum>& args, int threads,
                         int shared_bytes, cudaStream_t stream) {
  const long long blocks = 1ll * args.tiles_m * args.tiles_n * args.batches * args.splits;
  return ptx::launch(kernel, dim3(static_cast<unsigned>(blocks)),
                     dim3(static_cast<unsigned>(threads)), static_cast<std::size_t>(shared_bytes),
                     stream, args);
}

}  // namespace archgrid::gemm
