// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// BSR products on tensor cores, for blocks with a multiple of 8 columns. A k-tile of 32 along K
// (mma/tile.cuh) is four groups of eight, each within one block.
#include "mma/tile.cuh"
#include "ptx/cp_async.cuh"
#include "sparse/bsrmm.cuh"
#include "sparse/variant.h"

namespace archgrid::sparse {

using mma::Major;

constexpr int group = 8;  // elements along K: 16 bytes
constexpr int groups_per_k_tile = 4;

// Shapes for each layout of B in shared memory.
template <Major B>
struct F16_16x128 : mma::Shape<ptx::F16, 16, 128, 1, 4, 3, 128, Major::k, B> {};
template <Major B>
struct F16_32x128 : mma::Shape<ptx::F16, 32, 128, 1, 4, 3, 128, Major::k, B> {};
template <Major B>
struct F16_64x128 : mma::Shape<ptx::F16, 64, 128, 2, 2, 3, 168, Major::k, B> {};

// Begins to copy k-tiles to shared memory, one after another. Each thread copies parts of one group
// of each k-tile. Its number selects the group of A, and of a B that is contiguous along K. Its
// warp selects the group of any other B.
template <class S>
class BsrmmLoader {
  using Storage = typename S::Storage;
  static constexpr bool is_b_along_k = S::major_b == Major::k;
  static constexpr int mn_step = S::threads / groups_per_k_tile;  // rows or columns copied at once
  static constexpr int vectors_per_row = S::tile_n / group;
  static constexpr int rows = 32 / vectors_per_row;  // rows of B that a warp copies at once
  static_assert(S::threads == 32 * groups_per_k_tile, "a warp for each group");
  static_assert(S::tile_n % mn_step == 0 && group % rows == 0, "whole turns");

 public:
  __device__ __forceinline__ BsrmmLoader(const BsrmmArguments<__half>& args, const BsrmmTile& tile)
      : args_(args),
        tile_(tile),
        thread_(static_cast<int>(threadIdx.x)),
        iterator_a_(args, tile.block_row),
        iterator_b_(iterator_a_),
        k_tiles_((iterator_a_.blocks_left() * args.block_columns + S::tile_k - 1) / S::tile_k),
        is_b_aligned_(reinterpret_cast<std::size_t>(args.b.data) % 16 == 0 &&
                      (is_b_along_k ? args.b.column_stride : args.b.row_stride) % group == 0) {
    iterator_a_.advance(group_of_a() * group);
    iterator_b_.advance(group_of_b() * group);
  }

  __device__ __forceinline__ long long k_tiles() const { return k_tiles_; }

  __device__ __forceinline__ void load(unsigned char* a, unsigned char* b) {
    load_a(a);
    load_b(b);
    iterator_a_.advance(S::tile_k);
    iterator_b_.advance(S::tile_k);
  }

 private:
  __device__ __forceinline__ int group_of_a() const { return thread_ % groups_per_k_tile; }
  __device__ __forceinline__ int group_of_b() const {
    return is_b_along_k ? group_of_a() : thread_ / 32;
  }

  __device__ __forceinline__ void load_a(unsigned char* k_tile) {
#pragma unroll
    for (int turn = 0; turn < (S::tile_m + mn_step - 1) / mn_step; ++turn) {
      const int mn = thread_ / groups_per_k_tile + turn * mn_step;
      if (S::tile_m % mn_step != 0 && mn >= S::tile_m) break;
      const int row = tile_.first_row + mn;
      const bool is_valid = iterator_a_.is_valid() && row < args_.block_rows;
      const __half* const from = is_valid ? iterator_a_.values(row) : args_.value;
      ptx::cp_async<16>(k_tile + mma::k_major_offset(mn, group_of_a()), from, is_valid ? 16 : 0);
    }
  }

  __device__ __forceinline__ void load_b(unsigned char* k_tile) {
    if (is_b_along_k) {
#pragma unroll
      for (int turn = 0; turn < S::tile_n / mn_step; ++turn) {
        const int mn = thread_ / groups_per_k_tile + turn * mn_step;
        load_vector(k_tile + mma::k_major_offset(mn, group_of_b()), iterator_b_.k(),
                    tile_.first_column + mn, args_.columns - iterator_b_.k(), args_.b.row_stride);
      }
    } else {
      const int c = thread_ % vectors_per_row;
      const long long column = tile_.first_column + c * group;
#pragma unroll
      for (int turn = 0; turn < group / rows; ++turn) {
        const int k = thread_ % 32 / vectors_per_row + turn * rows;
        load_vector(k_tile + mma::mn_major_offset<S::tile_n>(group_of_b() * group + k, c),
                    iterator_b_.k() + k, column, args_.n - column, args_.b.column_stride);
      }
    }
  }

  // Loads eight elements of B from (k, column) on, `step` apart. At most `left` of them exist.
  __device__ __forceinline__ void load_vector(unsigned char* to, long long k, long long column,
                                              long long left, long long step) {
    const bool is_valid = iterator_b_.is_valid() && k < args_.columns && column < args_.n;
    const int valid = !is_valid ? 0 : left < group ? static_cast<int>(left) : group;
    const __half* const from = is_valid ? args_.b.at(k, column) : args_.b.data;
    if (is_b_aligned_) {
      ptx::cp_async<16>(to, from, valid * S::bytes);
    } else {
      const auto* const stored = reinterpret_cast<const Storage*>(from);
      mma::store_gathered<S>(to, [&](int i) { return i < valid ? stored[i * step] : Storage(0); });
    }
  }

  const BsrmmArguments<__half>& args_;
  const BsrmmTile& tile_;
  int thread_;
  BlockRowIterator<__half> iterator_a_;
  BlockRowIterator<__half> iterator_b_;
  long long k_tiles_;
  bool is_b_aligned_;
};

// Stores two adjacent elements of a row, at once if they are contiguous and aligned.
__device__ __forceinline__ void store_pair(const BsrmmArguments<__half>& args, long long row,
                                           long long column, float left, float right) {
  float* const to = args.c.at(row, column);
  if (column + 1 < args.n && args.c.column_stride == 1 && args.beta == 0 &&
      reinterpret_cast<std::size_t>(to) % sizeof(float2) == 0) {
    *reinterpret_cast<float2*>(to) = make_float2(args.alpha * left, args.alpha * right);
    return;
  }
  if (column < args.n) store(args, row, column, left);
  if (column + 1 < args.n) store(args, row, column + 1, right);
}

template <class S>
__global__ void __launch_bounds__(S::threads, S::blocks)
    bsrmm_mma_kernel(BsrmmArguments<__half> args) {
  static_assert(ptx::fits_shared_memory(S::blocks, S::shared_bytes), "as many as the registers do");
  unsigned char* const shared = ptx::dynamic_shared<unsigned char>();
  const BsrmmTile tile = tile_of_block(args, S::tile_m, S::tile_n);
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int warp_row = warp / S::warps_n * S::mmas_m * 16;
  const int warp_column = warp % S::warps_n * S::mmas_n * 8;

  BsrmmLoader<S> loader(args, tile);
  float sum[S::mmas_m][S::mmas_n][4] = {};
  mma::run_mainloop<S>(
      shared, loader.k_tiles(),
      [&](unsigned char* stage) { loader.load(stage, stage + S::tile_m * S::tile_k_bytes); },
      [&](const unsigned char* stage) {
        mma::multiply_k_tile<S>(sum, stage, stage + S::tile_m * S::tile_k_bytes, warp_row,
                                warp_column);
      });

  // Eight lanes have adjacent elements of a column, four those of a row: 32 contiguous bytes either
  // way.
#pragma unroll
  for (int i = 0; i < S::mmas_m; ++i) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int in_block = tile.first_row + warp_row + i * 16 + lane / 4 + half * 8;
      const long long row = tile.block_row * args.block_rows + in_block;
      if (in_block >= args.block_rows || row >= args.rows) continue;
#pragma unroll
      for (int j = 0; j < S::mmas_n; ++j) {
        const long long column = tile.first_column + warp_column + j * 8 + lane % 4 * 2;
        store_pair(args, row, column, sum[i][j][half * 2], sum[i][j][half * 2 + 1]);
      }
    }
  }
}

namespace {

template <class S>
cudaError_t launch(const Bsrmm& p, cudaStream_t stream) {
  return launch_tiles(bsrmm_mma_kernel<S>, p, S::tile_m, S::tile_n, S::threads, S::shared_bytes,
                      stream);
}

template <template <Major> class Shape>
cudaError_t launch_for_layout(const Bsrmm& p, cudaStream_t stream) {
  return p.b.layout == Layout::row ? launch<Shape<Major::mn>>(p, stream)
                                   : launch<Shape<Major::k>>(p, stream);
}

}  // namespace

cudaError_t bsrmm_mma_f16(const Bsrmm& p, cudaStream_t stream) {
  if (!validate(p).empty() || !find_bsrmm_variant("bsrmm_mma_f16")->validate(p).empty())
    return cudaErrorInvalidValue;
  if (p.a.block_rows <= 16) return launch_for_layout<F16_16x128>(p, stream);
  if (p.a.block_rows <= 32) return launch_for_layout<F16_32x128>(p, stream);
  return launch_for_layout<F16_64x128>(p, stream);
}
cudaError_t bsrmm_mma_f16_is_loadable() {
  return ptx::is_loadable(bsrmm_mma_kernel<F16_64x128<Major::mn>>);
}

}  // namespace archgrid::sparse
