// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// SpMV for rows of any lengths. Rows and entries are merged into one list, each row after its
// entries, and cut into equal pieces (Merrill and Garland: Merge-based parallel sparse
// matrix-vector multiplication, 2016). A piece carries its sum of a row that continues in the next
// piece. A second kernel adds the carries, in the order of the pieces.
#include "sparse/merge_path.cuh"
#include "sparse/spmv.cuh"

namespace archgrid::sparse {
namespace {

constexpr int merge_threads = 128;
constexpr int merge_items = 8;  // rows and entries per thread
constexpr int merge_tile = merge_threads * merge_items;

long long tiles_of(const Spmv& p) {
  return (p.a.rows + p.a.entries + merge_tile - 1) / merge_tile;
}

}  // namespace

// A partial sum of a row.
template <class Sum>
struct Carry {
  long long row;
  Sum sum;
};

// Adds to each thread's sum the sums of earlier threads that end in the same row.
template <class Sum>
__device__ __forceinline__ void add_up_by_row(int* rows, Sum* sums) {
  const int thread = static_cast<int>(threadIdx.x);
  for (int distance = 1; distance < merge_threads; distance *= 2) {
    const bool adds = thread >= distance && rows[thread - distance] == rows[thread];
    const Sum before = adds ? sums[thread - distance] : Sum(0);
    __syncthreads();
    if (adds) sums[thread] += before;
    __syncthreads();
  }
}

template <class Value, class StoredIndex>
__global__ void __launch_bounds__(merge_threads)
    spmv_merge_kernel(SpmvArguments<Value, StoredIndex> args,
                      Carry<typename SumOf<Value>::Type>* carries) {
  using Sum = typename SumOf<Value>::Type;
  __shared__ Sum products[merge_tile];
  __shared__ int ends[merge_tile + 1];  // ends of rows, in entries of the tile
  __shared__ int last_rows[merge_threads];
  __shared__ Sum last_sums[merge_threads];
  __shared__ long long bounds[2];
  const int thread = static_cast<int>(threadIdx.x);
  const long long all = args.rows + args.entries;
  const long long first_item = static_cast<long long>(blockIdx.x) * merge_tile;
  const long long end_item = first_item + merge_tile < all ? first_item + merge_tile : all;
  if (thread < 2) {
    bounds[thread] = merge_path_search(thread == 0 ? first_item : end_item, args.offsets + 1,
                                       args.rows, args.entries);
  }
  __syncthreads();
  const long long first_row = bounds[0];
  const long long first_entry = first_item - first_row;
  const int rows = static_cast<int>(bounds[1] - first_row);
  const int entries = static_cast<int>(end_item - first_item) - rows;
  for (int i = thread; i < entries; i += merge_threads)
    products[i] = multiply_add_entry(args, first_entry + i, Sum(0));
  // The row after the last one that ends here continues beyond the tile.
  for (int i = thread; i <= rows; i += merge_threads) {
    const bool ends_here = i < rows;
    ends[i] =
        ends_here ? static_cast<int>(args.offsets[first_row + i + 1] - first_entry) : merge_tile;
  }
  __syncthreads();

  const int begin = thread * merge_items < rows + entries ? thread * merge_items : rows + entries;
  const int end = begin + merge_items < rows + entries ? begin + merge_items : rows + entries;
  int row = static_cast<int>(merge_path_search(begin, ends, rows, entries));
  int entry = begin - row;
  const int own_first_row = row;
  Sum sum = 0;
  Sum first_sum = 0;  // sum of the row that the thread begins in, if that ends here
  for (int item = begin; item < end; ++item) {
    if (entry < ends[row]) {
      sum += products[entry++];
      continue;
    }
    if (row == own_first_row) {
      first_sum = sum;
    } else {
      store(args, first_row + row, sum);
    }
    sum = 0;
    ++row;
  }
  last_rows[thread] = row;
  last_sums[thread] = sum;
  __syncthreads();
  add_up_by_row(last_rows, last_sums);
  if (row > own_first_row) {
    if (thread > 0 && last_rows[thread - 1] == own_first_row) first_sum += last_sums[thread - 1];
    store(args, first_row + own_first_row, first_sum);
  }
  if (thread == merge_threads - 1) carries[blockIdx.x] = {first_row + row, last_sums[thread]};
}

// Returns the sum of the carries of tile `begin` and the following ones of the same row. Each lane
// adds up every 32nd tile, then the warp adds up its lanes.
template <class Sum>
__device__ __forceinline__ Sum sum_of_segment(const Carry<Sum>* carries, long long begin,
                                              long long tiles) {
  const long long end =
      end_of_segment([&](long long tile) { return carries[tile].row; }, begin, tiles);
  Sum sum = 0;
#pragma unroll 8
  for (long long t = begin + static_cast<long long>(threadIdx.x) % 32; t < end; t += 32)
    sum += carries[t].sum;
  for (int distance = 16; distance > 0; distance /= 2)
    sum += __shfl_down_sync(ptx::all_lanes, sum, static_cast<unsigned>(distance));
  return __shfl_sync(ptx::all_lanes, sum, 0);
}

// Adds the carries of tiles to their rows. The thread of a row's first tile does it. If the row
// spans more tiles than a warp has lanes, the warp adds the rest. Only one row per warp can.
template <class Value, class StoredIndex>
__global__ void __launch_bounds__(merge_threads)
    spmv_merge_carries(SpmvArguments<Value, StoredIndex> args,
                       const Carry<typename SumOf<Value>::Type>* carries, long long tiles) {
  using Sum = typename SumOf<Value>::Type;
  const long long first = static_cast<long long>(blockIdx.x) * merge_threads + threadIdx.x;
  const long long row = first < tiles ? carries[first].row : args.rows;
  const bool is_first = row < args.rows && (first == 0 || carries[first - 1].row != row);
  const auto goes_on = [&](long long t) { return t < tiles && carries[t].row == row; };
  Sum sum = 0;
  if (is_first) {
    for (long long t = first; t < first + 32 && goes_on(t); ++t) sum += carries[t].sum;
  }
  const unsigned far = __ballot_sync(ptx::all_lanes, is_first && goes_on(first + 32));
  if (far != 0) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int lane_of_row = __ffs(static_cast<int>(far)) - 1;
    const Sum rest = sum_of_segment(carries, first - lane + lane_of_row + 32, tiles);
    if (lane == lane_of_row) sum += rest;
  }
  if (is_first) args.y[row] = fma(args.alpha, sum, args.y[row]);
}

template <class Value, class StoredIndex>
struct SpmvMerge {
  static cudaError_t launch(const Spmv& p, void* workspace, cudaStream_t stream) {
    const auto args = arguments_of<Value, StoredIndex>(p);
    const long long tiles = tiles_of(p);
    auto* const carries = static_cast<Carry<typename SumOf<Value>::Type>*>(workspace);
    const cudaError_t error =
        ptx::launch(spmv_merge_kernel<Value, StoredIndex>, dim3(static_cast<unsigned>(tiles)),
                    dim3(merge_threads), 0, stream, args, carries);
    if (error != cudaSuccess) return error;
    const auto blocks = static_cast<unsigned>((tiles + merge_threads - 1) / merge_threads);
    return ptx::launch(spmv_merge_carries<Value, StoredIndex>, dim3(blocks), dim3(merge_threads), 0,
                       stream, args, carries, tiles);
  }
};

std::size_t spmv_merge_workspace_bytes(const Spmv& p) {
  if (!validate_extents(p.a).empty()) return 0;
  return static_cast<std::size_t>(tiles_of(p)) * sizeof(Carry<double>);
}
cudaError_t spmv_merge(const Spmv& p, void* workspace, std::size_t workspace_bytes,
                       cudaStream_t stream) {
  return launch_typed<SpmvMerge>(p, spmv_merge_workspace_bytes(p), workspace, workspace_bytes,
                                 stream);
}

}  // namespace archgrid::sparse
