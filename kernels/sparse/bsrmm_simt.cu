// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// BSR products with ordinary multiply-adds, for blocks of any extents. The operands of a tile of C
// pass through shared memory, 16 of K at a time.
#include "sparse/bsrmm.cuh"
#include "sparse/variant.h"

namespace archgrid::sparse {

template <class V, int TileM, int TileN, int ThreadN>
struct BsrmmSimtShape {
  using Value = V;
  using Sum = typename SumOf<Value>::Type;
  static constexpr int tile_m = TileM;
  static constexpr int tile_n = TileN;
  static constexpr int tile_k = 16;
  static constexpr int thread_m = 4;
  static constexpr int thread_n = ThreadN;
  static constexpr int threads_n = TileN / ThreadN;
  static constexpr int threads = TileM / thread_m * threads_n;
  static constexpr int k_step = threads / tile_k;  // rows or columns read at once
  // Padding puts adjacent k into different banks. A's rows are read four at a time.
  static constexpr int pitch_a = TileM + 4;
  static constexpr int pitch_b = TileN + 1;
  static_assert(threads == 256 && TileN % k_step == 0, "threads cover the tiles");
};

// Copies elements of one k to shared memory, from rows or columns that are k_step apart.
template <class S, int TileMN, int Pitch, class Get>
__device__ __forceinline__ void load_operand(typename S::Sum (&tile)[S::tile_k][Pitch], int k,
                                             int first_mn, Get get) {
#pragma unroll
  for (int turn = 0; turn < (TileMN + S::k_step - 1) / S::k_step; ++turn) {
    const int mn = first_mn + turn * S::k_step;
    if (TileMN % S::k_step == 0 || mn < TileMN) tile[k][mn] = get(mn);
  }
}

template <class S>
__global__ void __launch_bounds__(S::threads, 2)
    bsrmm_simt_kernel(BsrmmArguments<typename S::Value> args) {
  using Sum = typename S::Sum;
  __shared__ Sum a[S::tile_k][S::pitch_a];
  __shared__ Sum b[S::tile_k][S::pitch_b];
  const BsrmmTile tile = tile_of_block(args, S::tile_m, S::tile_n);
  const int thread = static_cast<int>(threadIdx.x);
  // Adjacent threads read adjacent elements: along K for A, along K or along a row for B.
  const int a_k = thread % S::tile_k;
  const int a_mn = thread / S::tile_k;
  const bool is_b_along_k = args.b.row_stride == 1;
  const int b_k = is_b_along_k ? a_k : thread / S::k_step;
  const int b_mn = is_b_along_k ? a_mn : thread % S::k_step;

  BlockRowIterator<typename S::Value> iterator_a(args, tile.block_row);
  BlockRowIterator<typename S::Value> iterator_b = iterator_a;
  const long long all = iterator_a.blocks_left() * args.block_columns;
  iterator_a.advance(a_k);
  iterator_b.advance(b_k);

  const int first_row = thread / S::threads_n * S::thread_m;
  const int first_column = thread % S::threads_n;
  Sum sum[S::thread_m][S::thread_n] = {};
  for (long long done = 0; done < all; done += S::tile_k) {
    load_operand<S, S::tile_m>(a, a_k, a_mn, [&](int mn) {
      const int row = tile.first_row + mn;
      return iterator_a.is_valid() && row < args.block_rows ? widened(*iterator_a.values(row))
                                                            : Sum(0);
    });
    const bool has_b = iterator_b.is_valid() && iterator_b.k() < args.columns;
    load_operand<S, S::tile_n>(b, b_k, b_mn, [&](int mn) {
      const long long column = tile.first_column + mn;
      return has_b && column < args.n ? widened(*args.b.at(iterator_b.k(), column)) : Sum(0);
    });
    iterator_a.advance(S::tile_k);
    iterator_b.advance(S::tile_k);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < S::tile_k; ++k) {
#pragma unroll
      for (int j = 0; j < S::thread_n; ++j) {
        const Sum factor = b[k][first_column + j * S::threads_n];
#pragma unroll
        for (int i = 0; i < S::thread_m; ++i)
          sum[i][j] = fma(a[k][first_row + i], factor, sum[i][j]);
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < S::thread_m; ++i) {
    const int in_block = tile.first_row + first_row + i;
    const long long row = tile.block_row * args.block_rows + in_block;
    if (in_block >= args.block_rows || row >= args.rows) continue;
#pragma unroll
    for (int j = 0; j < S::thread_n; ++j) {
      const long long column = tile.first_column + first_column + j * S::threads_n;
      if (column < args.n) store(args, row, column, sum[i][j]);
    }
  }
}

namespace {

template <class Value>
using ShortTile = BsrmmSimtShape<Value, 8, 128, 1>;
template <class Value>
using TallTile = BsrmmSimtShape<Value, 32, 64, 2>;

template <class S>
cudaError_t launch(const Bsrmm& p, cudaStream_t stream) {
  return launch_tiles(bsrmm_simt_kernel<S>, p, S::tile_m, S::tile_n, S::threads, 0, stream);
}

template <class Value>
cudaError_t launch_for(const Bsrmm& p, cudaStream_t stream) {
  return p.a.block_rows <= ShortTile<Value>::tile_m ? launch<ShortTile<Value>>(p, stream)
                                                    : launch<TallTile<Value>>(p, stream);
}

}  // namespace

cudaError_t bsrmm_simt(const Bsrmm& p, cudaStream_t stream) {
  if (!validate(p).empty()) return cudaErrorInvalidValue;
  switch (p.a.type) {
    case Number::f16:
      return launch_for<__half>(p, stream);
    case Number::f32:
      return launch_for<float>(p, stream);
    case Number::f64:
      return launch_for<double>(p, stream);
  }
  return cudaErrorInvalidValue;
}
cudaError_t bsrmm_simt_is_loadable() {
  return ptx::is_loadable(bsrmm_simt_kernel<TallTile<float>>);
}

}  // namespace archgrid::sparse
