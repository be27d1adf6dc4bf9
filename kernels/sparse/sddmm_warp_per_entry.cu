// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// SDDMM with one warp per entry; each lane has a part of k. A warp computes several entries, one
// after another. For a row-major A and a column-major B.
#include "sparse/sddmm.cuh"

namespace archgrid::sparse {
namespace {

constexpr int entries_per_warp = 8;

}  // namespace

template <class Value, class StoredIndex>
__global__ void __launch_bounds__(product_threads, 2)
    sddmm_warp_per_entry_kernel(SddmmArguments<Value, StoredIndex> args) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const long long first = (static_cast<long long>(blockIdx.x) * product_warps +
                           static_cast<long long>(threadIdx.x) / 32) *
                          entries_per_warp;
  if (first >= args.entries) return;
  const long long end =
      first + entries_per_warp < args.entries ? first + entries_per_warp : args.entries;
  long long row = row_of(args, first, 0);
  for (long long entry = first; entry < end; ++entry) {
    if (args.offsets[row + 1] <= entry) ++row;
    // There may be millions of rows without entries.
    if (args.offsets[row + 1] <= entry) row = row_of(args, entry, row + 1);
    auto sum = sum_along_k(args, row, args.column[entry], lane, 32);
    for (int distance = 16; distance > 0; distance /= 2)
      sum += __shfl_down_sync(ptx::all_lanes, sum, static_cast<unsigned>(distance));
    if (lane == 0) store(args, entry, sum);
  }
}

template <class Value, class StoredIndex>
struct SddmmWarpPerEntry {
  static cudaError_t launch(const Sddmm& p, cudaStream_t stream) {
    constexpr std::int64_t of_block = product_warps * entries_per_warp;
    const auto blocks = static_cast<unsigned>((p.entries + of_block - 1) / of_block);
    return ptx::launch(sddmm_warp_per_entry_kernel<Value, StoredIndex>, dim3(blocks),
                       dim3(product_threads), 0, stream, arguments_of<Value, StoredIndex>(p));
  }
};

cudaError_t sddmm_warp_per_entry(const Sddmm& p, cudaStream_t stream) {
  return launch_typed<SddmmWarpPerEntry>(p, stream);
}

}  // namespace archgrid::sparse
