// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// SpMM with one warp per row of C and four of its columns. For a column-major B: each lane has some
// of the row's entries, and reads them once for the four columns.
#include "sparse/spmm.cuh"

namespace archgrid::sparse {
namespace {

constexpr int columns_at_once = 4;

}  // namespace

template <class Value, class StoredIndex>
__global__ void __launch_bounds__(product_threads, 2)
    spmm_lane_per_entry_kernel(SpmmArguments<Value, StoredIndex> args) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const long long row =
      static_cast<long long>(blockIdx.x) * product_warps + static_cast<long long>(threadIdx.x) / 32;
  if (row >= args.rows) return;
  const long long end = args.offsets[row + 1];
  // The grid processes gridDim.y pieces of columns at a time.
  for (long long first_column = static_cast<long long>(blockIdx.y) * columns_at_once;
       first_column < args.n; first_column += static_cast<long long>(gridDim.y) * columns_at_once) {
    typename SumOf<Value>::Type sum[columns_at_once] = {};
    for (long long i = args.offsets[row] + lane; i < end; i += 32) {
      const auto value = widened(args.value[i]);
      const Value* const from = args.b.at(args.column[i], 0);
#pragma unroll
      for (int e = 0; e < columns_at_once; ++e) {
        const long long j = first_column + e;
        if (j < args.n) sum[e] = fma(value, widened(from[j * args.b.column_stride]), sum[e]);
      }
    }
#pragma unroll
    for (int e = 0; e < columns_at_once; ++e) {
      for (int distance = 16; distance > 0; distance /= 2)
        sum[e] += __shfl_down_sync(ptx::all_lanes, sum[e], static_cast<unsigned>(distance));
      if (lane == 0 && first_column + e < args.n) store(args, row, first_column + e, sum[e]);
    }
  }
}

template <class Value, class StoredIndex>
struct SpmmLanePerEntry {
  static cudaError_t launch(const Spmm& p, void*, cudaStream_t stream) {
    constexpr std::int64_t max_pieces = 65535;
    const auto blocks = static_cast<unsigned>((p.a.rows + product_warps - 1) / product_warps);
    const std::int64_t pieces = (p.n + columns_at_once - 1) / columns_at_once;
    const auto at_a_time = static_cast<unsigned>(pieces < max_pieces ? pieces : max_pieces);
    return ptx::launch(spmm_lane_per_entry_kernel<Value, StoredIndex>, dim3(blocks, at_a_time),
                       dim3(product_threads), 0, stream, arguments_of<Value, StoredIndex>(p));
  }
};

std::size_t spmm_lane_per_entry_workspace_bytes(const Spmm&) {
  return 0;
}
cudaError_t spmm_lane_per_entry(const Spmm& p, void* workspace, std::size_t workspace_bytes,
                                cudaStream_t stream) {
  return launch_typed<SpmmLanePerEntry>(p, 0, workspace, workspace_bytes, stream);
}

}  // namespace archgrid::sparse
