// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// The new order is that of the buckets, and within a bucket the old one: a stable partition. Blocks
// of threads count what each tile of indices has of each bucket; the running sums of that, bucket
// by bucket, are where each tile's share begins.
#include <type_traits>

#include "ptx/launch.cuh"
#include "sparse/bucketize.h"
#include "sparse/preconditions.h"
#include "sparse/scan.h"

namespace archgrid::sparse {
namespace {

constexpr unsigned all_lanes = 0xffffffffu;
constexpr int items = 8;  // indices of a thread, 32 apart
constexpr int most_warps = 8;
constexpr int most_counters = 8192;  // of a block of threads: 32 KiB

// Each warp has a counter a bucket.
int warps_for(int buckets) {
  int warps = most_warps;
  while (warps > 1 && warps * buckets > most_counters) warps /= 2;
  return warps;
}

long long tiles_of(const Bucketize& p) {
  const long long tile = 1ll * warps_for(p.buckets) * 32 * items;
  return (p.count + tile - 1) / tile;
}

}  // namespace

template <class Index>
struct BucketizeFeature;

// What the kernels are given. Index is unsigned.
template <class Index>
struct BucketizeArguments {
  int features, bags, buckets;
  int bags_of_feature;  // where feature_begins is null
  long long count;
  long long tiles;
  const Index* indices;
  const std::int64_t* bag_begins;      // [bags + 1]
  const std::int64_t* feature_begins;  // [features + 1], in bags
  const Index* block_sizes;
  const Index* block_counts;
  const Index* block_bounds;
  const BucketizeFeature<Index>* of_feature;
  bool keeps_indices;
  const bool* keeps_indices_of;
  const unsigned* weights;
  int weight_words;
  std::int64_t* tile_counts;  // [buckets][tiles], then their running sums
  Index* new_indices;
  unsigned* new_weights;
  Index* positions;
  Index* places;
  Index* bucket_of;
};

template <class Index>
struct Placed {
  unsigned bucket;
  Index index;
};

// How many of sorted `values` are not beyond `value`.
template <class T, class Count>
__device__ __forceinline__ Count count_up_to(const T* values, Count count, T value) {
  Count first = 0;
  while (count > 0) {
    const Count half = count / 2;
    if (values[first + half] <= value) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return first;
}

__device__ __forceinline__ unsigned high_half(unsigned a, unsigned b) {
  return __umulhi(a, b);
}
__device__ __forceinline__ unsigned long long high_half(unsigned long long a,
                                                        unsigned long long b) {
  return __umul64hi(a, b);
}

// A divisor that is known before what it divides: devices divide by many instructions, of 64 bits
// by more than memory takes to deliver what is divided.
template <class Index>
struct Divisor {
  Index value;
  Index reciprocal;  // of all bits set, rounded down

  __device__ __forceinline__ static Divisor of(Index value) {
    return {value, value == 0 ? 0 : static_cast<Index>(~Index(0) / value)};
  }
  // What the reciprocal lacks makes the quotient too small by two at most.
  __device__ __forceinline__ Index quotient(Index index) const {
    Index found = high_half(index, reciprocal);
    Index rest = index - found * value;
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      if (rest >= value) {
        ++found;
        rest -= value;
      }
    }
    return found;
  }
};

template <class Index>
struct BucketizeFeature {
  Divisor<Index> rows;    // of a block; 0 for identifiers
  Divisor<Index> blocks;  // of the table
  Divisor<Index> blocks_of_bucket;
  Divisor<Index> buckets;
  Index rows_of_turn;  // of the bounds, for each block that identifiers are dealt to
};

template <class Index>
__global__ void bucketize_features(BucketizeArguments<Index> args,
                                   BucketizeFeature<Index>* features) {
  const int feature = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (feature >= args.features) return;
  const auto buckets = static_cast<Index>(args.buckets);
  const Index blocks = args.block_counts == nullptr ? buckets : args.block_counts[feature];
  const auto end = static_cast<long long>(feature) * (args.buckets + 1) + args.buckets;
  features[feature] = {Divisor<Index>::of(args.block_sizes[feature]), Divisor<Index>::of(blocks),
                       Divisor<Index>::of(blocks / buckets), Divisor<Index>::of(buckets),
                       args.block_bounds == nullptr ? 0 : args.block_bounds[end] / blocks};
}

template <class Index>
__device__ __forceinline__ Placed<Index> placed_in_bounds(const BucketizeArguments<Index>& args,
                                                          int number,
                                                          const BucketizeFeature<Index>& feature,
                                                          Index index) {
  const Index* const bounds =
      args.block_bounds + static_cast<long long>(number) * (args.buckets + 1);
  const bool is_identifier = feature.rows.value == 0;
  const Index round = feature.blocks.quotient(index);
  const Index row =
      is_identifier ? (index - round * feature.blocks.value) * feature.rows_of_turn : index;
  const int found = count_up_to(bounds, args.buckets + 1, row) - 1;
  if (found >= 0 && found < args.buckets)
    return {static_cast<unsigned>(found), is_identifier ? round : index - bounds[found]};
  const Index beyond = feature.buckets.quotient(index);
  return {static_cast<unsigned>(index - beyond * feature.buckets.value),
          is_identifier ? round : beyond};
}

template <class Index>
__device__ __forceinline__ Placed<Index> placed_in_blocks(const BucketizeFeature<Index>& feature,
                                                          Index index) {
  const Index block = feature.rows.quotient(index);
  if (feature.rows.value != 0 && block < feature.blocks.value) {
    const Index bucket = feature.blocks_of_bucket.quotient(block);
    return {static_cast<unsigned>(bucket),
            index - bucket * feature.blocks_of_bucket.value * feature.rows.value};
  }
  const Index round = feature.blocks.quotient(index);
  const Index turn = index - round * feature.blocks.value;
  return {static_cast<unsigned>(feature.blocks_of_bucket.quotient(turn)), round};
}

template <class Index>
__device__ __forceinline__ Placed<Index> placed(const BucketizeArguments<Index>& args, int number,
                                                Index index) {
  const BucketizeFeature<Index>& feature = args.of_feature[number];
  Placed<Index> to = args.block_bounds == nullptr ? placed_in_blocks(feature, index)
                                                  : placed_in_bounds(args, number, feature, index);
  const bool keeps =
      args.keeps_indices_of == nullptr ? args.keeps_indices : args.keeps_indices_of[number];
  if (keeps) to.index = index;
  return to;
}

// The lanes of `mask` whose value is the caller's; values have `bits` bits.
__device__ __forceinline__ unsigned lanes_with(unsigned mask, unsigned value, int bits) {
  unsigned same = mask;
  for (int bit = 0; bit < bits; ++bit) {
    const bool is_set = (value >> bit & 1u) != 0;
    const unsigned set = __ballot_sync(all_lanes, is_set);
    same &= is_set ? set : ~set;
  }
  return same;
}

// The indices of a warp in its tile, 32 at a time. Bags never fall from one index to the next.
template <class Index>
class Walk {
 public:
  __device__ __forceinline__ explicit Walk(const BucketizeArguments<Index>& args)
      : args_(args),
        index_((static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x / 32 * 32) * items +
               threadIdx.x % 32) {}

  // Finds the bag of the index: near by, but for the first.
  __device__ __forceinline__ void step() {
    if (!is_there()) return;
    const auto index = static_cast<std::int64_t>(index_);
    int within = 1;
    while (within < args_.bags - bag_ && args_.bag_begins[bag_ + within] <= index) {
      bag_ += within;
      within *= 2;
    }
    const int left = args_.bags - bag_;
    const int bags = within < left ? within : left;
    bag_ += count_up_to(args_.bag_begins + bag_ + 1, bags - 1, index);
  }
  __device__ __forceinline__ void advance() { index_ += 32; }

  __device__ __forceinline__ bool is_there() const { return index_ < args_.count; }
  __device__ __forceinline__ long long index() const { return index_; }
  __device__ __forceinline__ int bag() const { return bag_; }
  __device__ __forceinline__ Placed<Index> placed() const {
    if (!is_there()) return {0, 0};
    const int feature =
        args_.feature_begins == nullptr
            ? bag_ / args_.bags_of_feature
            : static_cast<int>(count_up_to(args_.feature_begins + 1, args_.features - 1,
                                           static_cast<std::int64_t>(bag_)));
    return sparse::placed(args_, feature, args_.indices[index_]);
  }

 private:
  const BucketizeArguments<Index>& args_;
  long long index_;
  int bag_ = 0;
};

__device__ __forceinline__ int bits_for(int buckets) {
  return 32 - __clz(buckets - 1);
}

__device__ __forceinline__ int lowest_lane(unsigned mask) {
  return __ffs(static_cast<int>(mask)) - 1;
}

// Counts the indices of each bucket in each tile, and of each bag in each bucket. Whole numbers are
// added up: their order does not matter.
template <class Index, class Length>
__global__ void __launch_bounds__(most_warps * 32)
    bucketize_count(BucketizeArguments<Index> args, Length* new_lengths) {
  auto* const counters = ptx::dynamic_shared<unsigned>();
  for (int b = static_cast<int>(threadIdx.x); b < args.buckets; b += static_cast<int>(blockDim.x))
    counters[b] = 0;
  __syncthreads();
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int bits = bits_for(args.buckets);
  Walk<Index> walk(args);
  for (int item = 0; item < items; ++item, walk.advance()) {
    walk.step();
    const Placed<Index> to = walk.placed();
    const unsigned there = __ballot_sync(all_lanes, walk.is_there());
    const unsigned same = lanes_with(there, to.bucket, bits);
    // Those of the same bag lie side by side: from the last lane on, up to the caller, that has
    // another bag than its neighbour.
    const int left = __shfl_up_sync(all_lanes, walk.bag(), 1);
    const unsigned begins = __ballot_sync(all_lanes, lane == 0 || left != walk.bag());
    const unsigned up_to_here = 0xffffffffu >> (31 - lane);
    const int first = 31 - __clz(static_cast<int>(begins & up_to_here));
    const unsigned after = begins & ~up_to_here;
    const unsigned of_bag =
        (after == 0 ? 0xffffffffu : (1u << lowest_lane(after)) - 1u) & ~((1u << first) - 1u);
    if (!walk.is_there()) continue;
    if (lane == lowest_lane(same)) atomicAdd(&counters[to.bucket], __popc(same));
    if (lane == lowest_lane(same & of_bag)) {
      atomicAdd(new_lengths + static_cast<long long>(to.bucket) * args.bags + walk.bag(),
                static_cast<Length>(__popc(same & of_bag)));
    }
  }
  __syncthreads();
  for (int b = static_cast<int>(threadIdx.x); b < args.buckets; b += static_cast<int>(blockDim.x))
    args.tile_counts[b * args.tiles + blockIdx.x] = counters[b];
}

template <class Index>
__device__ __forceinline__ void move(const BucketizeArguments<Index>& args, const Walk<Index>& walk,
                                     const Placed<Index>& to, long long place) {
  args.new_indices[place] = to.index;
  if (args.positions != nullptr) {
    args.positions[place] = static_cast<Index>(walk.index() - args.bag_begins[walk.bag()]);
  }
  if (args.places != nullptr) args.places[walk.index()] = static_cast<Index>(place);
  if (args.bucket_of != nullptr) args.bucket_of[walk.index()] = static_cast<Index>(to.bucket);
  for (int word = 0; word < args.weight_words; ++word) {
    args.new_weights[place * args.weight_words + word] =
        args.weights[walk.index() * args.weight_words + word];
  }
}

// Puts each index where the running sums say that its tile's share of its bucket begins, behind
// those of the warps before, and of the lanes before.
template <class Index>
__global__ void __launch_bounds__(most_warps * 32, 2)
    bucketize_place(BucketizeArguments<Index> args) {
  auto* const counters = ptx::dynamic_shared<unsigned>();  // [warps][buckets]
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int threads = static_cast<int>(blockDim.x);
  unsigned* const of_warp = counters + threadIdx.x / 32 * args.buckets;
  for (int b = lane; b < args.buckets; b += 32) of_warp[b] = 0;
  __syncwarp();

  const int bits = bits_for(args.buckets);
  Placed<Index> to[items];
  Walk<Index> counting(args);
#pragma unroll
  for (int item = 0; item < items; ++item) {
    counting.step();
    to[item] = counting.placed();
    const unsigned same =
        lanes_with(__ballot_sync(all_lanes, counting.is_there()), to[item].bucket, bits);
    if (counting.is_there() && lane == lowest_lane(same))
      of_warp[to[item].bucket] += static_cast<unsigned>(__popc(same));
    counting.advance();
    __syncwarp();
  }
  __syncthreads();
  for (int b = static_cast<int>(threadIdx.x); b < args.buckets; b += threads) {
    unsigned sum = 0;
    for (int w = 0; w < threads / 32; ++w) {
      const unsigned count = counters[w * args.buckets + b];
      counters[w * args.buckets + b] = sum;
      sum += count;
    }
  }
  __syncthreads();

  Walk<Index> moving(args);
#pragma unroll
  for (int item = 0; item < items; ++item) {
    moving.step();
    const unsigned bucket = to[item].bucket;
    const unsigned same = lanes_with(__ballot_sync(all_lanes, moving.is_there()), bucket, bits);
    const unsigned before = of_warp[bucket] + __popc(same & ((1u << lane) - 1u));
    __syncwarp();
    if (moving.is_there()) {
      move(args, moving, to[item], args.tile_counts[bucket * args.tiles + blockIdx.x] + before);
      if (lane == lowest_lane(same)) of_warp[bucket] += static_cast<unsigned>(__popc(same));
    }
    moving.advance();
    __syncwarp();
  }
}

namespace {

struct Workspace {
  void* features;
  std::int64_t* bag_begins;
  std::int64_t* feature_begins;
  std::int64_t* tile_counts;
  void* scan;
};

std::size_t as_size(long long count) {
  return static_cast<std::size_t>(count);
}

long long tile_counts_of(const Bucketize& p) {
  return tiles_of(p) * p.buckets;
}

constexpr std::size_t feature_bytes = sizeof(BucketizeFeature<unsigned long long>);

Workspace divide(const Bucketize& p, void* memory) {
  Workspace parts{};
  parts.features = memory;
  parts.bag_begins = reinterpret_cast<std::int64_t*>(static_cast<char*>(memory) +
                                                     feature_bytes * as_size(p.features));
  parts.feature_begins = parts.bag_begins + p.bags + 1;
  parts.tile_counts = parts.feature_begins + p.features + 1;
  parts.scan = parts.tile_counts + tile_counts_of(p) + 1;
  return parts;
}

template <class Index>
BucketizeArguments<Index> arguments_of(const Bucketize& p, const Workspace& workspace) {
  BucketizeArguments<Index> args{};
  args.features = p.features;
  args.bags = p.bags;
  args.buckets = p.buckets;
  args.bags_of_feature = p.features == 0 ? 0 : p.bags / p.features;
  args.count = p.count;
  args.tiles = tiles_of(p);
  args.indices = static_cast<const Index*>(p.indices);
  args.bag_begins = workspace.bag_begins;
  args.feature_begins = p.batch_sizes == nullptr ? nullptr : workspace.feature_begins;
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
  return ptx::launch(bucketize_count<Index, Length>, dim3(static_cast<unsigned>(args.tiles)),
                     dim3(static_cast<unsigned>(warps_for(p.buckets) * 32)), shared, stream, args,
                     static_cast<Length*>(p.new_lengths));
}

template <class Index>
cudaError_t launch(const Bucketize& p, const Workspace& workspace, cudaStream_t stream) {
  const BucketizeArguments<Index> args = arguments_of<Index>(p, workspace);
  constexpr unsigned threads = 128;
  cudaError_t error = ptx::launch(
      bucketize_features<Index>, dim3((static_cast<unsigned>(p.features) + threads - 1) / threads),
      dim3(threads), 0, stream, args, static_cast<BucketizeFeature<Index>*>(workspace.features));
  if (error != cudaSuccess) return error;
  error = p.length_type == Integer::i32 ? launch_count<Index, unsigned>(args, p, stream)
                                        : launch_count<Index, unsigned long long>(args, p, stream);
  if (error == cudaSuccess) {
    error = exclusive_scan(args.tile_counts, Integer::i64, tile_counts_of(p), args.tile_counts,
                           workspace.scan, stream);
  }
  if (error != cudaSuccess) return error;
  const int warps = warps_for(p.buckets);
  const auto shared = sizeof(unsigned) * as_size(warps) * as_size(p.buckets);
  return ptx::launch(bucketize_place<Index>, dim3(static_cast<unsigned>(args.tiles)),
                     dim3(static_cast<unsigned>(warps * 32)), shared, stream, args);
}

}  // namespace

std::size_t workspace_bytes(const Bucketize& p) {
  if (!mistake_in_extents(p).empty()) return 0;
  const std::size_t counts = as_size(tile_counts_of(p));
  const std::size_t largest_scan = counts > as_size(p.bags) ? counts : as_size(p.bags);
  const std::size_t scanned =
      largest_scan > as_size(p.features) ? largest_scan : as_size(p.features);
  return feature_bytes * as_size(p.features) +
         sizeof(std::int64_t) * (as_size(p.bags) + as_size(p.features) + counts + 3) +
         scan_workspace_bytes(static_cast<long long>(scanned));
}

cudaError_t bucketize(const Bucketize& p, void* memory, cudaStream_t stream) {
  if (!mistake_in(p).empty() || !mistake_in_workspace(memory).empty()) return cudaErrorInvalidValue;
  if (p.bags == 0) return cudaSuccess;
  const Workspace workspace = divide(p, memory);
  cudaError_t error = cudaMemsetAsync(
      p.new_lengths, 0, bytes_of(p.length_type) * as_size(p.buckets) * as_size(p.bags), stream);
  if (error != cudaSuccess || p.count == 0) return error;
  error = exclusive_scan(p.lengths, p.length_type, p.bags, workspace.bag_begins, workspace.scan,
                         stream);
  if (error == cudaSuccess && p.batch_sizes != nullptr) {
    error = exclusive_scan(p.batch_sizes, p.length_type, p.features, workspace.feature_begins,
                           workspace.scan, stream);
  }
  if (error != cudaSuccess) return error;
  return p.index_type == Integer::i32 ? launch<unsigned>(p, workspace, stream)
                                      : launch<unsigned long long>(p, workspace, stream);
}

}  // namespace archgrid::sparse
