// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// A stable partition: indices are ordered by bucket, and keep their order within a bucket. Thread
// blocks count the indices of each bucket in each tile. The prefix sums of these counts, bucket by
// bucket, are the places where each tile's share begins.
#include <type_traits>

#include "ptx/launch.cuh"
#include "ptx/vote.cuh"
#include "sparse/bags.cuh"
#include "sparse/bucketize.h"
#include "sparse/scan.h"
#include "sparse/validate.h"

namespace archgrid::sparse {
namespace {

constexpr int indices_per_thread = 8;  // 32 apart
constexpr int max_warps = 8;
constexpr int max_counters = 8192;  // per thread block: 32 KiB

// Returns the number of warps of a thread block. Each warp has one counter per bucket.
int warps_for(int buckets) {
  int warps = max_warps;
  while (warps > 1 && warps * buckets > max_counters) warps /= 2;
  return warps;
}

long long tiles_of(const Bucketize& p) {
  const long long tile = 1ll * warps_for(p.buckets) * 32 * indices_per_thread;
  return (p.count + tile - 1) / tile;
}

}  // namespace

// The data of a feature for the kernels. Index is unsigned.
template <class Index>
struct BucketizeFeature;

template <class Index>
struct BucketizeArguments {
  int features, bags, buckets;
  int bags_per_feature;  // used if feature_begins is null
  long long count;
  unsigned tiles;
  const Index* indices;
  const std::int64_t* bag_begins;      // [bags + 1]
  const std::int64_t* feature_begins;  // [features + 1], in bags
  const std::int64_t* feature_ends;    // [features], in indices
  const Index* block_sizes;
  const Index* block_counts;
  const Index* block_bounds;
  const BucketizeFeature<Index>* of_feature;
  bool keeps_indices;
  const bool* keeps_indices_of;
  const unsigned* weights;
  int weight_words;
  std::int64_t* tile_counts;  // [buckets][tiles], later their prefix sums
  Index* new_indices;
  unsigned* new_weights;
  Index* positions;
  Index* places;
  Index* bucket_of;

  __device__ __forceinline__ std::int64_t& tile_count(unsigned bucket) const {
    return tile_counts[static_cast<unsigned long long>(bucket) * tiles + blockIdx.x];
  }
};

template <class Index>
struct Destination {
  unsigned bucket;
  Index index;
};

__device__ __forceinline__ unsigned umulhi(unsigned a, unsigned b) {
  return __umulhi(a, b);
}
__device__ __forceinline__ unsigned long long umulhi(unsigned long long a, unsigned long long b) {
  return __umul64hi(a, b);
}

template <class Index>
struct DivmodResult {
  Index quotient;
  Index remainder;
};

// A divisor with a precomputed reciprocal. Devices need many instructions for a division: with 64
// bits it takes longer than loading the dividend. Division by 0 returns quotient 0, and the
// dividend as the remainder.
template <class Index>
struct FastDivmod {
  Index value;
  Index last;        // value - 1: the largest remainder
  Index reciprocal;  // the largest Index divided by value, rounded down

  __device__ __forceinline__ static FastDivmod of(Index value) {
    return {value, value - 1, value == 0 ? 0 : static_cast<Index>(~Index(0) / value)};
  }
  __device__ __forceinline__ DivmodResult<Index> divmod(Index index) const {
    if constexpr (sizeof(Index) == 8) {
      // Rows of tables fit 32 bits. The upper half of the reciprocal is the 32-bit reciprocal.
      if ((index | last) >> 32 == 0) {
        const FastDivmod<unsigned> low{static_cast<unsigned>(value), static_cast<unsigned>(last),
                                       static_cast<unsigned>(reciprocal >> 32)};
        const DivmodResult<unsigned> divided = low.divmod(static_cast<unsigned>(index));
        return {divided.quotient, divided.remainder};
      }
    }
    // With reciprocal r and b bits, r * value >= 2^b - value. index * r / 2^b is less than 1 below
    // index / value, so the quotient is at most one too small.
    const Index quotient = umulhi(index, reciprocal);
    const Index remainder = index - quotient * value;
    if (remainder > last) return {quotient + 1, remainder - value};
    return {quotient, remainder};
  }
};

template <class Index>
struct BucketizeFeature {
  FastDivmod<Index> first;  // rows of a bucket (0: all rows); for identifiers the number of blocks
  Index buckets_in_order;   // buckets of that many rows; 0 with block_bounds and for identifiers
  bool keeps_indices;
  // For all other indices.
  bool is_identifiers;
  FastDivmod<Index> blocks;
  FastDivmod<Index> blocks_per_bucket;
  FastDivmod<Index> buckets;
  Index rows_per_block;  // rows within the bounds per block, for identifiers
};

template <class Index>
__global__ void bucketize_features(BucketizeArguments<Index> args,
                                   BucketizeFeature<Index>* features, std::int64_t* ends) {
  const int feature = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (feature >= args.features) return;
  const auto buckets = static_cast<Index>(args.buckets);
  const Index rows = args.block_sizes[feature];
  const Index blocks = args.block_counts == nullptr ? buckets : args.block_counts[feature];
  const Index blocks_per_bucket = blocks / buckets;
  const bool is_all = umulhi(rows, blocks_per_bucket) != 0;
  const auto end = static_cast<long long>(feature) * (args.buckets + 1) + args.buckets;
  BucketizeFeature<Index> data{};
  data.is_identifiers = rows == 0;
  data.first = FastDivmod<Index>::of(rows == 0 ? blocks : is_all ? 0 : rows * blocks_per_bucket);
  data.buckets_in_order = rows == 0 || args.block_bounds != nullptr ? 0 : buckets;
  data.keeps_indices =
      args.keeps_indices_of == nullptr ? args.keeps_indices : args.keeps_indices_of[feature];
  data.blocks = FastDivmod<Index>::of(blocks);
  data.blocks_per_bucket = FastDivmod<Index>::of(blocks_per_bucket);
  data.buckets = FastDivmod<Index>::of(buckets);
  if (args.block_bounds != nullptr && blocks != 0)
    data.rows_per_block = args.block_bounds[end] / blocks;
  features[feature] = data;

  const std::int64_t end_of_bags = args.feature_begins == nullptr
                                       ? (feature + 1ll) * args.bags_per_feature
                                       : args.feature_begins[feature + 1];
  const std::int64_t bags = end_of_bags < args.bags ? end_of_bags : args.bags;
  ends[feature] = args.bag_begins[bags > 0 ? bags : 0];
}

// Computes the destinations of a lane's indices, in the order of their positions.
template <class Index>
class DestinationFinder {
 public:
  __device__ __forceinline__ explicit DestinationFinder(const BucketizeArguments<Index>& args)
      : args_(args) {}

  // Returns the destination of `index`, which is at position `at` of all indices.
  __device__ __forceinline__ Destination<Index> destination(std::int64_t at, Index index) {
    if (at >= end_) find_feature(at);
    const DivmodResult<Index> turn = first_.divmod(index);
    Destination<Index> to{static_cast<unsigned>(turn.quotient), turn.remainder};
    if (turn.quotient >= buckets_) {
      to = args_.block_bounds == nullptr ? destination_round_robin(turn, index)
                                         : destination_in_bounds(turn, index);
    }
    if (keeps_indices_) to.index = index;
    return to;
  }

 private:
  __device__ __forceinline__ const BucketizeFeature<Index>& feature() const {
    return args_.of_feature[number_];
  }

  __device__ __forceinline__ void find_feature(std::int64_t at) {
    number_ += upper_bound(args_.feature_ends + number_, args_.features - 1 - number_, at);
    end_ = args_.feature_ends[number_];
    first_ = feature().first;
    buckets_ = feature().buckets_in_order;
    keeps_indices_ = feature().keeps_indices;
  }

  // Returns the destination of an identifier, or of an index beyond the table.
  __device__ __forceinline__ Destination<Index> destination_round_robin(DivmodResult<Index> turn,
                                                                        Index index) const {
    if (!feature().is_identifiers) turn = feature().blocks.divmod(index);
    const Index bucket = feature().blocks_per_bucket.divmod(turn.remainder).quotient;
    const auto last = static_cast<Index>(args_.buckets - 1);
    return {static_cast<unsigned>(bucket < last ? bucket : last), turn.quotient};
  }

  __device__ __forceinline__ Destination<Index> destination_in_bounds(
      const DivmodResult<Index>& turn, Index index) const {
    const Index* const bounds =
        args_.block_bounds + static_cast<long long>(number_) * (args_.buckets + 1);
    const bool is_identifier = feature().is_identifiers;
    const Index row = is_identifier ? turn.remainder * feature().rows_per_block : index;
    const int found = upper_bound(bounds, args_.buckets + 1, row) - 1;
    if (found >= 0 && found < args_.buckets)
      return {static_cast<unsigned>(found), is_identifier ? turn.quotient : index - bounds[found]};
    const DivmodResult<Index> beyond = feature().buckets.divmod(index);
    return {static_cast<unsigned>(beyond.remainder),
            is_identifier ? turn.quotient : beyond.quotient};
  }

  const BucketizeArguments<Index>& args_;
  int number_ = 0;
  std::int64_t end_ = 0;
  FastDivmod<Index> first_{};
  Index buckets_ = 0;
  bool keeps_indices_ = false;
};

// Returns the lanes of `mask` whose value equals the caller's. Values have 4 * `digits` bits.
__device__ __forceinline__ unsigned match_any(unsigned mask, unsigned value, int digits) {
  unsigned same = mask;
#pragma unroll 1
  for (int digit = 0; digit < digits; ++digit) {
#pragma unroll
    for (unsigned bit = 1; bit < 16; bit *= 2) same &= ptx::match_bit(value & bit);
    value >>= 4;
  }
  return same;
}

__device__ __forceinline__ int digits_of(int buckets) {
  return (35 - __clz(buckets - 1)) / 4;
}

// Returns the lanes that have the first `left` indices.
__device__ __forceinline__ unsigned lanes_up_to(int left) {
  return left >= 32 ? ptx::all_lanes : left <= 0 ? 0 : (1u << left) - 1u;
}

// Returns the number of indices of a warp, which begin at `first`.
__device__ __forceinline__ int indices_of_warp(long long first, long long count) {
  const long long left = count - first;
  return left >= indices_per_thread * 32 ? indices_per_thread * 32
         : left <= 0                     ? 0
                                         : static_cast<int>(left);
}

__device__ __forceinline__ long long first_of_warp() {
  return (static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x / 32 * 32) *
         indices_per_thread;
}

// Counts the indices of a warp.
template <class Index, class Length>
__device__ __forceinline__ void count_of_warp(const BucketizeArguments<Index>& args,
                                              long long first, unsigned* counters,
                                              Length* new_lengths) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int digits = digits_of(args.buckets);
  const int left = indices_of_warp(first, args.count);
  const Index* const indices = args.indices + first;
  BagIterator bags(args.bag_begins, args.bags, first);
  DestinationFinder<Index> finder(args);
  Index next = lane < left ? indices[lane] : 0;
  for (int step = 0; step < left; step += 32) {
    const Index index = next;
    // Load the next index while this one is counted.
    next = step + 32 + lane < left ? indices[step + 32 + lane] : 0;
    const bool is_valid = step + lane < left;
    const BagOfLane bag = bags.step(first + step);
    const unsigned bucket = is_valid ? finder.destination(first + step + lane, index).bucket : 0;
    const unsigned same = match_any(lanes_up_to(left - step) & bag.lanes, bucket, digits);
    if (is_valid && lane == lowest_lane(same)) {
      atomicAdd(&counters[bucket], __popc(same));
      atomicAdd(new_lengths + static_cast<long long>(bucket) * args.bags + bag.number,
                static_cast<Length>(__popc(same)));
    }
  }
}

// Counts the indices of each bucket in each tile, and of each bag in each bucket. Sums of integers
// do not depend on the order.
template <class Index, class Length>
__global__ void __launch_bounds__(max_warps * 32, 4)
    bucketize_count(BucketizeArguments<Index> args, Length* new_lengths) {
  auto* const counters = ptx::dynamic_shared<unsigned>();
  for (int b = static_cast<int>(threadIdx.x); b < args.buckets; b += static_cast<int>(blockDim.x))
    counters[b] = 0;
  __syncthreads();
  const long long first = first_of_warp();
  if (first < args.count) count_of_warp(args, first, counters, new_lengths);
  __syncthreads();
  for (int b = static_cast<int>(threadIdx.x); b < args.buckets; b += static_cast<int>(blockDim.x))
    args.tile_count(static_cast<unsigned>(b)) = counters[b];
}

// Moves the weights of an index, and writes its new place and its bucket.
template <class Index>
__device__ __forceinline__ void store_payload(const BucketizeArguments<Index>& args,
                                              long long index, unsigned bucket, long long place) {
  if (args.places != nullptr) args.places[index] = static_cast<Index>(place);
  if (args.bucket_of != nullptr) args.bucket_of[index] = static_cast<Index>(bucket);
  for (int word = 0; word < args.weight_words; ++word) {
    args.new_weights[place * args.weight_words + word] =
        args.weights[index * args.weight_words + word];
  }
}

// A lane's indices with their buckets.
template <class Index>
struct LaneItems {
  Index index[indices_per_thread];
  unsigned bucket[indices_per_thread];
  unsigned rank[indices_per_thread];  // earlier indices of the warp in the same bucket
};

// Returns the buckets of a warp's indices, and their ranks in them. Counts the warp's indices of
// each bucket in of_warp.
template <class Index>
__device__ __forceinline__ LaneItems<Index> rank_by_bucket(const BucketizeArguments<Index>& args,
                                                           long long first, unsigned* of_warp) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int digits = digits_of(args.buckets);
  const int left = indices_of_warp(first, args.count);
  LaneItems<Index> items;
#pragma unroll
  for (int item = 0; item < indices_per_thread; ++item) {
    const int at = item * 32 + lane;
    items.index[item] = at < left ? args.indices[first + at] : 0;
  }
  DestinationFinder<Index> finder(args);
#pragma unroll
  for (int item = 0; item < indices_per_thread; ++item) {
    const int at = item * 32 + lane;
    Destination<Index> to{0, 0};
    if (at < left) to = finder.destination(first + at, items.index[item]);
    // Lanes without an index join bucket 0. They come after all others, so they precede none.
    const unsigned same = match_any(ptx::all_lanes, to.bucket, digits);
    const unsigned counted = of_warp[to.bucket];
    __syncwarp();
    if (at < left && lane == lowest_lane(same)) of_warp[to.bucket] = counted + __popc(same);
    __syncwarp();
    items.index[item] = to.index;
    items.bucket[item] = to.bucket;
    items.rank[item] = counted + __popc(same & ((1u << lane) - 1u));
  }
  return items;
}

// Replaces each warp's count for a bucket by the exclusive sum of the counts over the warps.
__device__ __forceinline__ void scan_warp_counts(unsigned* counters, int buckets) {
  const int threads = static_cast<int>(blockDim.x);
  for (int b = static_cast<int>(threadIdx.x); b < buckets; b += threads) {
    unsigned sum = 0;
    for (int w = 0; w < threads / 32; ++w) {
      const unsigned count = counters[w * buckets + b];
      counters[w * buckets + b] = sum;
      sum += count;
    }
  }
}

// Returns the new place of an index. The prefix sums are where the tile's share of a bucket begins.
template <class Index>
__device__ __forceinline__ long long place_of(const BucketizeArguments<Index>& args,
                                              const LaneItems<Index>& items, int item,
                                              const unsigned* warp_offsets) {
  const unsigned bucket = items.bucket[item];
  return args.tile_count(bucket) + warp_offsets[bucket] + items.rank[item];
}

// Writes the position of each new index in its old bag.
template <class Index>
__device__ __forceinline__ void store_positions(const BucketizeArguments<Index>& args,
                                                long long first, const LaneItems<Index>& items,
                                                const unsigned* warp_offsets) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int left = indices_of_warp(first, args.count);
  BagIterator bags(args.bag_begins, args.bags, first);
#pragma unroll
  for (int item = 0; item < indices_per_thread; ++item) {
    if (item * 32 >= left) break;
    const BagOfLane bag = bags.step(first + item * 32);
    const int at = item * 32 + lane;
    if (at < left) {
      args.positions[place_of(args, items, item, warp_offsets)] =
          static_cast<Index>(first + at - args.bag_begins[bag.number]);
    }
  }
}

// Stores each index after the indices of the same bucket in earlier tiles, in earlier warps, and
// earlier in its warp.
template <class Index>
__global__ void __launch_bounds__(max_warps * 32, 2)
    bucketize_place(BucketizeArguments<Index> args) {
  auto* const counters = ptx::dynamic_shared<unsigned>();  // [warps][buckets]
  const int lane = static_cast<int>(threadIdx.x) % 32;
  unsigned* const of_warp = counters + threadIdx.x / 32 * args.buckets;
  for (int b = lane; b < args.buckets; b += 32) of_warp[b] = 0;
  __syncwarp();
  const long long first = first_of_warp();
  const LaneItems<Index> items = rank_by_bucket(args, first, of_warp);
  __syncthreads();
  scan_warp_counts(counters, args.buckets);
  __syncthreads();

  const int left = indices_of_warp(first, args.count);
  const bool is_alone =
      args.places == nullptr && args.bucket_of == nullptr && args.weight_words == 0;
#pragma unroll
  for (int item = 0; item < indices_per_thread; ++item) {
    const int at = item * 32 + lane;
    if (at < left) {
      const long long place = place_of(args, items, item, of_warp);
      args.new_indices[place] = items.index[item];
      if (!is_alone) store_payload(args, first + at, items.bucket[item], place);
    }
  }
  if (args.positions != nullptr && left > 0) store_positions(args, first, items, of_warp);
}

namespace {

struct Workspace {
  void* features;
  std::int64_t* bag_begins;
  std::int64_t* feature_begins;
  std::int64_t* feature_ends;
  std::int64_t* tile_counts;
  void* scan;
  std::size_t scan_bytes;
};

std::size_t as_size(long long count) {
  return static_cast<std::size_t>(count);
}

long long tile_counts_of(const Bucketize& p) {
  return tiles_of(p) * p.buckets;
}

constexpr std::size_t feature_bytes = sizeof(BucketizeFeature<unsigned long long>);

Workspace partition_workspace(const Bucketize& p, void* memory, std::size_t bytes) {
  Workspace parts{};
  parts.features = memory;
  parts.bag_begins = reinterpret_cast<std::int64_t*>(static_cast<char*>(memory) +
                                                     feature_bytes * as_size(p.features));
  parts.feature_begins = parts.bag_begins + p.bags + 1;
  parts.feature_ends = parts.feature_begins + p.features + 1;
  parts.tile_counts = parts.feature_ends + p.features;
  parts.scan = parts.tile_counts + tile_counts_of(p) + 1;
  parts.scan_bytes = bytes - as_size(static_cast<char*>(parts.scan) - static_cast<char*>(memory));
  return parts;
}

template <class Index>
BucketizeArguments<Index> arguments_of(const Bucketize& p, const Workspace& workspace) {
  BucketizeArguments<Index> args{};
  args.features = p.features;
  args.bags = p.bags;
  args.buckets = p.buckets;
  args.bags_per_feature = p.features == 0 ? 0 : p.bags / p.features;
  args.count = p.count;
  args.tiles = static_cast<unsigned>(tiles_of(p));
  args.indices = static_cast<const Index*>(p.indices);
  args.bag_begins = workspace.bag_begins;
  args.feature_begins = p.batch_sizes == nullptr ? nullptr : workspace.feature_begins;
  args.feature_ends = workspace.feature_ends;
  args.block_sizes = static_cast<const Index*>(p.block_sizes);
  args.block_counts = static_cast<const Index*>(p.block_counts);
  args.block_bounds = static_cast<const Index*>(p.block_bounds);
  args.of_feature = static_cast<const BucketizeFeature<Index>*>(workspace.features);
  args.keeps_indices = p.keeps_indices;
  args.keeps_indices_of = p.keeps_indices_of;
  args.weights = static_cast<const unsigned*>(p.weights);
  args.weight_words = p.weights == nullptr ? 0 : p.weight_bytes / 4;
  args.tile_counts = workspace.tile_counts;
  args.new_indices = static_cast<Index*>(p.new_indices);
  args.new_weights = static_cast<unsigned*>(p.new_weights);
  args.positions = static_cast<Index*>(p.positions);
  args.places = static_cast<Index*>(p.places);
  args.bucket_of = static_cast<Index*>(p.bucket_of);
  return args;
}

template <class Index, class Length>
cudaError_t launch_count(const BucketizeArguments<Index>& args, const Bucketize& p,
                         cudaStream_t stream) {
  const auto shared = sizeof(unsigned) * as_size(p.buckets);
  return ptx::launch(bucketize_count<Index, Length>, dim3(args.tiles),
                     dim3(static_cast<unsigned>(warps_for(p.buckets) * 32)), shared, stream, args,
                     static_cast<Length*>(p.new_lengths));
}

template <class Index>
cudaError_t launch(const Bucketize& p, const Workspace& workspace, cudaStream_t stream) {
  const BucketizeArguments<Index> args = arguments_of<Index>(p, workspace);
  constexpr unsigned threads = 128;
  cudaError_t error = ptx::launch(
      bucketize_features<Index>, dim3((static_cast<unsigned>(p.features) + threads - 1) / threads),
      dim3(threads), 0, stream, args, static_cast<BucketizeFeature<Index>*>(workspace.features),
      workspace.feature_ends);
  if (error != cudaSuccess) return error;
  error = p.length_type == Integer::i32 ? launch_count<Index, unsigned>(args, p, stream)
                                        : launch_count<Index, unsigned long long>(args, p, stream);
  if (error == cudaSuccess) {
    error = exclusive_scan(args.tile_counts, Integer::i64, tile_counts_of(p), args.tile_counts,
                           workspace.scan, workspace.scan_bytes, stream);
  }
  if (error != cudaSuccess) return error;
  const int warps = warps_for(p.buckets);
  const auto shared = sizeof(unsigned) * as_size(warps) * as_size(p.buckets);
  return ptx::launch(bucketize_place<Index>, dim3(args.tiles),
                     dim3(static_cast<unsigned>(warps * 32)), shared, stream, args);
}

}  // namespace

std::size_t workspace_bytes(const Bucketize& p) {
  if (!validate_extents(p).empty()) return 0;
  // At most 2^41, for the largest valid extents.
  const std::size_t counts = as_size(tile_counts_of(p));
  const std::size_t largest_scan = counts > as_size(p.bags) ? counts : as_size(p.bags);
  const std::size_t scanned =
      largest_scan > as_size(p.features) ? largest_scan : as_size(p.features);
  return feature_bytes * as_size(p.features) +
         sizeof(std::int64_t) * (as_size(p.bags) + 2 * as_size(p.features) + counts + 3) +
         scan_workspace_bytes(static_cast<long long>(scanned));
}

cudaError_t bucketize(const Bucketize& p, void* memory, std::size_t bytes, cudaStream_t stream) {
  if (!validate(p, memory, bytes).empty()) return cudaErrorInvalidValue;
  if (p.bags == 0) return cudaSuccess;
  const Workspace workspace = partition_workspace(p, memory, bytes);
  cudaError_t error = cudaMemsetAsync(
      p.new_lengths, 0, bytes_of(p.length_type) * as_size(p.buckets) * as_size(p.bags), stream);
  if (error != cudaSuccess || p.count == 0) return error;
  error = exclusive_scan(p.lengths, p.length_type, p.bags, workspace.bag_begins, workspace.scan,
                         workspace.scan_bytes, stream);
  if (error == cudaSuccess && p.batch_sizes != nullptr) {
    error = exclusive_scan(p.batch_sizes, p.length_type, p.features, workspace.feature_begins,
                           workspace.scan, workspace.scan_bytes, stream);
  }
  if (error != cudaSuccess) return error;
  return p.index_type == Integer::i32 ? launch<unsigned>(p, workspace, stream)
                                      : launch<unsigned long long>(p, workspace, stream);
}

}  // namespace archgrid::sparse
