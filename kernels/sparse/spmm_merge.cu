// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// SpMM for rows of any lengths. Each warp has an equal piece of the list of rows and entries
// (merge_path.cuh), and 128 columns of C. A piece carries its sums of a row that continues in the
// next piece. A second kernel adds the carries, in the order of the pieces.
#include "sparse/merge_path.cuh"
#include "sparse/spmm.cuh"

namespace archgrid::sparse {
namespace {

constexpr int piece = 256;  // rows and entries of a warp

long long pieces_of(const Spmm& p) {
  return (p.a.rows + p.a.entries + piece - 1) / piece;
}

}  // namespace

template <class Value, class StoredIndex>
__global__ void __launch_bounds__(product_threads, 2)
    spmm_merge_kernel(SpmmArguments<Value, StoredIndex> args, long long pieces,
                      long long* carry_rows, typename SumOf<Value>::Type* carries) {
  const long long number =
      static_cast<long long>(blockIdx.x) * product_warps + static_cast<long long>(threadIdx.x) / 32;
  if (number >= pieces) return;
  const long long all = args.rows + args.entries;
  const long long first_item = number * piece;
  const long long end_item = first_item + piece < all ? first_item + piece : all;
  const long long first_row =
      merge_path_search(first_item, args.offsets + 1, args.rows, args.entries);
  const long long end_row = merge_path_search(end_item, args.offsets + 1, args.rows, args.entries);
  const long long end_entry = end_item - end_row;
  const long long first_column =
      static_cast<long long>(blockIdx.y) * columns_per_warp + threadIdx.x % 32;
  long long begin = first_item - first_row;
  for (long long row = first_row; row <= end_row; ++row) {
    const long long end = row < end_row ? static_cast<long long>(args.offsets[row + 1]) : end_entry;
    typename SumOf<Value>::Type sum[columns_per_lane] = {};
    add_entries(args, begin, end, first_column, sum);
#pragma unroll
    for (int e = 0; e < columns_per_lane; ++e) {
      const long long j = first_column + e * 32;
      if (j >= args.n) continue;
      if (row < end_row) {
        store(args, row, j, sum[e]);
      } else {
        carries[number * args.n + j] = sum[e];
      }
    }
    begin = end;
  }
  if (blockIdx.y == 0 && threadIdx.x % 32 == 0) carry_rows[number] = end_row;
}

template <class Value, class StoredIndex>
__device__ __forceinline__ void add_to_c(const SpmmArguments<Value, StoredIndex>& args,
                                         long long row, long long column,
                                         typename SumOf<Value>::Type sum) {
  auto& c = *args.c.at(row, column);
  c = fma(args.alpha, sum, c);
}

// Returns the sum of the carries of every `step`-th of the pieces [first, end) for column `j`.
template <class Sum>
__device__ __forceinline__ Sum sum_of_pieces(const Sum* carries, long long n, long long j,
                                             long long first, long long end, int step) {
  Sum sum = 0;
#pragma unroll 8
  for (long long p = first; p < end; p += step) sum += carries[p * n + j];
  return sum;
}

// Adds the carries of pieces to their rows. The warp of a row's first piece does it, or its whole
// block if the row spans more pieces than a block has warps. Only one row per block can.
template <class Value, class StoredIndex>
__global__ void __launch_bounds__(product_threads)
    spmm_merge_carries(SpmmArguments<Value, StoredIndex> args, long long pieces,
                       const long long* carry_rows, const typename SumOf<Value>::Type* carries) {
  using Sum = typename SumOf<Value>::Type;
  __shared__ long long long_segment[2];
  __shared__ Sum sums[product_warps][32];
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const long long first = static_cast<long long>(blockIdx.x) * product_warps + warp;
  const long long first_column = static_cast<long long>(blockIdx.y) * columns_per_warp;
  const long long left = args.n - first_column;
  const long long end_column = first_column + (left < columns_per_warp ? left : columns_per_warp);
  const auto row_of = [&](long long piece) { return carry_rows[piece]; };
  const auto goes_on = [&](long long piece, long long row) {
    return piece < pieces && row_of(piece) == row;
  };

  if (threadIdx.x == 0) long_segment[1] = 0;
  __syncthreads();
  const long long row = first < pieces ? row_of(first) : args.rows;
  const bool is_first = row < args.rows && (first == 0 || row_of(first - 1) != row);
  if (is_first && goes_on(first + product_warps, row)) {
    if (lane == 0) {
      long_segment[0] = first;
      long_segment[1] = end_of_segment(row_of, first + product_warps, pieces);
    }
  } else if (is_first) {
    long long end = first + 1;
    while (goes_on(end, row)) ++end;
    for (long long j = first_column + lane; j < end_column; j += 32)
      add_to_c(args, row, j, sum_of_pieces(carries, args.n, j, first, end, 1));
  }
  __syncthreads();
  const long long end = long_segment[1];
  if (end == 0) return;
  const long long begin = long_segment[0];
  for (long long column = first_column; column < end_column; column += 32) {
    const long long j = column + lane;
    if (j < end_column)
      sums[warp][lane] = sum_of_pieces(carries, args.n, j, begin + warp, end, product_warps);
    __syncthreads();
    if (warp == 0 && j < end_column) {
      Sum sum = 0;
      for (int w = 0; w < product_warps; ++w) sum += sums[w][lane];
      add_to_c(args, row_of(begin), j, sum);
    }
    __syncthreads();
  }
}

template <class Value, class StoredIndex>
struct SpmmMerge {
  static cudaError_t launch(const Spmm& p, void* workspace, cudaStream_t stream) {
    using Sum = typename SumOf<Value>::Type;
    const auto args = arguments_of<Value, StoredIndex>(p);
    const long long pieces = pieces_of(p);
    auto* const carry_rows = static_cast<long long*>(workspace);
    auto* const carries = reinterpret_cast<Sum*>(carry_rows + pieces);
    const auto blocks = static_cast<unsigned>((pieces + product_warps - 1) / product_warps);
    const cudaError_t error =
        ptx::launch(spmm_merge_kernel<Value, StoredIndex>, dim3(blocks, column_tiles_of(p)),
                    dim3(product_threads), 0, stream, args, pieces, carry_rows, carries);
    if (error != cudaSuccess) return error;
    return ptx::launch(spmm_merge_carries<Value, StoredIndex>, dim3(blocks, column_tiles_of(p)),
                       dim3(product_threads), 0, stream, args, pieces, carry_rows, carries);
  }
};

std::size_t spmm_merge_workspace_bytes(const Spmm& p) {
  if (!validate_extents(p).empty() || p.n == 0) return 0;
  // Less than 2^55, for the largest valid extents.
  const auto pieces = static_cast<std::size_t>(pieces_of(p));
  return pieces * (sizeof(long long) + static_cast<std::size_t>(p.n) * sizeof(double));
}
cudaError_t spmm_merge(const Spmm& p, void* workspace, std::size_t workspace_bytes,
                       cudaStream_t stream) {
  return launch_typed<SpmmMerge>(p, spmm_merge_workspace_bytes(p), workspace, workspace_bytes,
                                 stream);
}

}  // namespace archgrid::sparse
