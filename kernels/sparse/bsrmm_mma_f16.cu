// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// By tensor cores, for blocks whose columns come in eights: a slice of 32 of K (mma/tile.cuh) is
// four groups of eight, each of one block.
#include "mma/tile.cuh"
#include "ptx/copy_async.cuh"
#include "sparse/bsrmm.cuh"
#include "sparse/variant.h"

namespace archgrid::sparse {

using mma::Form;

constexpr int group = 8;  // of K: 16 bytes
constexpr int groups_of_slice = 4;

// The shapes are one for each form that B has in shared memory.
template <Form B>
struct F16_16x128 : mma::Shape<ptx::F16, 16, 128, 1, 4, 3, 128, Form::lines, B> {};
template <Form B>
struct F16_32x128 : mma::Shape<ptx::F16, 32, 128, 1, 4, 3, 128, Form::lines, B> {};
template <Form B>
struct F16_64x128 : mma::Shape<ptx::F16, 64, 128, 2, 2, 3, 168, Form::lines, B> {};

// Begins to copy slices to shared memory, one after another.
template <class S>
class BsrmmLoader {
  using Storage = typename S::Storage;
  static constexpr int chunks_of_row = S::tile_n / group;

 public:
  __device__ __forceinline__ BsrmmLoader(const BsrmmArguments<__half>& args, const BsrmmTile& tile)
      : args_(args),
        tile_(tile),
        at_(args, tile.block_row),
        slices_((at_.blocks_left() * args.block_columns + S::tile_k - 1) / S::tile_k),
        is_b_aligned_(reinterpret_cast<std::size_t>(args.b.data) % 16 == 0 &&
                      (is_b_along_k ? args.b.column_step : args.b.row_step) % group == 0) {}

  __device__ __forceinline__ long long slices() const { return slices_; }

  __device__ __forceinline__ void load(unsigned char* a, unsigned char* b) {
#pragma unroll 1
    for (int g = 0; g < groups_of_slice; ++g) {
      if (is_b_along_k ? static_cast<int>(threadIdx.x) % groups_of_slice == g : true) load_b(b, g);
      if (static_cast<int>(threadIdx.x) % groups_of_slice == g) load_a(a, g);
      at_.advance(group);
    }
  }

 private:
  static constexpr bool is_b_along_k = S::form_b == Form::lines;

  __device__ __forceinline__ void load_a(unsigned char* slice, int g) {
#pragma unroll
    for (int line = static_cast<int>(threadIdx.x) / groups_of_slice; line < S::tile_m;
         line += S::threads / groups_of_slice) {
      const int row = tile_.first_row + line;
      const bool is_there = at_.is_there() && row < args_.block_rows;
      const __half* const from = is_there ? at_.values(row) : args_.value;
      ptx::copy_async<16>(slice + mma::offset_in_lines(line, g), from, is_there ? 16 : 0);
    }
  }

  __device__ __forceinline__ void load_b(unsigned char* slice, int g) {
    if (is_b_along_k) {
#pragma unroll
      for (int line = static_cast<int>(threadIdx.x) / groups_of_slice; line < S::tile_n;
           line += S::threads / groups_of_slice) {
        load_chunk(slice + mma::offset_in_lines(line, g), at_.k(), tile_.first_column + line,
                   args_.columns - at_.k(), args_.b.row_step);
      }
    } else {
      constexpr int chunks = group * chunks_of_row;
#pragma unroll
      for (int i = static_cast<int>(threadIdx.x); i < chunks; i += S::threads) {
        const int k = i / chunks_of_row;
        const int c = i % chunks_of_row;
        const long long column = tile_.first_column + c * group;
        load_chunk(slice + mma::offset_in_columns<S::tile_n>(g * group + k, c), at_.k() + k, column,
                   args_.n - column, args_.b.column_step);
      }
    }
  }

  // Eight elements of B from (k, column) on, of which `left` are there, `step` apart.
  __device__ __forceinline__ void load_chunk(unsigned char* to, long long k, long long column,
                                             long long left, long long step) {
    const bool is_there = at_.is_there() && k < args_.columns && column < args_.n;
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
  AlongBlocks<__half> at_;
  long long slices_;
  bool is_b_aligned_;
};

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

  // Eight lanes have neighbours of a column, four those of a row: either way, 32 bytes together.
#pragma unroll
  for (int i = 0; i < S::mmas_m; ++i) {
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      const int in_block = tile.first_row + warp_row + i * 16 + lane / 4 + e / 2 * 8;
      const long long row = tile.block_row * args.block_rows + in_block;
      if (in_block >= args.block_rows || row >= args.rows) continue;
#pragma unroll
      for (int j = 0; j < S::mmas_n; ++j) {
        const long long column = tile.first_column + warp_column + j * 8 + lane % 4 * 2 + e % 2;
        if (column < args.n) store(args, row, column, sum[i][j][e]);
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
  if (!mistake_in(p).empty() || !find_bsrmm_variant("bsrmm_mma_f16")->refuses(p).empty())
    return cudaErrorInvalidValue;
  if (p.a.block_rows <= 16) return launch_for_layout<F16_16x128>(p, stream);
  if (p.a.block_rows <= 32) return launch_for_layout<F16_32x128>(p, stream);
  return launch_for_layout<F16_64x128>(p, stream);
}
cudaError_t bsrmm_mma_f16_is_loadable() {
  return ptx::is_loadable(bsrmm_mma_kernel<F16_64x128<Form::columns>>);
}

}  // namespace archgrid::sparse
