// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Finds the bags of indices, with all 32 lanes of a warp together.
#pragma once

#include <cstdint>

#include "ptx/launch.cuh"

namespace archgrid::sparse {

__device__ __forceinline__ int lowest_lane(unsigned mask) {
  return __ffs(static_cast<int>(mask)) - 1;
}

// Returns how many of the sorted `values` are at most `value`.
template <class T, class Count>
__device__ __forceinline__ Count upper_bound(const T* values, Count count, T value) {
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

// Returns upper_bound() of arguments that are equal in all lanes of a warp. Each step compares 32
// values and leaves 1/32 of the range.
template <class T>
__device__ __forceinline__ unsigned warp_upper_bound(const T* values, unsigned count, T value) {
  const unsigned lane = threadIdx.x % 32;
  unsigned first = 0;
  while (count > 0) {
    const unsigned stride = (count + 31) / 32;
    const unsigned looked_at = (lane + 1) * stride;
    const bool is_up_to = looked_at <= count && values[first + looked_at - 1] <= value;
    const unsigned found = __popc(__ballot_sync(ptx::all_lanes, is_up_to)) * stride;
    first += found;
    count = count - found < stride ? count - found : stride - 1;
  }
  return first;
}

struct BagOfLane {
  int number;
  unsigned lanes;  // the lanes with indices of the same bag
};

// Walks along indices, 32 at a time. All lanes of a warp take each step together.
class BagIterator {
 public:
  // `begins` has bags + 1 nondecreasing sums. An index beyond them belongs to the last bag.
  __device__ __forceinline__ BagIterator(const std::int64_t* begins, int bags, std::int64_t first)
      : begins_(begins), last_(bags - 1) {
    bag_ = static_cast<int>(warp_upper_bound(begins + 1, static_cast<unsigned>(last_), first));
    end_ = begins[bag_ + 1];
  }

  // Returns the bag of index `first` + the caller's lane. `first` must increase from step to step.
  __device__ __forceinline__ BagOfLane step(std::int64_t first) {
    if (first + 31 < end_) return {bag_, ptx::all_lanes};
    const int number = bag_ + bags_begun(first);
    bag_ = __shfl_sync(ptx::all_lanes, number, 31);
    end_ = begins_[bag_ + 1];
    return {number, lanes_of(number)};
  }

 private:
  // Returns how many bags after bag_ begin at or before the caller's index.
  __device__ __forceinline__ int bags_begun(std::int64_t first) const {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int left = last_ - bag_;
    const std::int64_t* const next = begins_ + bag_ + 1;
    const std::int64_t begin = lane < left ? next[lane] - first : 32;
    const int lane_of_begin = begin < 32 ? static_cast<int>(begin) : 32;
    if (__shfl_sync(ptx::all_lanes, lane_of_begin, 31) < 32)  // more than 32 bags
      return upper_bound(next, left, first + lane);
    int begun = 0;
#pragma unroll
    for (int half = 16; half > 0; half /= 2) {
      if (__shfl_sync(ptx::all_lanes, lane_of_begin, begun + half - 1) <= lane) begun += half;
    }
    return begun;
  }

  // Returns the lanes of the same bag. They are adjacent. The first is the last lane, up to the
  // caller, whose bag differs from its left neighbour's.
  __device__ __forceinline__ static unsigned lanes_of(int number) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int left = __shfl_up_sync(ptx::all_lanes, number, 1);
    const unsigned begins = __ballot_sync(ptx::all_lanes, lane == 0 || left != number);
    const unsigned up_to_here = ptx::all_lanes >> (31 - lane);
    const int first = 31 - __clz(static_cast<int>(begins & up_to_here));
    const unsigned after = begins & ~up_to_here;
    const unsigned up_to_last = after == 0 ? ptx::all_lanes : (1u << lowest_lane(after)) - 1u;
    return up_to_last & (ptx::all_lanes << first);
  }

  const std::int64_t* begins_;
  int last_;
  int bag_;           // bag of the last index of the previous step
  std::int64_t end_;  // end of that bag
};

}  // namespace archgrid::sparse
