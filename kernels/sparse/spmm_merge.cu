// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Each warp has an equal piece of the list of rows and entries (merge.cuh), and 128 columns of C:
// for rows of any lengths. What a piece has of a row that goes on is added by a second kernel, in
// the order of the pieces.
#include "sparse/merge.cuh"
#include "sparse/spmm.cuh"

namespace archgrid::sparse {
namespace {

constexpr int threads = 256;
constexpr int warps = threads / 32;
constexpr int piece = 256;  // rows and entries of a warp

long long pieces_of(const Spmm& p) {
  return (p.a.rows + p.a.entries + piece - 1) / piece;
}

}  // namespace

template <class Value, class Stored>
__global__ void __launch_bounds__(threads, 2)
    spmm_merge_kernel(SpmmArguments<Value, Stored> args, long long pieces, long long* carry_rows,
                      typename SumOf<Value>::Type* carries) {
  const long long number =
      static_cast<long long>(blockIdx.x) * warps + static_cast<long long>(threadIdx.x) / 32;
  if (number >= pieces) return;
  const long long all = args.rows + args.entries;
  const long long first_item = number * piece;
  const long long end_item = first_item + piece < all ? first_item + piece : all;
  const long long first_row = rows_among(first_item, args.offsets + 1, args.rows, args.entries);
  const long long end_row = rows_among(end_item, args.offsets + 1, args.rows, args.entries);
  const long long end_entry = end_item - end_row;
  const long long first_column =
      static_cast<long long>(blockIdx.y) * columns_of_warp + threadIdx.x % 32;
  long long begin = first_item - first_row;
  for (long long row = first_row; row <= end_row; ++row) {
    const long long end = row < end_row ? static_cast<long long>(args.offsets[row + 1]) : end_entry;
    typename SumOf<Value>::Type sum[columns_of_lane] = {};
    add_entries(args, begin, end, first_column, sum);
#pragma unroll
    for (int e = 0; e < columns_of_lane; ++e) {
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

// What pieces have left of a row, added to it from the first of them on.
template <class Value, class Stored>
__global__ void __launch_bounds__(threads)
    spmm_merge_carries(SpmmArguments<Value, Stored> args, long long pieces,
                       const long long* carry_rows, const typename SumOf<Value>::Type* carries) {
  const long long first = blockIdx.x;
  const long long row = carry_rows[first];
  if (row >= args.rows || (first > 0 && carry_rows[first - 1] == row)) return;
  const long long step = static_cast<long long>(gridDim.y) * threads;
  for (long long j = static_cast<long long>(blockIdx.y) * threads + threadIdx.x; j < args.n;
       j += step) {
    typename SumOf<Value>::Type sum = 0;
    for (long long p = first; p < pieces && carry_rows[p] == row; ++p)
      sum += carries[p * args.n + j];
    auto& c = *args.c.at(row, j);
    c = fma(args.alpha, sum, c);
  }
}

template <class Value, class Stored>
struct SpmmMerge {
  static cudaError_t of(const Spmm& p, void* workspace, cudaStream_t stream) {
    if (workspace == nullptr) return cudaErrorInvalidValue;
    using Sum = typename SumOf<Value>::Type;
    const auto args = arguments_of<Value, Stored>(p);
    const long long pieces = pieces_of(p);
    auto* const carry_rows = static_cast<long long*>(workspace);
    auto* const carries = reinterpret_cast<Sum*>(carry_rows + pieces);
    const auto blocks = static_cast<unsigned>((pieces + warps - 1) / warps);
    const cudaError_t error =
        ptx::launch(spmm_merge_kernel<Value, Stored>, dim3(blocks, column_tiles_of(p)),
                    dim3(threads), 0, stream, args, pieces, carry_rows, carries);
    if (error != cudaSuccess) return error;
    const auto column_blocks = static_cast<unsigned>((p.n + threads - 1) / threads);
    return ptx::launch(spmm_merge_carries<Value, Stored>,
                       dim3(static_cast<unsigned>(pieces), column_blocks), dim3(threads), 0, stream,
                       args, pieces, carry_rows, carries);
  }
};

std::size_t spmm_merge_workspace_bytes(const Spmm& p) {
  if (!mistake_in_extents(p).empty()) return 0;
  const auto pieces = static_cast<std::size_t>(pieces_of(p));
  return pieces * (sizeof(long long) + static_cast<std::size_t>(p.n) * sizeof(double));
}
cudaError_t spmm_merge(const Spmm& p, void* workspace, cudaStream_t stream) {
  return launch_for_types<SpmmMerge>(p, workspace, stream);
}

}  // namespace archgrid::sparse
