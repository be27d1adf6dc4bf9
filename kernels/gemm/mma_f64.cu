// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// GEMM of doubles on tensor cores: D(8 x 8) += A(8 x 4) * B(4 x 8), with one element of A and one
// of B per lane. K-tiles are [mn][k] in shared memory.
#include "gemm/combine.h"
#include "gemm/epilogue.cuh"
#include "gemm/variant.h"
#include "ptx/cp_async.cuh"
#include "ptx/mma.cuh"
#include "ptx/occupancy.cuh"

namespace archgrid::gemm {

struct F64_64x64_mma {
  static constexpr int tile = 64;  // rows and columns
  static constexpr int tile_k = 16;
  static constexpr int stages = 2;
  static constexpr int warps_n = 2;
  static constexpr int threads = 128;
  static constexpr int mmas = 4;  // 8 x 8 products along each side of a warp's 32 x 32
  // Four rows of four elements, which half a warp reads together, fall into different banks.
  static constexpr int pitch = tile_k + 4;
  static constexpr int operand_elements = tile * pitch;
  static constexpr int shared_bytes =
      stages * 2 * operand_elements * static_cast<int>(sizeof(double));
};

template <class S>
__device__ __forceinline__ void load_k_tile(double* k_tile, const Operand& operand, int batch,
                                            int first_mn, int extent_mn, int first_k, int end_k) {
  const double* const data =
      static_cast<const double*>(operand.data) + batch * operand.batch_stride;
#pragma unroll
  for (int i = static_cast<int>(threadIdx.x); i < S::tile * S::tile_k; i += S::threads) {
    const int mn = operand.is_k_major ? i / S::tile_k : i % S::tile;
    const int k = operand.is_k_major ? i % S::tile_k : i / S::tile;
    const bool is_valid = first_k + k < end_k && first_mn + mn < extent_mn;
    const long long across = operand.is_k_major ? first_mn + mn : first_k + k;
    const long long along = operand.is_k_major ? first_k + k : first_mn + mn;
    const double* const from = is_valid ? data + across * operand.stride + along : data;
    ptx::cp_async<8>(k_tile + mn * S::pitch + k, from, is_valid ? 8 : 0);
  }
}

template <class S>
__global__ void __launch_bounds__(S::threads, ptx::resident_blocks(S::threads, 128))
    mma_f64_tile(Arguments<double> args) {
  // The registers allow twice as many blocks, which fit on devices with more shared memory.
  static_assert(ptx::fits_shared_memory(2, S::shared_bytes),
                "while one stores, another multiplies");
  double* const shared = ptx::dynamic_shared<double>();
  const TileCoord tile = tile_of_block(args, S::tile, S::tile);
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int warp_row = warp / S::warps_n * S::mmas * 8;
  const int warp_column = warp % S::warps_n * S::mmas * 8;
  const int k_tiles = (tile.end_k - tile.first_k + S::tile_k - 1) / S::tile_k;

  const auto load = [&](int k_tile) {
    if (k_tile < k_tiles) {
      double* const a = shared + k_tile % S::stages * 2 * S::operand_elements;
      const int k = tile.first_k + k_tile * S::tile_k;
      load_k_tile<S>(a, args.a, tile.batch, tile.row, args.m, k, tile.end_k);
      load_k_tile<S>(a + S::operand_elements, args.b, tile.batch, tile.column, args.n, k,
                     tile.end_k);
    }
    ptx::cp_async_commit_group();
  };

#pragma unroll
  for (int k_tile = 0; k_tile < S::stages - 1; ++k_tile) load(k_tile);

  double sum[S::mmas][S::mmas][2] = {};
  for (int k_tile = 0; k_tile < k_tiles; ++k_tile) {
    ptx::cp_async_wait_group<S::stages - 2>();
    __syncthreads();
    load(k_tile + S::stages - 1);
    const double* const a = shared + k_tile % S::stages * 2 * S::operand_elements;
    const double* const b = a + S::operand_elements;
#pragma unroll
    for (int k = 0; k < S::tile_k; k += 4) {
      double frag_a[S::mmas];
      double frag_b[S::mmas];
#pragma unroll
      for (int i = 0; i < S::mmas; ++i) {
        frag_a[i] = a[(warp_row + i * 8 + lane / 4) * S::pitch + k + lane % 4];
        frag_b[i] = b[(warp_column + i * 8 + lane / 4) * S::pitch + k + lane % 4];
      }
#pragma unroll
      for (int i = 0; i < S::mmas; ++i) {
#pragma unroll
        for (int j = 0; j < S::mmas; ++j) ptx::mma_sync(sum[i][j], frag_a[i], frag_b[j]);
      }
    }
  }
  ptx::cp_async_wait_group<0>();
  // Wait until no thread reads the k-tiles: fragments of 8 rows, one per warp, replace them.
  __syncthreads();
  constexpr int columns = S::mmas * 8;
  constexpr int fragment_pitch = columns + 4;
  double* const fragment = shared + warp * 8 * fragment_pitch;
  // Rolled, with a uniform test that selects the sums of the fragment, as in stage_fragments() of
  // mma.cuh.
#pragma unroll 1
  for (int number = 0; number < S::mmas; ++number) {
#pragma unroll
    for (int i = 0; i < S::mmas; ++i) {
      if (i != number) continue;
#pragma unroll
      for (int j = 0; j < S::mmas; ++j) {
#pragma unroll
        for (int e = 0; e < 2; ++e) {
          fragment[lane / 4 * fragment_pitch + j * 8 + lane % 4 * 2 + e] = sum[i][j][e];
        }
      }
    }
    __syncwarp();
    store_fragment<8, columns, fragment_pitch, 32>(
        args, tile, fragment, tile.row + warp_row + number * 8, 1, tile.column + warp_column, lane);
    __syncwarp();
  }
}

cudaError_t mma_f64_64x64(const Problem& p, int splits, void* partials, cudaStream_t stream) {
  using S = F64_64x64_mma;
  return launch_product(mma_f64_tile<S>,
                        arguments_of<double>(p, S::tile, S::tile, S::tile_k, splits, partials),
                        S::threads, S::shared_bytes, stream);
}
cudaError_t mma_f64_64x64_is_loadable() {
  return ptx::is_loadable(mma_f64_tile<F64_64x64_mma>);
}

}  // namespace archgrid::gemm
