// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// Validates the data of features in device memory. The device finds the first invalid place; the
// host reads it and writes the message.
#include <type_traits>
#include <utility>

#include "ptx/launch.cuh"
#include "sparse/bucketize.h"
#include "sparse/embedding.h"
#include "sparse/find_first.cuh"
#include "sparse/validate.h"

namespace archgrid::sparse {
// The findings of the kernels. No number depends on the order of threads.
struct FoundInCounts {
  unsigned long long first;  // the first invalid place
  // Sums of the halves of all counts. They do not overflow: there are fewer than 2^31 counts.
  unsigned long long low_halves;
  unsigned long long high_halves;
};
struct FoundInFeatures {
  FoundInCounts lengths;
  FoundInCounts batch_sizes;
  unsigned long long first_count;
  unsigned long long first_bound;
};
static_assert(sizeof(FoundInFeatures) == features_check_bytes, "as the header says");

// Finds the first count that is not from 0 to `max`, and adds up the others.
template <class Count>
__global__ void __launch_bounds__(grid_stride_threads)
    check_counts(const Count* counts, int size, long long max, FoundInCounts* found) {
  const long long step = static_cast<long long>(gridDim.x) * grid_stride_threads;
  unsigned long long low = 0;
  unsigned long long high = 0;
  for (long long i = static_cast<long long>(blockIdx.x) * grid_stride_threads + threadIdx.x;
       i < size; i += step) {
    const long long count = counts[i];
    if (count < 0 || count > max) {
      record_first(&found->first, i);
    } else {
      low += static_cast<unsigned long long>(count) & 0xffffffffull;
      high += static_cast<unsigned long long>(count) >> 32;
    }
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    low += __shfl_down_sync(ptx::all_lanes, low, static_cast<unsigned>(distance));
    high += __shfl_down_sync(ptx::all_lanes, high, static_cast<unsigned>(distance));
  }
  if (threadIdx.x % 32 == 0 && low != 0) atomicAdd(&found->low_halves, low);
  if (threadIdx.x % 32 == 0 && high != 0) atomicAdd(&found->high_halves, high);
}

template <class Index>
__global__ void __launch_bounds__(grid_stride_threads)
    check_blocks(const Index* block_counts, const Index* block_bounds, int features, int buckets,
                 FoundInFeatures* found) {
  const long long step = static_cast<long long>(gridDim.x) * grid_stride_threads;
  const long long bounds_per_feature = buckets + 1ll;
  const long long first = static_cast<long long>(blockIdx.x) * grid_stride_threads + threadIdx.x;
  for (long long i = first; block_counts != nullptr && i < features; i += step) {
    // With bounds, blocks need not divide equally among buckets.
    const bool is_shared_out =
        block_bounds != nullptr || block_counts[i] % static_cast<Index>(buckets) == 0;
    if (block_counts[i] == 0 || !is_shared_out) record_first(&found->first_count, i);
  }
  for (long long i = first; block_bounds != nullptr && i < features * bounds_per_feature;
       i += step) {
    const bool is_first = i % bounds_per_feature == 0;
    if (is_first ? block_bounds[i] != 0 : block_bounds[i] < block_bounds[i - 1])
      record_first(&found->first_bound, i);
  }
}

namespace {

cudaError_t begin_counts(const void* counts, Integer type, int size, long long max,
                         FoundInCounts* found, cudaStream_t stream) {
  if (counts == nullptr || size == 0) return cudaSuccess;
  const dim3 blocks = grid_stride_blocks(size);
  return type == Integer::i32
             ? ptx::launch(check_counts<std::int32_t>, blocks, dim3(grid_stride_threads), 0, stream,
                           static_cast<const std::int32_t*>(counts), size, max, found)
             : ptx::launch(check_counts<std::int64_t>, blocks, dim3(grid_stride_threads), 0, stream,
                           static_cast<const std::int64_t*>(counts), size, max, found);
}

template <class Index>
cudaError_t begin_blocks(const Bucketize& p, FoundInFeatures* found, cudaStream_t stream) {
  const long long items = p.block_bounds == nullptr ? p.features : p.features * (p.buckets + 1ll);
  return ptx::launch(check_blocks<Index>, grid_stride_blocks(items), dim3(grid_stride_threads), 0,
                     stream, static_cast<const Index*>(p.block_counts),
                     static_cast<const Index*>(p.block_bounds), p.features, p.buckets, found);
}

cudaError_t begin(const Bucketize& p, FoundInFeatures* found, cudaStream_t stream) {
  cudaError_t error =
      begin_counts(p.lengths, p.length_type, p.bags, p.count, &found->lengths, stream);
  if (error == cudaSuccess) {
    error =
        begin_counts(p.batch_sizes, p.length_type, p.features, p.bags, &found->batch_sizes, stream);
  }
  const bool has_blocks = p.block_counts != nullptr || p.block_bounds != nullptr;
  if (error != cudaSuccess || !has_blocks || p.features == 0) return error;
  return p.index_type == Integer::i32 ? begin_blocks<unsigned>(p, found, stream)
                                      : begin_blocks<unsigned long long>(p, found, stream);
}

// Reads numbers of an array in device memory as text.
class Reader {
 public:
  explicit Reader(cudaStream_t stream) : stream_(stream) {}

  std::string operator()(const void* array, Integer type, unsigned long long i, bool is_signed) {
    std::int64_t number = 0;
    const std::size_t bytes = bytes_of(type);
    // Little-endian: a 32-bit number is the lower half.
    cudaError_t error = cudaMemcpyAsync(&number, static_cast<const char*>(array) + i * bytes, bytes,
                                        cudaMemcpyDeviceToHost, stream_);
    if (error == cudaSuccess) error = cudaStreamSynchronize(stream_);
    if (error != cudaSuccess) error_ = error;
    if (is_signed && type == Integer::i32) number = static_cast<std::int32_t>(number);
    return is_signed ? std::to_string(number)
                     : std::to_string(static_cast<unsigned long long>(number));
  }
  cudaError_t error() const { return error_; }

 private:
  cudaStream_t stream_;
  cudaError_t error_ = cudaSuccess;
};

// Returns high * 2^32 + low, which fits 128 bits, in decimal.
std::string sum_of(const FoundInCounts& found) {
  __extension__ using Wide = unsigned __int128;
  Wide sum = (static_cast<Wide>(found.high_halves) << 32) + found.low_halves;
  std::string digits;
  do {
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(sum % 10)));
    sum /= 10;
  } while (sum != 0);
  return digits;
}

struct Counted {
  const char* array;
  const char* owner;
  const char* things;
  const void* data;
  long long all;
};

std::string counts_error(const Counted& counted, const FoundInCounts& found, Integer type,
                         Reader& read) {
  if (counted.data == nullptr) return "";
  const std::string name = counted.array;
  if (found.first != not_found) {
    return name + ": " + counted.owner + " " + std::to_string(found.first) + " has " +
           read(counted.data, type, found.first, true) + " " + counted.things + ", of " +
           std::to_string(counted.all) + " in all";
  }
  const std::string sum = sum_of(found);
  if (sum == std::to_string(counted.all)) return "";
  return name + " add up to " + sum + ", and there are " + std::to_string(counted.all) + " " +
         counted.things;
}

std::string blocks_error(const Bucketize& p, const FoundInFeatures& found, Reader& read) {
  if (found.first_count != not_found) {
    const std::string has = "block_counts: feature " + std::to_string(found.first_count) + " has " +
                            read(p.block_counts, p.index_type, found.first_count, false) +
                            " blocks";
    if (p.block_bounds != nullptr) return has;
    return has + ", which is no multiple of " + std::to_string(p.buckets) + " above 0";
  }
  if (found.first_bound == not_found) return "";
  const auto bounds = static_cast<unsigned long long>(p.buckets) + 1;
  const unsigned long long bound = found.first_bound % bounds;
  const std::string feature = std::to_string(found.first_bound / bounds);
  const std::string number = read(p.block_bounds, p.index_type, found.first_bound, false);
  if (bound == 0) return "block_bounds: feature " + feature + " begins with " + number + ", not 0";
  return "block_bounds: bound " + std::to_string(bound) + " of feature " + feature + " is " +
         number + ", and the one before it " +
         read(p.block_bounds, p.index_type, found.first_bound - 1, false);
}

}  // namespace

namespace {

// Writes the first host-side error to `reason`, or an empty string. Returns
// cudaErrorInvalidValue if there is one.
cudaError_t refused(std::string what, const void* workspace, std::size_t workspace_bytes,
                    std::string* reason) {
  if (reason == nullptr) return cudaErrorInvalidValue;
  *reason = first_of(
      {std::move(what), validate_workspace(workspace, workspace_bytes, features_check_bytes)});
  return reason->empty() ? cudaSuccess : cudaErrorInvalidValue;
}

// Calls begin(found on the device) to launch the kernels, and waits for their findings.
template <class Begin>
cudaError_t find(void* workspace, FoundInFeatures* found, cudaStream_t stream, Begin begin) {
  *found = {{not_found, 0, 0}, {not_found, 0, 0}, not_found, not_found};
  cudaError_t error =
      cudaMemcpyAsync(workspace, found, sizeof *found, cudaMemcpyHostToDevice, stream);
  if (error == cudaSuccess) error = begin(static_cast<FoundInFeatures*>(workspace));
  if (error == cudaSuccess)
    error = cudaMemcpyAsync(found, workspace, sizeof *found, cudaMemcpyDeviceToHost, stream);
  return error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
}

}  // namespace

cudaError_t check(const Bucketize& p, void* workspace, std::size_t workspace_bytes,
                  std::string* reason, cudaStream_t stream) {
  const cudaError_t refusal = refused(validate(p), workspace, workspace_bytes, reason);
  if (refusal != cudaSuccess) return refusal;
  FoundInFeatures found;
  const cudaError_t error = find(workspace, &found, stream, [&](FoundInFeatures* on_device) {
    return begin(p, on_device, stream);
  });
  if (error != cudaSuccess) return error;
  Reader read(stream);
  for (const std::string& found_reason :
       {counts_error({"batch_sizes", "feature", "bags", p.batch_sizes, p.bags}, found.batch_sizes,
                     p.length_type, read),
        counts_error({"lengths", "bag", "indices", p.lengths, p.count}, found.lengths,
                     p.length_type, read),
        blocks_error(p, found, read)}) {
    if (reason->empty()) *reason = found_reason;
  }
  return read.error();
}

cudaError_t check(const EmbeddingLookup& p, void* workspace, std::size_t workspace_bytes,
                  std::string* reason, cudaStream_t stream) {
  const cudaError_t refusal = refused(validate(p), workspace, workspace_bytes, reason);
  if (refusal != cudaSuccess) return refusal;
  FoundInFeatures found;
  const cudaError_t error = find(workspace, &found, stream, [&](FoundInFeatures* on_device) {
    return begin_counts(p.lengths, p.length_type, p.bags, p.count, &on_device->lengths, stream);
  });
  if (error != cudaSuccess) return error;
  Reader read(stream);
  *reason = counts_error({"lengths", "bag", "indices", p.lengths, p.count}, found.lengths,
                         p.length_type, read);
  return read.error();
}

}  // namespace archgrid::sparse
