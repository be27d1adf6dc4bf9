// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// A warp for each row, or a part of one for each of several: for rows of about equal lengths.
#include "sparse/spmv.cuh"

namespace archgrid::sparse {
namespace {

constexpr int threads = 256;
constexpr unsigned all_lanes = 0xffffffffu;

// Lanes that share a row: half as many as it has entries, so that each reads two of them.
int lanes_for(const CsrOnDevice& a) {
  int lanes = 2;
  while (lanes < 32 && a.entries > 4ll * lanes / 2 * a.rows) lanes *= 2;
  return lanes;
}

}  // namespace

template <class Value, class Stored>
__global__ void __launch_bounds__(threads)
    spmv_row_per_warp_kernel(SpmvArguments<Value, Stored> args, int lanes) {
  const long long thread = static_cast<long long>(blockIdx.x) * threads + threadIdx.x;
  const long long row = thread / lanes;
  typename SumOf<Value>::Type sum = 0;
  // Whole warps go on to the sums, though rows may end within one.
  if (row < args.rows) {
    const long long end = args.offsets[row + 1];
    for (long long i = args.offsets[row] + thread % lanes; i < end; i += lanes)
      sum = added(args, i, sum);
  }
  for (int distance = lanes / 2; distance > 0; distance /= 2)
    sum += __shfl_down_sync(all_lanes, sum, static_cast<unsigned>(distance), lanes);
  if (row < args.rows && thread % lanes == 0) store(args, row, sum);
}

template <class Value, class Stored>
struct SpmvRowPerWarp {
  static cudaError_t of(const Spmv& p, void*, cudaStream_t stream) {
    const int lanes = lanes_for(p.a);
    const auto blocks = static_cast<unsigned>((p.a.rows * lanes + threads - 1) / threads);
    return ptx::launch(spmv_row_per_warp_kernel<Value, Stored>, dim3(blocks), dim3(threads), 0,
                       stream, arguments_of<Value, Stored>(p), lanes);
  }
};

std::size_t spmv_row_per_warp_workspace_bytes(const Spmv&) {
  return 0;
}
cudaError_t spmv_row_per_warp(const Spmv& p, void* workspace, cudaStream_t stream) {
  return launch_for_types<SpmvRowPerWarp>(p, workspace, stream);
}

}  // namespace archgrid::sparse
