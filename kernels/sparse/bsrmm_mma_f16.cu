// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// BSR products on tensor cores, for blocks with a multiple of 8 columns. A slice of 32 along K
// (mma/tile.cuh) is four groups of eight, each within one block.
#include "mma/tile.cuh"
#include "ptx/copy_async.cuh"
#include "sparse/bsrmm.cuh"
#include "sparse/variant.h"

namespace archgrid::sparse {

using mma::Form;

constexpr int group = 8;  // elements along K: 16 bytes
constexpr int groups_of_slice = 4;

// Shapes for each form of B in shared memory.
template <Form B>
struct F16_16x128 : mma::Shape<ptx::F16, 16, 128, 1, 4, 3, 128, Form::lines, B> {};
template <Form B>
struct F16_32x128 : mma::Shape<ptx::F16, 32, 128, 1, 4, 3, 128, Form::lines, B> {};
template <Form B>
struct F16_64x128 : mma::Shape<ptx::F16, 64, 128, 2, 2, 3, 168, Form::lines, B> {};

// Begins to copy slices to shared memory, one after another. Each thread copies parts of one group
// of each slice. Its number selects the group of A, and of a B that is contiguous along K. Its warp
// selects the group of any other B.
template <class S>
class BsrmmLoader {
  using Storage = typename S::Storage;
  static constexpr bool is_b_along_k = S::form_b == Form::lines;
  static constexpr int lines = S::threads / groups_of_slice;  // lines copied at once
  static constexpr int chunks_of_row = S::tile_n / group;
  static constexpr int rows = 32 / chunks_of_row;  // rows of B that a warp copies at once
  static_assert(S::threads == 32 * groups_of_slice, "a warp for each group");
  static_assert(S::tile_n % lines == 0 && group % rows == 0, "whole turns");

 public:
  __device__ __forceinline__ BsrmmLoader(const BsrmmArguments<__half>& args, const BsrmmTile& tile)
      : args_(args),
        tile_(tile),
        thread_(static_cast<int>(threadIdx.x)),
        of_a_(args, tile.block_row),
        of_b_(of_a_),
        slices_((of_a_.blocks_left() * args.block_columns + S::tile_k - 1) / S::tile_k),
        is_b_aligned_(reinterpret_cast<std::size_t>(args.b.data) % 16 == 0 &&
                      (is_b_along_k ? args.b.column_step : args.b.row_step) % group == 0) {
    of_a_.advance(group_of_a() * group);
    of_b_.advance(group_of_b() * group);
  }

  __device__ __forceinline__ long long slices() const { return slices_; }

  __device__ __forceinline__ void load(unsigned char* a, unsigned char* b) {
    load_a(a);
    load_b(b);
    of_a_.advance(S::tile_k);
    of_b_.advance(S::tile_k);
  }

 private:
  __device__ __forceinline__ int group_of_a() const { return thread_ % groups_of_slice; }
  __device__ __forceinline__ int group_of_b() const {
    return is_b_along_k ? group_of_a() : thread_ / 32;
  }

  __device__ __forceinline__ void load_a(unsigned char* slice) {
#pragma unroll
    for (int turn = 0; turn < (S::tile_m + lines - 1) / lines; ++turn) {
      const int line = thread_ / groups_of_slice + turn * lines;
      if (S::tile_m % lines != 0 && line >= S::tile_m) break;
      const int row = tile_.first_row + line;
      const bool is_there = of_a_.is_there() && row < args_.block_rows;
      const __half* const from = is_there ? of_a_.values(row) : args_.value;
      ptx::copy_async<16>(slice + mma::offset_in_lines(line, group_of_a()), from,
                          is_there ? 16 : 0);
    }
  }

  __device__ __forceinline__ void load_b(unsigned char* slice) {
    if (is_b_along_k) {
#pragma unroll
      for (int turn = 0; turn < S::tile_n / lines; ++turn) {
        const int line = thread_ / groups_of_slice + turn * lines;
        load_chunk(slice + mma::offset_in_lines(line, group_of_b()), of_b_.k(),
                   tile_.first_column + line, args_.columns - of_b_.k(), args_.b.row_step);
      }
    } else {
      const int c = thread_ % chunks_of_row;
      const long long column = tile_.first_column + c * group;
#pragma unroll
      for (int turn = 0; turn < group / rows; ++turn) {
        const int k = thread_ % 32 / chunks_of_row + turn * rows;
        load_chunk(slice + mma::offset_in_columns<S::tile_n>(group_of_b() * group + k, c),
                   of_b_.k() + k, column, args_.n - column, args_.b.column_step);
      }
    }
  }

  // Loads eight elements of B from (k, column) on, `step` apart. At most `left` of them exist.
  __device__ __forceinline__ void load_chunk(unsigned char* to, long long k, long long column,
                                             long long left, long long step) {
    const bool is_there = of_b_.is_there() && k < args_.columns && column < args_.n;
    const int valid = !is_there ? 0 : left < group ? static_cast<int>(left) : group;
    const __half* const from = is_there ? args_.b.at(k, column) : args_.b.data;
    if (is_b_aligned_) {
      ptx::copy_async<16>(to, from, valid * S::bytes);
    } else {
      const auto* const stored = reinterpret_cast<const Storage*>(from);
      mma::store_chunk<S>(to, [&](int i) { return i < valid ? stored[i * step] : Storage(0); });
    }
  }

  const BsrmmArguments<__half>& args_;
  const BsrmmTile& tile_;
  int thread_;
  AlongBlocks<__half> of_a_;
  AlongBlocks<__half> of_b_;
  long long slices_;
  bool is_b_aligned_;
};

// Stores two adjacent elements of a row, at once if they are contiguous and aligned.
__device__ __forceinline__ void store_pair(const BsrmmArguments<__half>& args, long long row,
                                           long long column, float left, float right) {
  float* const to = args.c.at(row, column);
  if (column + 1 < args.n && args.c.column_step == 1 && args.beta == 0 &&
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
  static_assert(ptx::shared_memory_holds(S::blocks, S::shared_bytes),
                "as many as the registers do");
  unsigned char* const shared = ptx::dynamic_shared<unsigned char>();
  const BsrmmTile tile = tile_of_block(args, S::tile_m, S::tile_n);
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int warp_row = warp / S::warps_n * S::mmas_m * 16;
  const int warp_column = warp % S::warps_n * S::mmas_n * 8;

  BsrmmLoader<S> loader(args, tile);
  float sum[S::mmas_m][S::mmas_n][4] = {};
  mma::go_through_slices<S>(
      shared, loader.slices(),
      [&](unsigned char* stage) { loader.load(stage, stage + S::tile_m * S::line_bytes); },
      [&](const unsigned char* stage) {
        mma::multiply_slices<S>(sum, stage, stage + S::tile_m * S::line_bytes, warp_row,
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

template <template <Form> class Shape>
cudaError_t launch_for_layout(const Bsrmm& p, cudaStream_t stream) {
  return p.b.layout == Layout::row ? launch<Shape<Form::columns>>(p, stream)
                                   : launch<Shape<Form::lines>>(p, stream);
}

}  // namespace

cudaError_t bsrmm_mma_f16(const Bsrmm& p, cudaStream_t stream) {
  if (!validate(p).empty() || !find_bsrmm_variant("bsrmm_mma_f16")->refuses(p).empty())
    return cudaErrorInvalidValue;
  if (p.a.block_rows <= 16) return launch_for_layout<F16_16x128>(p, stream);
  if (p.a.block_rows <= 32) return launch_for_layout<F16_32x128>(p, stream);
  return launch_for_layout<F16_64x128>(p, stream);
}
cudaError_t bsrmm_mma_f16_is_loadable() {
  return ptx::is_loadable(bsrmm_mma_kernel<F16_64x128<Form::columns>>);
}

}  // namespace archgrid::sparse
