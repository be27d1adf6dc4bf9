// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// SpMM with one warp per row of C and 128 of its columns. For a row-major B: lanes read adjacent
// elements.
#include "sparse/spmm.cuh"

namespace archgrid::sparse {

template <class Value, class StoredIndex>
__global__ void __launch_bounds__(product_threads, 2)
    spmm_lane_per_column_kernel(SpmmArguments<Value, StoredIndex> args) {
  const long long row =
      static_cast<long long>(blockIdx.x) * product_warps + static_cast<long long>(threadIdx.x) / 32;
  if (row >= args.rows) return;
  const long long first_column =
      static_cast<long long>(blockIdx.y) * columns_per_warp + threadIdx.x % 32;
  typename SumOf<Value>::Type sum[columns_per_lane] = {};
  add_entries(args, args.offsets[row], args.offsets[row + 1], first_column, sum);
#pragma unroll
  for (int e = 0; e < columns_per_lane; ++e) {
    if (first_column + e * 32 < args.n) store(args, row, first_column + e * 32, sum[e]);
  }
}

template <class Value, class StoredIndex>
struct SpmmLanePerColumn {
  static cudaError_t launch(const Spmm& p, void*, cudaStream_t stream) {
    const auto blocks = static_cast<unsigned>((p.a.rows + product_warps - 1) / product_warps);
    return ptx::launch(spmm_lane_per_column_kernel<Value, StoredIndex>,
                       dim3(blocks, column_tiles_of(p)), dim3(product_threads), 0, stream,
                       arguments_of<Value, StoredIndex>(p));
  }
};

std::size_t spmm_lane_per_column_workspace_bytes(const Spmm&) {
  return 0;
}
cudaError_t spmm_lane_per_column(const Spmm& p, void* workspace, std::size_t workspace_bytes,
                                 cudaStream_t stream) {
  return launch_typed<SpmmLanePerColumn>(p, 0, workspace, workspace_bytes, stream);
}

}  // namespace archgrid::sparse
