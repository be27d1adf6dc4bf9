// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "ptx/launch.cuh"
#include "sparse/scan.h"
#include "sparse/validate.h"

namespace archgrid::sparse {
namespace {

constexpr int scan_threads = 256;
constexpr int scan_warps = scan_threads / 32;
constexpr int scan_items = 8;  // contiguous items per thread
constexpr int scan_tile = scan_threads * scan_items;
constexpr long long max_elements = 1ll << 41;

long long tiles_of(long long count) {
  return (count + scan_tile - 1) / scan_tile;
}

}  // namespace

// Returns the sum of the values of the block's earlier threads. Writes the sum of all to `total`.
__device__ __forceinline__ std::int64_t block_exclusive_sum(std::int64_t value,
                                                            std::int64_t* total) {
  __shared__ std::int64_t of_warp[scan_warps];
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  std::int64_t sum = value;
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    const long long below = __shfl_up_sync(0xffffffffu, static_cast<long long>(sum), step);
    if (lane >= step) sum += below;
  }
  __syncthreads();  // no thread reads the sums of an earlier call any more
  if (lane == 31) of_warp[warp] = sum;
  __syncthreads();
  std::int64_t before = 0;
  std::int64_t all = 0;
#pragma unroll
  for (int w = 0; w < scan_warps; ++w) {
    if (w == warp) before = all;
    all += of_warp[w];
  }
  *total = all;
  return before + sum - value;
}

template <class In>
__device__ __forceinline__ std::int64_t read_items(const In* in, long long first, long long count,
                                                   std::int64_t (&values)[scan_items]) {
  std::int64_t sum = 0;
#pragma unroll
  for (int i = 0; i < scan_items; ++i) {
    values[i] = first + i < count ? static_cast<std::int64_t>(in[first + i]) : 0;
    sum += values[i];
  }
  return sum;
}

template <class In>
__global__ void __launch_bounds__(scan_threads)
    scan_tile_sums(const In* in, long long count, std::int64_t* tile_sums) {
  std::int64_t values[scan_items];
  const long long first = static_cast<long long>(blockIdx.x) * scan_tile + threadIdx.x * scan_items;
  std::int64_t total = 0;
  block_exclusive_sum(read_items(in, first, count, values), &total);
  if (threadIdx.x == 0) tile_sums[blockIdx.x] = total;
}

// Scans the sums of tiles in one block, which carries its sum from piece to piece.
__global__ void __launch_bounds__(scan_threads)
    scan_carries(std::int64_t* tile_sums, long long tiles, std::int64_t* end) {
  std::int64_t carry = 0;
  for (long long first = 0; first < tiles; first += scan_threads) {
    const long long mine = first + threadIdx.x;
    const std::int64_t value = mine < tiles ? tile_sums[mine] : 0;
    std::int64_t total = 0;
    const std::int64_t before = block_exclusive_sum(value, &total);
    if (mine < tiles) tile_sums[mine] = carry + before;
    carry += total;
  }
  if (threadIdx.x == 0) *end = carry;
}

template <class In>
__global__ void __launch_bounds__(scan_threads)
    scan_elements(const In* in, long long count, const std::int64_t* carries, std::int64_t* sums) {
  std::int64_t values[scan_items];
  const long long first = static_cast<long long>(blockIdx.x) * scan_tile + threadIdx.x * scan_items;
  std::int64_t total = 0;
  std::int64_t sum =
      carries[blockIdx.x] + block_exclusive_sum(read_items(in, first, count, values), &total);
#pragma unroll
  for (int i = 0; i < scan_items; ++i) {
    if (first + i < count) sums[first + i] = sum;
    sum += values[i];
  }
}

namespace {

template <class In>
cudaError_t scan(const In* in, long long count, std::int64_t* sums, std::int64_t* carries,
                 cudaStream_t stream) {
  const long long tiles = tiles_of(count);
  const dim3 grid(static_cast<unsigned>(tiles));
  cudaError_t error = cudaSuccess;
  if (tiles > 0)
    error = ptx::launch(scan_tile_sums<In>, grid, scan_threads, 0, stream, in, count, carries);
  if (error == cudaSuccess) {
    error = ptx::launch(scan_carries, 1, scan_threads, 0, stream, carries, tiles, sums + count);
  }
  if (error != cudaSuccess || tiles == 0) return error;
  return ptx::launch(scan_elements<In>, grid, scan_threads, 0, stream, in, count, carries, sums);
}

}  // namespace

std::size_t scan_workspace_bytes(long long count) {
  if (count < 0 || count > max_elements) return 0;
  return sizeof(std::int64_t) * static_cast<std::size_t>(tiles_of(count));
}

std::string validate_exclusive_scan(const void* in, Integer type, long long count,
                                    const std::int64_t* sums, const void* workspace,
                                    std::size_t workspace_bytes) {
  return first_of({validate_extent("count", count, max_elements),
                   validate_array("in", in, count, bytes_of(type)),
                   validate_array("sums", sums, 1, sizeof *sums),
                   validate_workspace(workspace, workspace_bytes, scan_workspace_bytes(count))});
}

cudaError_t exclusive_scan(const void* in, Integer type, long long count, std::int64_t* sums,
                           void* workspace, std::size_t workspace_bytes, cudaStream_t stream) {
  if (!validate_exclusive_scan(in, type, count, sums, workspace, workspace_bytes).empty())
    return cudaErrorInvalidValue;
  auto* const carries = static_cast<std::int64_t*>(workspace);
  if (type == Integer::i32)
    return scan(static_cast<const std::int32_t*>(in), count, sums, carries, stream);
  return scan(static_cast<const std::int64_t*>(in), count, sums, carries, stream);
}

}  // namespace archgrid::sparse
