// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// SpMV with one warp or a part of a warp per row, for rows of about equal lengths.
#include "sparse/spmv.cuh"

namespace archgrid::sparse {
namespace {

// Returns the number of bits b so that 1 << b lanes share a row: about half as many as a row has
// entries, so that each lane reads two of them.
int lane_bits_for(const CsrOnDevice& a) {
  int bits = 1;
  while (bits < 5 && a.entries > (2ll << bits) * a.rows) ++bits;
  return bits;
}

}  // namespace

template <class Value, class StoredIndex>
__global__ void __launch_bounds__(product_threads)
    spmv_warp_per_row_kernel(SpmvArguments<Value, StoredIndex> args, int lane_bits) {
  const long long thread = static_cast<long long>(blockIdx.x) * product_threads + threadIdx.x;
  const long long row = thread >> lane_bits;
  const int lanes = 1 << lane_bits;
  const int lane = static_cast<int>(threadIdx.x) & (lanes - 1);
  typename SumOf<Value>::Type sum = 0;
  // All lanes of a warp reach the shuffles, even if the last row ends within the warp.
  if (row < args.rows) {
    const long long end = args.offsets[row + 1];
    for (long long i = args.offsets[row] + lane; i < end; i += lanes)
      sum = multiply_add_entry(args, i, sum);
  }
  for (int distance = lanes / 2; distance > 0; distance /= 2)
    sum += __shfl_down_sync(ptx::all_lanes, sum, static_cast<unsigned>(distance), lanes);
  if (row < args.rows && lane == 0) store(args, row, sum);
}

template <class Value, class StoredIndex>
struct SpmvWarpPerRow {
  static cudaError_t launch(const Spmv& p, void*, cudaStream_t stream) {
    const int lane_bits = lane_bits_for(p.a);
    const auto blocks =
        static_cast<unsigned>(((p.a.rows << lane_bits) + product_threads - 1) / product_threads);
    return ptx::launch(spmv_warp_per_row_kernel<Value, StoredIndex>, dim3(blocks),
                       dim3(product_threads), 0, stream, arguments_of<Value, StoredIndex>(p),
                       lane_bits);
  }
};

std::size_t spmv_warp_per_row_workspace_bytes(const Spmv&) {
  return 0;
}
cudaError_t spmv_warp_per_row(const Spmv& p, void* workspace, std::size_t workspace_bytes,
                              cudaStream_t stream) {
  return launch_typed<SpmvWarpPerRow>(p, 0, workspace, workspace_bytes, stream);
}

}  // namespace archgrid::sparse
