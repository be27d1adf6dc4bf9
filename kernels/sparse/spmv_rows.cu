// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Computes statistics of the rows of a matrix.
#include "sparse/spmv.cuh"

namespace archgrid::sparse {
namespace {

struct Found {
  unsigned long long longest;
  unsigned long long empty;
};
static_assert(sizeof(Found) == measure_rows_bytes, "as the header says");

}  // namespace

template <class StoredIndex>
__global__ void __launch_bounds__(product_threads)
    spmv_row_lengths(const StoredIndex* offsets, long long rows, unsigned long long* longest,
                     unsigned long long* empty) {
  const long long step = static_cast<long long>(gridDim.x) * product_threads;
  unsigned long long own_longest = 0;
  unsigned long long own_empty = 0;
  for (long long row = static_cast<long long>(blockIdx.x) * product_threads + threadIdx.x;
       row < rows; row += step) {
    const auto length = static_cast<unsigned long long>(offsets[row + 1] - offsets[row]);
    own_longest = length > own_longest ? length : own_longest;
    own_empty += length == 0 ? 1 : 0;
  }
  // One lane per warp updates the result: atomics of all lanes would wait for each other.
  for (int distance = 16; distance > 0; distance /= 2) {
    const auto other = __shfl_xor_sync(0xffffffffu, own_longest, distance);
    own_longest = other > own_longest ? other : own_longest;
    own_empty += __shfl_xor_sync(0xffffffffu, own_empty, distance);
  }
  if (threadIdx.x % 32 != 0) return;
  if (own_longest > 0) atomicMax(longest, own_longest);
  if (own_empty > 0) atomicAdd(empty, own_empty);
}

namespace {

template <class StoredIndex>
cudaError_t launch(const CsrOnDevice& m, Found* found, cudaStream_t stream) {
  constexpr long long max_blocks = 1024;
  const long long wanted = (m.rows + product_threads - 1) / product_threads;
  const auto blocks = static_cast<unsigned>(wanted < max_blocks ? wanted : max_blocks);
  return ptx::launch(spmv_row_lengths<StoredIndex>, dim3(blocks), dim3(product_threads), 0, stream,
                     static_cast<const StoredIndex*>(m.offsets), static_cast<long long>(m.rows),
                     &found->longest, &found->empty);
}

}  // namespace

cudaError_t measure_rows(const CsrOnDevice& m, void* workspace, std::size_t workspace_bytes,
                         RowStatistics* rows, cudaStream_t stream) {
  if (rows == nullptr) return cudaErrorInvalidValue;
  *rows = {m.rows, m.entries, 0, 0};
  if (!validate_measure_rows(m, workspace, workspace_bytes).empty()) return cudaErrorInvalidValue;
  if (m.rows == 0) return cudaSuccess;
  auto* const on_device = static_cast<Found*>(workspace);
  cudaError_t error = cudaMemsetAsync(on_device, 0, sizeof(Found), stream);
  if (error == cudaSuccess) {
    error = m.index_type == Integer::i32 ? launch<std::int32_t>(m, on_device, stream)
                                         : launch<std::int64_t>(m, on_device, stream);
  }
  Found found{};
  if (error == cudaSuccess)
    error = cudaMemcpyAsync(&found, on_device, sizeof found, cudaMemcpyDeviceToHost, stream);
  if (error == cudaSuccess) error = cudaStreamSynchronize(stream);
  rows->longest = static_cast<std::int64_t>(found.longest);
  rows->empty = static_cast<std::int64_t>(found.empty);
  return error;
}

}  // namespace archgrid::sparse
