// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Products of 2:4 matrices on sparse tensor cores (mma.sp). A k-tile (mma/tile.cuh) is 64 bytes of
// K of each column of B, 32 bytes of each row of A, which stores two of each four elements, and the
// metadata of A. B and C are handled as in the dense products.
#pragma once

#include "gemm/mma.cuh"
#include "sparse/variant.h"

namespace archgrid::sparse {

using mma::Major;

template <class Number, Major B>
struct StructuredShape : mma::Shape<Number, 128, 128, 2, 2, 3, 255, Major::k, B> {
  using Tile = mma::Shape<Number, 128, 128, 2, 2, 3, 255, Major::k, B>;
  static constexpr int a_row_bytes = 32;
  static constexpr int metadata_row_bytes = Tile::tile_k / 8;
  static constexpr int b_begin = Tile::tile_m * a_row_bytes;
  static constexpr int metadata_begin = b_begin + Tile::tile_n * Tile::tile_k_bytes;
  static constexpr int stage_bytes = metadata_begin + Tile::tile_m * metadata_row_bytes;
  static constexpr int shared_bytes = Tile::stages * stage_bytes;
  static constexpr int blocks = ptx::resident_blocks(Tile::threads, Tile::registers, shared_bytes);
};

template <class Sum>
struct StructuredArguments {
  gemm::Arguments<Sum> product;  // its A is not used; transposed if C is column-major
  bool is_transposed;
  gemm::Operand b;
  int rows;
  int columns;
  int k_tiles;
  const unsigned char* value;
  const unsigned char* metadata;
};

// Returns the offset of vector `c` of a row of A in its k-tile, in bytes. Four rows fill the 128
// bytes of all banks.
__device__ __forceinline__ int half_k_major_offset(int tile_row, int c) {
  return tile_row * 32 + ((c ^ (tile_row >> 2 & 1)) << 4);
}

// Copies a thread's share of each k-tile of A and of its metadata. Repeats the first row beyond the
// matrix: any valid row will do, because its products are not stored.
template <class S>
class StructuredLoader {
  static constexpr int vectors = S::a_row_bytes / 16;
  static constexpr int row_step = S::threads / vectors;
  static constexpr int turns = S::tile_m / row_step;
  static_assert(S::threads == S::tile_m && S::tile_m % row_step == 0, "whole rows");

 public:
  __device__ __forceinline__ StructuredLoader(const StructuredArguments<typename S::Sum>& args,
                                              int first_row) {
    const int thread = static_cast<int>(threadIdx.x);
    const auto row_of = [&](int tile_row) {
      return first_row + tile_row < args.rows ? static_cast<long long>(first_row + tile_row) : 0;
    };
#pragma unroll
    for (int turn = 0; turn < turns; ++turn) {
      const int tile_row = thread / vectors + turn * row_step;
      value_[turn] =
          args.value + row_of(tile_row) * args.k_tiles * S::a_row_bytes + thread % vectors * 16;
    }
    metadata_ = args.metadata + row_of(thread) * args.k_tiles * S::metadata_row_bytes;
  }

  // Begins to copy the next k-tile.
  __device__ __forceinline__ void load(unsigned char* stage) {
    const int thread = static_cast<int>(threadIdx.x);
#pragma unroll
    for (int turn = 0; turn < turns; ++turn) {
      const int tile_row = thread / vectors + turn * row_step;
      ptx::cp_async<16>(stage + half_k_major_offset(tile_row, thread % vectors), value_[turn], 16);
      value_[turn] += S::a_row_bytes;
    }
    ptx::cp_async<S::metadata_row_bytes>(stage + S::metadata_begin + thread * S::metadata_row_bytes,
                                         metadata_, S::metadata_row_bytes);
    metadata_ += S::metadata_row_bytes;
  }

 private:
  const unsigned char* value_[turns];
  const unsigned char* metadata_;
};

// Returns the metadata that a lane passes to mma.sp for 16 rows from `row` on. For elements of two
// bytes, these are 16 bits each of its row and of the row eight below. For elements of one byte,
// these are 32 bits of one of the two rows.
template <class S>
__device__ __forceinline__ unsigned load_metadata(const unsigned char* stage, int row) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const auto* const words = reinterpret_cast<const unsigned*>(stage + S::metadata_begin);
  if (S::bytes == 2) {
    const unsigned upper = words[row + lane / 4];
    const unsigned lower = words[row + lane / 4 + 8];
    return lane % 2 == 0 ? (upper & 0xffffu) | lower << 16 : upper >> 16 | (lower & 0xffff0000u);
  }
  return words[(row + lane / 4 + lane % 2 * 8) * 2 + lane % 4 / 2];
}

template <class S>
__device__ __forceinline__ void multiply_structured(typename S::Sum (&sum)[S::mmas_m][S::mmas_n][4],
                                                    const unsigned char* stage, int row,
                                                    int column) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  unsigned frag_a[S::mmas_m][4];
  unsigned metadata[S::mmas_m];
#pragma unroll
  for (int i = 0; i < S::mmas_m; ++i) {
    ptx::ldmatrix_x4<false>(frag_a[i],
                            stage + half_k_major_offset(row + i * 16 + lane % 16, lane / 16));
    metadata[i] = load_metadata<S>(stage, row + i * 16);
  }
#pragma unroll
  for (int j = 0; j < S::mmas_n; ++j) {
    // Load all of K for eight columns at once, in the order of mma.sp. If loaded in halves, each
    // register would have to be moved to its place.
    unsigned frag_b[4];
    const unsigned char* const b = stage + S::b_begin;
    if (S::major_b == Major::k) {
      ptx::ldmatrix_x4<false>(frag_b, b + mma::k_major_offset(column + j * 8 + lane % 8, lane / 8));
    } else {
      ptx::ldmatrix_x4<true>(frag_b, b + mma::mn_major_offset<S::tile_n>(lane, column / 8 + j));
    }
#pragma unroll
    for (int i = 0; i < S::mmas_m; ++i)
      ptx::mma_sp(typename S::Number(), sum[i][j], frag_a[i], frag_b, metadata[i]);
  }
}

template <class S>
__global__ void __launch_bounds__(S::threads, S::blocks)
    structured_tile(StructuredArguments<typename S::Sum> args) {
  using Sum = typename S::Sum;
  static_assert(ptx::fits_shared_memory(S::blocks, S::shared_bytes), "as many as the registers do");
  unsigned char* const shared = ptx::dynamic_shared<unsigned char>();
  const gemm::TileCoord tile = gemm::tile_of_block(args.product, S::tile_m, S::tile_n);
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int warp_row = warp / S::warps_n * S::mmas_m * 16;
  const int warp_column = warp % S::warps_n * S::mmas_n * 8;

  StructuredLoader<S> loader_a(args, tile.row);
  gemm::KTileLoader<S, S::major_b, S::tile_n> loader_b(args.b, 0, tile.column, args.columns, 0,
                                                       args.product.k);
  Sum sum[S::mmas_m][S::mmas_n][4] = {};
  mma::run_mainloop<S>(
      shared, args.k_tiles,
      [&](unsigned char* stage) {
        loader_a.load(stage);
        loader_b.load(stage + S::b_begin);
      },
      [&](const unsigned char* stage) {
        multiply_structured<S>(sum, stage, warp_row, warp_column);
      });
  gemm::stage_fragments<S>(shared, sum, [&](const Sum* fragment, int row, int column) {
    constexpr int columns = S::mmas_n * 8;
    constexpr int pitch = gemm::fragment_pitch<S>;
    if (args.is_transposed) {
      gemm::store_transposed_fragment<16, columns, pitch, 32>(
          args.product, tile, fragment, tile.column + column, tile.row + row, lane);
    } else {
      gemm::store_fragment<16, columns, pitch, 32>(args.product, tile, fragment, tile.row + row, 1,
                                                   tile.column + column, lane);
    }
  });
}

template <class S>
cudaError_t launch_structured(const Structured& a, const gemm::Problem& p, cudaStream_t stream) {
  using Sum = typename S::Sum;
  StructuredArguments<Sum> args{};
  args.is_transposed = p.c.layout == Layout::column;
  args.product = gemm::arguments_of<Sum>(p, S::tile_m, S::tile_n, S::tile_k, 1, nullptr);
  args.b = args.is_transposed ? args.product.a : args.product.b;
  args.rows = p.m;
  args.columns = p.n;
  args.product.tiles_m = gemm::ceil_div(p.m, S::tile_m);
  args.product.tiles_n = gemm::ceil_div(p.n, S::tile_n);
  args.k_tiles = padded_k(a.type, args.product.k) / S::tile_k;
  args.value = static_cast<const unsigned char*>(a.value);
  args.metadata = static_cast<const unsigned char*>(a.metadata);
  const long long blocks = 1ll * args.product.tiles_m * args.product.tiles_n;
  if (blocks == 0) return cudaSuccess;
  if (blocks > 2147483647) return cudaErrorInvalidValue;
  return ptx::launch(structured_tile<S>, dim3(static_cast<unsigned>(blocks)),
                     dim3(static_cast<unsigned>(S::threads)),
                     static_cast<std::size_t>(S::shared_bytes), stream, args);
}

// Launches a kernel for elements of 2 bytes, which keep their global layout in shared memory.
template <class Number>
cudaError_t launch_structured_any_major(gemm::Type type, const Structured& a,
                                        const gemm::Problem& p, cudaStream_t stream) {
  if (a.type != type || !validate(a, p).empty()) return cudaErrorInvalidValue;
  return p.b.layout == Layout::row
             ? launch_structured<StructuredShape<Number, Major::mn>>(a, p, stream)
             : launch_structured<StructuredShape<Number, Major::k>>(a, p, stream);
}

}  // namespace archgrid::sparse
