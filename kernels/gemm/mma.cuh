// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// GEMM on tensor cores. Vectors of a k-tile (mma/tile.cuh) are copied whole if they are contiguous
// and aligned in global memory, and gathered element by element otherwise.
#pragma once

#include "gemm/combine.h"
#include "gemm/epilogue.cuh"
#include "mma/tile.cuh"
#include "ptx/cp_async.cuh"

namespace archgrid::gemm {

using mma::Major;

template <class T>
struct VectorCopy {
  unsigned char* to;
  const T* from;
  int valid;  // elements that are within the matrix; the others become zero
};

// Returns vector `i` of the k-tile. Consecutive `i` walk along rows of vectors if `by_rows` is
// true, and along M or N otherwise. Callers choose the direction that is contiguous in global
// memory.
template <class S, Major SmemMajor, int TileMN>
__device__ __forceinline__ VectorCopy<typename S::Storage> vector_of_k_tile(
    int i, bool by_rows, unsigned char* k_tile, const Operand& operand,
    const typename S::Storage* data, int first_mn, int extent_mn, int first_k, int end_k) {
  constexpr int vectors_per_row = SmemMajor == Major::k ? 4 : TileMN / 8;
  const int c = by_rows ? i % vectors_per_row : i / TileMN;
  const int row = by_rows ? i / vectors_per_row : i % TileMN;
  const int mn = first_mn + (SmemMajor == Major::k ? row : c * 8);
  const int k = first_k + (SmemMajor == Major::k ? c * S::vector : row);
  const int left = SmemMajor == Major::k ? end_k - k : extent_mn - mn;
  const bool is_valid = k < end_k && mn < extent_mn;
  const long long across = operand.is_k_major ? mn : k;
  const long long along = operand.is_k_major ? k : mn;
  return {k_tile + (SmemMajor == Major::k ? mma::k_major_offset(row, c)
                                          : mma::mn_major_offset<TileMN>(row, c)),
          is_valid ? data + across * operand.stride + along : data,
          is_valid ? (left < S::vector ? left : S::vector) : 0};
}

// Begins to copy the k-tile [first_k, end_k) of `TileMN` rows of A or columns of B. Elements
// outside the matrix become zero.
template <class S, Major SmemMajor, int TileMN>
__device__ __forceinline__ void load_k_tile(unsigned char* k_tile, const Operand& operand,
                                            int batch, int first_mn, int extent_mn, int first_k,
                                            int end_k) {
  using T = typename S::Storage;
  const T* const data = static_cast<const T*>(operand.data) + batch * operand.batch_stride;
  const int thread = static_cast<int>(threadIdx.x);
  constexpr int vectors = TileMN * 4;
  const bool is_same_major = operand.is_k_major == (SmemMajor == Major::k);
  if (is_same_major && operand.is_aligned) {
#pragma unroll 1
    for (int i = thread; i < vectors; i += S::threads) {
      const VectorCopy<T> vector = vector_of_k_tile<S, SmemMajor, TileMN>(
          i, true, k_tile, operand, data, first_mn, extent_mn, first_k, end_k);
      ptx::cp_async<16>(vector.to, vector.from, vector.valid * S::bytes);
    }
    return;
  }
  const bool by_rows = SmemMajor == Major::mn || is_same_major;
  const long long step = is_same_major ? 1 : operand.stride;
#pragma unroll 1
  for (int i = thread; i < vectors; i += S::threads) {
    const VectorCopy<T> vector = vector_of_k_tile<S, SmemMajor, TileMN>(
        i, by_rows, k_tile, operand, data, first_mn, extent_mn, first_k, end_k);
    mma::store_gathered<S>(vector.to,
                           [&](int j) { return j < vector.valid ? vector.from[j * step] : T(0); });
  }
}

// Copies a thread's share of each k-tile. Nearly all k-tiles are whole and have contiguous vectors
// in global memory. These need no tests and only the arithmetic for the next address: copying
// overlaps with the products, and must not take longer.
template <class S, Major SmemMajor, int TileMN>
class KTileLoader {
  using T = typename S::Storage;
  static constexpr int vectors_per_row = SmemMajor == Major::k ? 4 : TileMN / 8;
  static constexpr int rows = SmemMajor == Major::k ? TileMN : S::tile_k;
  static constexpr int row_bytes = SmemMajor == Major::k ? 64 : TileMN * 2;
  static constexpr int row_step = S::threads / vectors_per_row;
  static_assert(S::threads % vectors_per_row == 0 && rows % row_step == 0, "whole rows of vectors");
  static_assert(row_step % 8 == 0, "a thread's vectors are swizzled alike");

 public:
  __device__ __forceinline__ KTileLoader(const Operand& operand, int batch, int first_mn,
                                         int extent_mn, int first_k, int end_k)
      : operand_(operand),
        batch_(batch),
        first_mn_(first_mn),
        extent_mn_(extent_mn),
        k_(first_k),
        end_k_(end_k) {
    const int c = static_cast<int>(threadIdx.x) % vectors_per_row;
    const int row = static_cast<int>(threadIdx.x) / vectors_per_row;
    const int mn = first_mn + (SmemMajor == Major::k ? row : c * 8);
    const int k = first_k + (SmemMajor == Major::k ? c * S::vector : row);
    to_ =
        SmemMajor == Major::k ? mma::k_major_offset(row, c) : mma::mn_major_offset<TileMN>(row, c);
    from_ = static_cast<const T*>(operand.data) + batch * operand.batch_stride +
            (SmemMajor == Major::k ? mn * operand.stride + k : k * operand.stride + mn);
  }

  // Begins to copy the next k-tile.
  __device__ __forceinline__ void load(unsigned char* k_tile) {
    const bool is_same_major = operand_.is_k_major == (SmemMajor == Major::k);
    const bool is_whole = extent_mn_ - first_mn_ >= TileMN && end_k_ - k_ >= S::tile_k;
    if (is_same_major && operand_.is_aligned && is_whole) {
#pragma unroll
      for (int row = 0; row < rows; row += row_step)
        ptx::cp_async<16>(k_tile + to_ + row * row_bytes, from_ + row * operand_.stride, 16);
    } else {
      load_k_tile<S, SmemMajor, TileMN>(k_tile, operand_, batch_, first_mn_, extent_mn_, k_,
                                        end_k_);
    }
    from_ += SmemMajor == Major::k ? S::tile_k : S::tile_k * operand_.stride;
    k_ += S::tile_k;
  }

 private:
  const Operand& operand_;
  const T* from_;  // source of this thread's first vector of the next k-tile
  int to_;         // destination of that vector, relative to the k-tile
  int batch_, first_mn_, extent_mn_;
  int k_, end_k_;
};

// The row pitch of an epilogue fragment, in elements. Each warp passes its sums through shared
// memory in fragments of 16 rows.
template <class S>
constexpr int fragment_pitch = S::mmas_n * 8 + 8;

// Calls take(fragment, row, column) for each fragment of a warp's sums, with its position in the
// tile. The fragments overwrite the k-tiles in shared memory: no copy to them may be in flight.
template <class S, class Take>
__device__ __forceinline__ void stage_fragments(
    unsigned char* shared, const typename S::Sum (&sum)[S::mmas_m][S::mmas_n][4], Take take) {
  using Sum = typename S::Sum;
  constexpr int pitch = fragment_pitch<S>;
  static_assert(S::threads / 32 * 16 * pitch * sizeof(Sum) <= S::shared_bytes, "the fragments fit");
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  // Wait until no thread reads the k-tiles.
  __syncthreads();
  Sum* const fragment = reinterpret_cast<Sum*>(shared) + warp * 16 * pitch;
  // Rolled, with a uniform test that selects the sums of the fragment. Unrolled, the code of take()
  // would be repeated for each fragment.
#pragma unroll 1
  for (int number = 0; number < S::mmas_m; ++number) {
#pragma unroll
    for (int i = 0; i < S::mmas_m; ++i) {
      if (i != number) continue;
#pragma unroll
      for (int j = 0; j < S::mmas_n; ++j) {
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          fragment[(lane / 4 + e / 2 * 8) * pitch + j * 8 + lane % 4 * 2 + e % 2] = sum[i][j][e];
        }
      }
    }
    __syncwarp();
    take(fragment, (warp / S::warps_n * S::mmas_m + number) * 16,
         warp % S::warps_n * S::mmas_n * 8);
    __syncwarp();
  }
}

template <class S>
__global__ void __launch_bounds__(S::threads, S::blocks) mma_tile(Arguments<typename S::Sum> args) {
  using Sum = typename S::Sum;
  static_assert(ptx::fits_shared_memory(S::blocks, S::shared_bytes), "as many as the registers do");
  unsigned char* const shared = ptx::dynamic_shared<unsigned char>();
  const TileCoord tile = tile_of_block(args, S::tile_m, S::tile_n);
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int warp_row = warp / S::warps_n * S::mmas_m * 16;
  const int warp_column = warp % S::warps_n * S::mmas_n * 8;
  const int k_tiles = (tile.end_k - tile.first_k + S::tile_k - 1) / S::tile_k;

  KTileLoader<S, S::major_a, S::tile_m> loader_a(args.a, tile.batch, tile.row, args.m, tile.first_k,
                                                 tile.end_k);
  KTileLoader<S, S::major_b, S::tile_n> loader_b(args.b, tile.batch, tile.column, args.n,
                                                 tile.first_k, tile.end_k);
  Sum sum[S::mmas_m][S::mmas_n][4] = {};
  mma::run_mainloop<S>(
      shared, k_tiles,
      [&](unsigned char* stage) {
        loader_a.load(stage);
        loader_b.load(stage + S::tile_m * S::tile_k_bytes);
      },
      [&](const unsigned char* stage) {
        mma::multiply_k_tile<S>(sum, stage, stage + S::tile_m * S::tile_k_bytes, warp_row,
                                warp_column);
      });
  stage_fragments<S>(shared, sum, [&](const Sum* fragment, int row, int column) {
    store_fragment<16, S::mmas_n * 8, fragment_pitch<S>, 32>(args, tile, fragment, tile.row + row,
                                                             1, tile.column + column, lane);
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
template <class Number, Major A = Major::k, Major B = Major::k>
using LargeMma = mma::Shape<Number, 128, 128, large_warps_m<Number>, 2, 3, 255, A, B>;
template <class Number, Major A = Major::k, Major B = Major::k>
using SmallMma = mma::Shape<Number, 64, 64, 2, 2, 3, 168, A, B>;

template <class S>
cudaError_t launch_mma(const Arguments<typename S::Sum>& args, cudaStream_t stream) {
  return launch_product(mma_tile<S>, args, S::threads, S::shared_bytes, stream);
}

// Launches a kernel for elements of 2 bytes, whose operands keep their global layout in shared
// memory. Shape is instantiated for each pair of majors.
template <template <Major, Major> class Shape>
cudaError_t launch_mma_any_major(const Problem& problem, int splits, void* partials,
                                 cudaStream_t stream) {
  using S = Shape<Major::k, Major::k>;
  const Arguments<float> args =
      arguments_of<float>(problem, S::tile_m, S::tile_n, S::tile_k, splits, partials);
  if (args.a.is_k_major) {
    if (args.b.is_k_major) return launch_mma<S>(args, stream);
    return launch_mma<Shape<Major::k, Major::mn>>(args, stream);
  }
  if (args.b.is_k_major) return launch_mma<Shape<Major::mn, Major::k>>(args, stream);
  return launch_mma<Shape<Major::mn, Major::mn>>(args, stream);
}

template <class S>
cudaError_t launch_mma_k_major(const Problem& problem, int splits, void* partials,
                               cudaStream_t stream) {
  return launch_mma<S>(
      arguments_of<typename S::Sum>(problem, S::tile_m, S::tile_n, S::tile_k, splits, partials),
      stream);
}

}  // namespace archgrid::gemm
