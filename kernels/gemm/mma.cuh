// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// GEMM on tensor cores. Chunks of a slice (mma/tile.cuh) are copied whole if they are contiguous
// and aligned in global memory, and assembled element by element otherwise.
#pragma once

#include "gemm/combine.h"
#include "gemm/store.cuh"
#include "mma/tile.cuh"
#include "ptx/copy_async.cuh"

namespace archgrid::gemm {

using mma::Form;

template <class T>
struct Chunk {
  unsigned char* to;
  const T* from;
  int there;  // elements that are within the matrix; the others become zero
};

// Returns chunk `i` of the slice. Consecutive `i` walk along rows of chunks if `by_rows` is true,
// and across lines otherwise. Callers choose the direction that is contiguous in global memory.
template <class S, Form F, int Lines>
__device__ __forceinline__ Chunk<typename S::Storage> chunk_of_slice(
    int i, bool by_rows, unsigned char* slice, const Operand& operand,
    const typename S::Storage* data, int first_line, int lines, int first_k, int end_k) {
  constexpr int chunks_a_row = F == Form::lines ? 4 : Lines / 8;
  const int c = by_rows ? i % chunks_a_row : i / Lines;
  const int row = by_rows ? i / chunks_a_row : i % Lines;
  const int line = first_line + (F == Form::lines ? row : c * 8);
  const int k = first_k + (F == Form::lines ? c * S::chunk : row);
  const int left = F == Form::lines ? end_k - k : lines - line;
  const bool is_there = k < end_k && line < lines;
  const long long across = operand.is_k_contiguous ? line : k;
  const long long along = operand.is_k_contiguous ? k : line;
  return {slice + (F == Form::lines ? mma::offset_in_lines(row, c)
                                    : mma::offset_in_columns<Lines>(row, c)),
          is_there ? data + across * operand.stride + along : data,
          is_there ? (left < S::chunk ? left : S::chunk) : 0};
}

// Begins to copy the slice [first_k, end_k) of `Lines` lines. Elements outside the matrix become
// zero.
template <class S, Form F, int Lines>
__device__ __forceinline__ void load_slice(unsigned char* slice, const Operand& operand, int batch,
                                           int first_line, int lines, int first_k, int end_k) {
  using T = typename S::Storage;
  const T* const data = static_cast<const T*>(operand.data) + batch * operand.batch_stride;
  const int thread = static_cast<int>(threadIdx.x);
  constexpr int chunks = Lines * 4;
  const bool is_along = operand.is_k_contiguous == (F == Form::lines);
  if (is_along && operand.is_aligned) {
#pragma unroll 1
    for (int i = thread; i < chunks; i += S::threads) {
      const Chunk<T> chunk = chunk_of_slice<S, F, Lines>(i, true, slice, operand, data, first_line,
                                                         lines, first_k, end_k);
      ptx::copy_async<16>(chunk.to, chunk.from, chunk.there * S::bytes);
    }
    return;
  }
  const bool by_rows = F == Form::columns || is_along;
  const long long step = is_along ? 1 : operand.stride;
#pragma unroll 1
  for (int i = thread; i < chunks; i += S::threads) {
    const Chunk<T> chunk = chunk_of_slice<S, F, Lines>(i, by_rows, slice, operand, data, first_line,
                                                       lines, first_k, end_k);
    mma::store_chunk<S>(chunk.to,
                        [&](int j) { return j < chunk.there ? chunk.from[j * step] : T(0); });
  }
}

// Copies a thread's share of each slice. Nearly all slices are whole and have contiguous chunks in
// global memory. These need no tests and only the arithmetic for the next address: copying overlaps
// with the products, and must not take longer.
template <class S, Form F, int Lines>
class SliceLoader {
  using T = typename S::Storage;
  static constexpr int chunks_a_row = F == Form::lines ? 4 : Lines / 8;
  static constexpr int rows = F == Form::lines ? Lines : S::tile_k;
  static constexpr int row_bytes = F == Form::lines ? 64 : Lines * 2;
  static constexpr int row_step = S::threads / chunks_a_row;
  static_assert(S::threads % chunks_a_row == 0 && rows % row_step == 0, "whole rows of chunks");
  static_assert(row_step % 8 == 0, "a thread's chunks are swizzled alike");

 public:
  __device__ __forceinline__ SliceLoader(const Operand& operand, int batch, int first_line,
                                         int lines, int first_k, int end_k)
      : operand_(operand),
        batch_(batch),
        first_line_(first_line),
        lines_(lines),
        k_(first_k),
        end_k_(end_k) {
    const int c = static_cast<int>(threadIdx.x) % chunks_a_row;
    const int row = static_cast<int>(threadIdx.x) / chunks_a_row;
    const int line = first_line + (F == Form::lines ? row : c * 8);
    const int k = first_k + (F == Form::lines ? c * S::chunk : row);
    to_ = F == Form::lines ? mma::offset_in_lines(row, c) : mma::offset_in_columns<Lines>(row, c);
    from_ = static_cast<const T*>(operand.data) + batch * operand.batch_stride +
            (F == Form::lines ? line * operand.stride + k : k * operand.stride + line);
  }

  // Begins to copy the next slice.
  __device__ __forceinline__ void load(unsigned char* slice) {
    const bool is_along = operand_.is_k_contiguous == (F == Form::lines);
    const bool is_whole = lines_ - first_line_ >= Lines && end_k_ - k_ >= S::tile_k;
    if (is_along && operand_.is_aligned && is_whole) {
#pragma unroll
      for (int row = 0; row < rows; row += row_step)
        ptx::copy_async<16>(slice + to_ + row * row_bytes, from_ + row * operand_.stride, 16);
    } else {
      load_slice<S, F, Lines>(slice, operand_, batch_, first_line_, lines_, k_, end_k_);
    }
    from_ += F == Form::lines ? S::tile_k : S::tile_k * operand_.stride;
    k_ += S::tile_k;
  }

 private:
  const Operand& operand_;
  const T* from_;  // source of this thread's first chunk of the next slice
  int to_;         // destination of that chunk, relative to the slice
  int batch_, first_line_, lines_;
  int k_, end_k_;
};

// The row pitch of a strip, in elements. Each warp passes its sums through shared memory in strips
// of 16 rows.
template <class S>
constexpr int strip_pitch = S::mmas_n * 8 + 8;

// Calls take(strip, row, column) for each strip of a warp's sums, with its position in the tile.
// The strips overwrite the slices in shared memory: no copy to them may be in flight.
template <class S, class Take>
__device__ __forceinline__ void pass_strips(unsigned char* shared,
                                            const typename S::Sum (&sum)[S::mmas_m][S::mmas_n][4],
                                            Take take) {
  using Sum = typename S::Sum;
  constexpr int pitch = strip_pitch<S>;
  static_assert(S::threads / 32 * 16 * pitch * sizeof(Sum) <= S::shared_bytes, "the strips fit");
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  // Wait until no thread reads the slices.
  __syncthreads();
  Sum* const strip = reinterpret_cast<Sum*>(shared) + warp * 16 * pitch;
  // Rolled, with a uniform test that selects the sums of the strip. Unrolled, the code of take()
  // would be repeated for each strip.
#pragma unroll 1
  for (int number = 0; number < S::mmas_m; ++number) {
#pragma unroll
    for (int i = 0; i < S::mmas_m; ++i) {
      if (i != number) continue;
#pragma unroll
      for (int j = 0; j < S::mmas_n; ++j) {
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          strip[(lane / 4 + e / 2 * 8) * pitch + j * 8 + lane % 4 * 2 + e % 2] = sum[i][j][e];
        }
      }
    }
    __syncwarp();
    take(strip, (warp / S::warps_n * S::mmas_m + number) * 16, warp % S::warps_n * S::mmas_n * 8);
    __syncwarp();
  }
}

template <class S>
__global__ void __launch_bounds__(S::threads, S::blocks) mma_tile(Arguments<typename S::Sum> args) {
  using Sum = typename S::Sum;
  static_assert(ptx::shared_memory_holds(S::blocks, S::shared_bytes),
                "as many as the registers do");
  unsigned char* const shared = ptx::dynamic_shared<unsigned char>();
  const TileCoord tile = tile_of_block(args, S::tile_m, S::tile_n);
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int warp_row = warp / S::warps_n * S::mmas_m * 16;
  const int warp_column = warp % S::warps_n * S::mmas_n * 8;
  const int slices = (tile.end_k - tile.first_k + S::tile_k - 1) / S::tile_k;

  SliceLoader<S, S::form_a, S::tile_m> loader_a(args.a, tile.batch, tile.row, args.m, tile.first_k,
                                                tile.end_k);
  SliceLoader<S, S::form_b, S::tile_n> loader_b(args.b, tile.batch, tile.column, args.n,
                                                tile.first_k, tile.end_k);
  Sum sum[S::mmas_m][S::mmas_n][4] = {};
  mma::go_through_slices<S>(
      shared, slices,
      [&](unsigned char* stage) {
        loader_a.load(stage);
        loader_b.load(stage + S::tile_m * S::line_bytes);
      },
      [&](const unsigned char* stage) {
        mma::multiply_slices<S>(sum, stage, stage + S::tile_m * S::line_bytes, warp_row,
                                warp_column);
      });
  pass_strips<S>(shared, sum, [&](const Sum* strip, int row, int column) {
    store_strip<16, S::mmas_n * 8, strip_pitch<S>, 32>(args, tile, strip, tile.row + row, 1,
                                                       tile.column + column, lane);
  });
}

// The number of warps along M of a large tile; there are always two along N. Four warps share a
// tile, so that each computes 64 x 64 or 32 x 32 of it. With 255 registers a multiprocessor holds
// two blocks of the large tile. Eight warps share a large tile of 8-bit floating-point numbers:
// devices that convert these before they multiply need registers for the conversion.
template <class Number>
constexpr int large_warps_m = sizeof(typename mma::TypesOf<Number>::Storage) == 1 &&
                                      std::is_same<typename mma::TypesOf<Number>::Sum, float>::value
                                  ? 4
                                  : 2;
template <class Number, Form A = Form::lines, Form B = Form::lines>
using LargeMma = mma::Shape<Number, 128, 128, large_warps_m<Number>, 2, 3, 255, A, B>;
template <class Number, Form A = Form::lines, Form B = Form::lines>
using SmallMma = mma::Shape<Number, 64, 64, 2, 2, 3, 168, A, B>;

template <class S>
cudaError_t launch_mma(const Arguments<typename S::Sum>& args, cudaStream_t stream) {
  return launch_product(mma_tile<S>, args, S::threads, S::shared_bytes, stream);
}

// Launches a kernel for elements of 2 bytes, whose operands keep their global layout in shared
// memory. Shape is instantiated for each pair of forms.
template <template <Form, Form> class Shape>
cudaError_t launch_mma_of_any_form(const Problem& problem, int splits, void* partials,
                                   cudaStream_t stream) {
  using S = Shape<Form::lines, Form::lines>;
  const Arguments<float> args =
      arguments_of<float>(problem, S::tile_m, S::tile_n, S::tile_k, splits, partials);
  if (args.a.is_k_contiguous) {
    if (args.b.is_k_contiguous) return launch_mma<S>(args, stream);
    return launch_mma<Shape<Form::lines, Form::columns>>(args, stream);
  }
  if (args.b.is_k_contiguous) return launch_mma<Shape<Form::columns, Form::lines>>(args, stream);
  return launch_mma<Shape<Form::columns, Form::columns>>(args, stream);
}

template <class S>
cudaError_t launch_mma_of_lines(const Problem& problem, int splits, void* partials,
                                cudaStream_t stream) {
  return launch_mma<S>(
      arguments_of<typename S::Sum>(problem, S::tile_m, S::tile_n, S::tile_k, splits, partials),
      stream);
}

}  // namespace archgrid::gemm
