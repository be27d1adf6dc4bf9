// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// What every kernel of the family is given, and how a launch makes it of a problem. C is row-major
// here: the transposed product gives a column-major one.
#pragma once

#include <cuda_runtime.h>

#include <type_traits>

#include "gemm/problem.h"
#include "ptx/launch.cuh"

namespace archgrid::gemm {

// A or B as lines of K: a line is a row of A or a column of B.
struct Operand {
  const void* data;
  long long stride;  // the distance, in elements, of neighbours across the contiguous direction
  long long batch_stride;
  bool is_k_contiguous;  // the elements of a line lie side by side; otherwise those of one k do
  bool is_aligned;       // to 16 bytes: each run of contiguous elements begins at a multiple
};

// Sum is what products are added up in: float, double or int.
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
  bool is_bias_of_rows;
  Activation activation;
  int tiles_m, tiles_n;
  int batches;
  int splits;
  int k_of_split;  // a multiple of the tile's k
  Sum* partials;   // [split][batch][m][n], where splits > 1
};

inline bool is_aligned_to_16(const void* data, long long stride, long long batch_stride,
                             int bytes) {
  return reinterpret_cast<std::size_t>(data) % 16 == 0 && stride * bytes % 16 == 0 &&
         batch_stride * bytes % 16 == 0;
}

inline Operand operand(const Matrix<const void*>& matrix, bool is_k_contiguous, Type type) {
  return {matrix.data, matrix.leading, matrix.batch_stride, is_k_contiguous,
          is_aligned_to_16(matrix.data, matrix.leading, matrix.batch_stride, bytes_of(type))};
}

inline int tiles(int extent, int tile) {
  return extent / tile + (extent % tile != 0);
}

template <class Sum>
Arguments<Sum> arguments_of(const Problem& p, int tile_m, int tile_n, int tile_k, int splits,
                            void* partials) {
  const bool is_transposed = p.c.layout == Layout::column;
  Arguments<Sum> args{};
  args.m = is_transposed ? p.n : p.m;
  args.n = is_transposed ? p.m : p.n;
  args.k = p.k;
  const Operand a = operand(p.a, p.a.layout == Layout::row, p.input);
  const Operand b = operand(p.b, p.b.layout == Layout::column, p.input);
  args.a = is_transposed ? b : a;
  args.b = is_transposed ? a : b;
  args.c = p.c.data;
  args.ldc = p.c.leading;
  args.c_batch_stride = p.c.batch_stride;
  args.output = p.output;
  args.alpha = static_cast<Sum>(p.alpha);
  args.beta = static_cast<Sum>(p.beta);
  args.bias = p.bias;
  args.is_bias_of_rows = is_transposed;
  args.activation = p.activation;
  args.tiles_m = tiles(args.m, tile_m);
  args.tiles_n = tiles(args.n, tile_n);
  args.batches = p.batches;
  args.splits = splits;
  args.k_of_split = tiles(tiles(p.k, tile_k), splits) * tile_k;
  args.partials = static_cast<Sum*>(partials);
  return args;
}

// Where a block's work lies: its tile of C, its product of the batch, its part of K.
struct Work {
  int row, column;
  int batch;
  int split;
  int first_k, end_k;
};

// One grid dimension, because the others end at 65535. Neighbouring blocks take tiles of a band of
// rows, column by column, so that those that run at the same time share both operands in L2.
template <class Sum>
__device__ __forceinline__ Work work_of_block(const Arguments<Sum>& args, int tile_m, int tile_n) {
  constexpr int band = 8;
  const int tiles_of_product = args.tiles_m * args.tiles_n;
  const int product = static_cast<int>(blockIdx.x) / tiles_of_product;
  const int tile = static_cast<int>(blockIdx.x) % tiles_of_product;
  const int first_row = tile / (band * args.tiles_n) * band;
  const int left = args.tiles_m - first_row;
  const int rows = left < band ? left : band;
  const int in_band = tile % (band * args.tiles_n);
  Work work;
  work.row = (first_row + in_band % rows) * tile_m;
  work.column = in_band / rows * tile_n;
  work.split = product % args.splits;
  work.batch = product / args.splits;
  const long long first = static_cast<long long>(work.split) * args.k_of_split;
  const long long end = first + args.k_of_split;
  work.first_k = static_cast<int>(first < args.k ? first : args.k);
  work.end_k = static_cast<int>(end < args.k ? end : args.k);
  return work;
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
