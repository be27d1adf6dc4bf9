// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// The device finds the first row with a mistake; the host, which has the words, looks at that row.
#include <algorithm>
#include <vector>

#include "ptx/launch.cuh"
#include "sparse/check.h"

namespace archgrid::sparse {
namespace {

constexpr int threads = 256;
constexpr unsigned long long none = ~0ull;

}  // namespace

template <class T>
struct PatternArguments {
  long long rows, columns, entries;
  const T* offsets;
  const T* column;
};

template <class T>
__device__ __forceinline__ bool has_mistake(const PatternArguments<T>& p, long long row) {
  const long long begin = p.offsets[row];
  const long long end = p.offsets[row + 1];
  if (row == 0 && begin != 0) return true;
  if (begin < 0 || end < begin || end > p.entries) return true;
  if (row == p.rows - 1 && end != p.entries) return true;
  long long before = -1;
  for (long long i = begin; i < end; ++i) {
    const long long column = p.column[i];
    if (column <= before || column >= p.columns) return true;
    before = column;
  }
  return false;
}

template <class T>
__global__ void __launch_bounds__(threads)
    check_rows(PatternArguments<T> p, unsigned long long* first) {
  const long long step = static_cast<long long>(gridDim.x) * threads;
  for (long long row = static_cast<long long>(blockIdx.x) * threads + threadIdx.x; row < p.rows;
       row += step) {
    // The least of all that come: whatever their order.
    if (has_mistake(p, row)) atomicMin(first, static_cast<unsigned long long>(row));
  }
}

namespace {

template <class T>
cudaError_t copy(const T* from, Index count, std::vector<Index>* to, cudaStream_t stream) {
  std::vector<T> stored(static_cast<std::size_t>(count));
  const cudaError_t error = cudaMemcpyAsync(stored.data(), from, stored.size() * sizeof(T),
                                            cudaMemcpyDeviceToHost, stream);
  if (error != cudaSuccess) return error;
  const cudaError_t waited = cudaStreamSynchronize(stream);
  to->assign(stored.begin(), stored.end());
  return waited;
}

// The words for a row that has a mistake: those for the row as a matrix of its own.
template <class T>
cudaError_t describe(const PatternArguments<T>& p, Index row, Mistake* mistake,
                     cudaStream_t stream) {
  std::vector<Index> ends;
  cudaError_t error = copy(p.offsets + row, 2, &ends, stream);
  if (error != cudaSuccess) return error;
  const Index begin = ends[0];
  const Index end = ends[1];
  const bool can_be_read = begin >= 0 && end >= begin && end <= p.entries;
  const bool is_last = row == p.rows - 1;
  if ((row == 0 && begin != 0) || !can_be_read || (is_last && end != p.entries)) {
    *mistake = mistake_in_ends(row, begin, end, is_last, p.entries);
    return cudaSuccess;
  }
  Csr one{1,
          p.columns,
          {0, end - begin},
          {},
          std::vector<double>(static_cast<std::size_t>(end - begin))};
  error = copy(p.column + begin, end - begin, &one.column, stream);
  *mistake = mistake_in(one);
  mistake->row = row;
  if (mistake->position >= 0) mistake->position += begin;
  return error;
}

template <class T>
cudaError_t find(const DevicePattern& pattern, unsigned long long* first, Mistake* mistake,
                 cudaStream_t stream) {
  constexpr long long most_blocks = 1 << 16;
  const PatternArguments<T> p{pattern.rows, pattern.columns, pattern.entries,
                              static_cast<const T*>(pattern.offsets),
                              static_cast<const T*>(pattern.column)};
  cudaError_t error = cudaMemsetAsync(first, 0xff, sizeof *first, stream);
  if (error != cudaSuccess) return error;
  const long long blocks = std::min((p.rows + threads - 1) / threads, most_blocks);
  error = ptx::launch(check_rows<T>, dim3(static_cast<unsigned>(blocks)), dim3(threads), 0, stream,
                      p, first);
  unsigned long long row = none;
  if (error == cudaSuccess)
    error = cudaMemcpyAsync(&row, first, sizeof row, cudaMemcpyDeviceToHost, stream);
  if (error == cudaSuccess) error = cudaStreamSynchronize(stream);
  if (error != cudaSuccess || row == none) return error;
  return describe(p, static_cast<Index>(row), mistake, stream);
}

}  // namespace

cudaError_t check(const DevicePattern& pattern, void* workspace, Mistake* mistake,
                  cudaStream_t stream) {
  *mistake = {};
  if (pattern.rows < 0 || pattern.columns < 0 || pattern.entries < 0) return cudaErrorInvalidValue;
  if (pattern.entries > 0 && pattern.column == nullptr) return cudaErrorInvalidValue;
  if (pattern.rows == 0) {
    if (pattern.entries > 0) *mistake = {"there are entries, and no row", -1, -1};
    return cudaSuccess;
  }
  if (pattern.offsets == nullptr || workspace == nullptr) return cudaErrorInvalidValue;
  auto* const first = static_cast<unsigned long long*>(workspace);
  return pattern.type == Integer::i32 ? find<std::int32_t>(pattern, first, mistake, stream)
                                      : find<std::int64_t>(pattern, first, mistake, stream);
}

}  // namespace archgrid::sparse
