// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Products of 2:4 matrices by sparse tensor cores (mma.sp). A slice (mma/tile.cuh) is 64 bytes of K
// of each column of B, 32 of each row of A, where two of each four are stored, and the metadata of
// those. B and C are handled as by the dense products.
#pragma once

#include "gemm/mma.cuh"
#include "sparse/variant.h"

namespace archgrid::sparse {

using mma::Form;

template <class Number, Form B>
struct StructuredShape : mma::Shape<Number, 128, 128, 2, 2, 3, 255, Form::lines, B> {
  using Tile = mma::Shape<Number, 128, 128, 2, 2, 3, 255, Form::lines, B>;
  static constexpr int a_line_bytes = 32;
  static constexpr int metadata_line_bytes = Tile::tile_k / 8;
  static constexpr int b_begin = Tile::tile_m * a_line_bytes;
  static constexpr int metadata_begin = b_begin + Tile::tile_n * Tile::line_bytes;
  static constexpr int stage_bytes = metadata_begin + Tile::tile_m * metadata_line_bytes;
  static constexpr int shared_bytes = Tile::stages * stage_bytes;
};

template <class Sum>
struct StructuredArguments {
  gemm::Arguments<Sum> product;  // of which A is not looked at; transposed where C is column-major
  bool is_transposed;
  gemm::Operand b;
  int rows;
  int columns;
  int slices;
  const unsigned char* value;
  const unsigned char* metadata;
};

// Where chunk `c` of `line` of A lies in its slice: four lines fill the 128 bytes of all banks.
__device__ __forceinline__ int offset_in_half_lines(int line, int c) {
  return line * 32 + ((c ^ (line >> 2 & 1)) << 4);
}

// Begins to copy slice `slice` of A and of its metadata. Beyond the matrix it is the first row
// again: any that is right, for what nobody stores.
template <class S>
__device__ __forceinline__ void load_structured(unsigned char* stage,
                                                const StructuredArguments<typename S::Sum>& args,
                                                int first_row, int slice) {
  constexpr int chunks = S::a_line_bytes / 16;
  const int thread = static_cast<int>(threadIdx.x);
#pragma unroll
  for (int i = thread; i < S::tile_m * chunks; i += S::threads) {
    const int line = i / chunks;
    const int c = i % chunks;
    const long long row = first_row + line < args.rows ? first_row + line : 0;
    ptx::copy_async<16>(stage + offset_in_half_lines(line, c),
                        args.value + (row * args.slices + slice) * S::a_line_bytes + c * 16, 16);
  }
#pragma unroll
  for (int line = thread; line < S::tile_m; line += S::threads) {
    const long long row = first_row + line < args.rows ? first_row + line : 0;
    ptx::copy_async<S::metadata_line_bytes>(
        stage + S::metadata_begin + line * S::metadata_line_bytes,
        args.metadata + (row * args.slices + slice) * S::metadata_line_bytes,
        S::metadata_line_bytes);
  }
}

// What a lane passes to mma.sp of the metadata of 16 rows from `row` on. Elements of two bytes: of
// its row and the one eight below, 16 bits each; of one byte: of one of them, 32 bits.
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
  unsigned of_a[S::mmas_m][4];
  unsigned metadata[S::mmas_m];
#pragma unroll
  for (int i = 0; i < S::mmas_m; ++i) {
    ptx::load_matrices<false>(of_a[i],
                              stage + offset_in_half_lines(row + i * 16 + lane % 16, lane / 16));
    metadata[i] = load_metadata<S>(stage, row + i * 16);
  }
#pragma unroll
  for (int j = 0; j < S::mmas_n; j += 2) {
    unsigned upper[4];
    unsigned lower[4];
    mma::load_b<S>(upper, stage + S::b_begin, column + j * 8, 0);
    mma::load_b<S>(lower, stage + S::b_begin, column + j * 8, 1);
    const unsigned left[4] = {upper[0], upper[1], lower[0], lower[1]};
    const unsigned right[4] = {upper[2], upper[3], lower[2], lower[3]};
#pragma unroll
    for (int i = 0; i < S::mmas_m; ++i) {
      ptx::multiply_add_sparse(typename S::Number(), sum[i][j], of_a[i], left, metadata[i]);
      ptx::multiply_add_sparse(typename S::Number(), sum[i][j + 1], of_a[i], right, metadata[i]);
    }
  }
}

template <class S>
__global__ void __launch_bounds__(S::threads, S::blocks)
    structured_tile(StructuredArguments<typename S::Sum> args) {
  using Sum = typename S::Sum;
  static_assert(ptx::shared_memory_holds(S::blocks, S::shared_bytes),
                "as many as the registers do");
  unsigned char* const shared = ptx::dynamic_shared<unsigned char>();
  const gemm::Work work = gemm::work_of_block(args.product, S::tile_m, S::tile_n);
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int warp_row = warp / S::warps_n * S::mmas_m * 16;
  const int warp_column = warp % S::warps_n * S::mmas_n * 8;

  gemm::SliceLoader<S, S::form_b, S::tile_n> loader_b(args.b, 0, work.column, args.columns, 0,
                                                      args.product.k);
  Sum sum[S::mmas_m][S::mmas_n][4] = {};
  int slice = 0;
  mma::go_through_slices<S>(
      shared, args.slices,
      [&](unsigned char* stage) {
        load_structured<S>(stage, args, work.row, slice++);
        loader_b.load(stage + S::b_begin);
      },
      [&](const unsigned char* stage) {
        multiply_structured<S>(sum, stage, warp_row, warp_column);
      });
  gemm::pass_strips<S>(shared, sum, [&](const Sum* strip, int row, int column) {
    constexpr int columns = S::mmas_n * 8;
    constexpr int pitch = gemm::strip_pitch<S>;
    if (args.is_transposed) {
      gemm::store_transposed_strip<16, columns, pitch, 32>(
          args.product, work, strip, work.column + column, work.row + row, lane);
    } else {
      gemm::store_strip<16, columns, pitch, 32>(args.product, work, strip, work.row + row, 1,
                                                work.column + column, lane);
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
  args.product.tiles_m = gemm::tiles(p.m, S::tile_m);
  args.product.tiles_n = gemm::tiles(p.n, S::tile_n);
  args.slices = padded_k(a.type, a.k) / S::tile_k;
  args.value = static_cast<const unsigned char*>(a.value);
  args.metadata = static_cast<const unsigned char*>(a.metadata);
  const long long blocks = 1ll * args.product.tiles_m * args.product.tiles_n;
  if (blocks == 0) return cudaSuccess;
  if (blocks > 2147483647) return cudaErrorInvalidValue;
  return ptx::launch(structured_tile<S>, dim3(static_cast<unsigned>(blocks)),
                     dim3(static_cast<unsigned>(S::threads)),
                     static_cast<std::size_t>(S::shared_bytes), stream, args);
}

// For elements of two bytes, which lie in shared memory as they do in global memory.
template <class Number>
cudaError_t launch_structured_of_any_form(gemm::Type type, const Structured& a,
                                          const gemm::Problem& p, cudaStream_t stream) {
  if (a.type != type || !mistake_in(a, p).empty()) return cudaErrorInvalidValue;
  return p.b.layout == Layout::row
             ? launch_structured<StructuredShape<Number, Form::columns>>(a, p, stream)
             : launch_structured<StructuredShape<Number, Form::lines>>(a, p, stream);
}

}  // namespace archgrid::sparse
