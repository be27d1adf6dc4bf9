// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the part of CUDA's runtime that host/cuda/cuda_runtime_api.h declares.
#include <cuda_runtime_api.h>

#include <archgrid/host.hpp>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <utility>

#include "checker.hpp"
#include "device.hpp"

namespace {

constexpr std::size_t alignment = 256;
constexpr int rubbish = 0xff;

std::shared_mutex allocations_mutex;
std::map<const std::byte*, std::size_t> allocations;
std::atomic<std::uint64_t> frees = 0;  // incremented under the mutex
// Recently freed memory, the oldest first. It is not reused, so that later accesses to it are
// found.
std::deque<std::pair<std::byte*, std::size_t>> freed_allocations;
thread_local cudaError_t last_error = cudaSuccess;

// Requires that the caller holds the mutex.
void keep_freed(void* pointer, std::size_t bytes) {
  constexpr std::size_t most_bytes = 64 << 20;
  constexpr std::size_t most_allocations = 256;
  static std::size_t kept_bytes = 0;
  freed_allocations.emplace_back(static_cast<std::byte*>(pointer), bytes);
  kept_bytes += bytes;
  while (kept_bytes > most_bytes || freed_allocations.size() > most_allocations) {
    kept_bytes -= freed_allocations.front().second;
    std::free(freed_allocations.front().first);
    freed_allocations.pop_front();
  }
}

cudaError_t result(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

bool is_stream(cudaStream_t stream) {
  return stream == nullptr;
}

// Reports whether the bytes are in one allocation, as the device side of a copy must be.
bool is_within_allocation(const void* pointer, std::size_t bytes) {
  const auto* const begin = static_cast<const std::byte*>(pointer);
  const archgrid::host::detail::Extent extent = archgrid::host::detail::allocation_of(pointer);
  return extent.begin != nullptr && bytes <= static_cast<std::size_t>(extent.end - begin);
}

}  // namespace

archgrid::host::detail::Extent archgrid::host::detail::allocation_of(const void* address) {
  const auto* const place = static_cast<const std::byte*>(address);
  // A cache, because checked kernels call this at every access, and alternate among a few
  // allocations.
  thread_local std::array<Extent, 8> recent;
  thread_local std::size_t oldest = 0;
  thread_local std::uint64_t last_frees = 0;
  if (const std::uint64_t now = frees.load(std::memory_order_acquire); now != last_frees) {
    recent.fill(Extent{});
    last_frees = now;
  }
  for (const Extent& extent : recent) {
    if (extent.holds(place)) return extent;
  }
  const std::shared_lock lock(allocations_mutex);
  auto after = allocations.upper_bound(place);
  if (after == allocations.begin()) return {};
  --after;
  const Extent extent{after->first, after->first + after->second};
  if (!extent.holds(place)) return {};
  recent[oldest++ % recent.size()] = extent;
  return extent;
}

archgrid::host::detail::Extent archgrid::host::detail::freed_allocation_of(const void* address) {
  const std::shared_lock lock(allocations_mutex);
  for (const auto& [begin, bytes] : freed_allocations) {
    const Extent extent = extent_of(begin, bytes);
    if (extent.holds(static_cast<const std::byte*>(address))) return extent;
  }
  return {};
}

archgrid::host::detail::Extent archgrid::host::detail::nearest_allocation(const void* address) {
  const auto* const place = static_cast<const std::byte*>(address);
  const std::shared_lock lock(allocations_mutex);
  const auto after = allocations.upper_bound(place);
  Extent nearest;
  if (after != allocations.end()) nearest = {after->first, after->first + after->second};
  if (after != allocations.begin()) {
    const auto before = std::prev(after);
    const Extent extent{before->first, before->first + before->second};
    if (nearest.begin == nullptr || place - extent.end < nearest.begin - place) nearest = extent;
  }
  return nearest;
}

extern "C" {

const char* cudaGetErrorName(cudaError_t error) {
#define NAMED(code) \
  case code:        \
    return #code
  switch (error) {
    NAMED(cudaSuccess);
    NAMED(cudaErrorInvalidValue);
    NAMED(cudaErrorMemoryAllocation);
    NAMED(cudaErrorInvalidConfiguration);
    NAMED(cudaErrorInvalidDevicePointer);
    NAMED(cudaErrorInvalidMemcpyDirection);
    NAMED(cudaErrorInvalidDeviceFunction);
    NAMED(cudaErrorNoDevice);
    NAMED(cudaErrorInvalidDevice);
    NAMED(cudaErrorNoKernelImageForDevice);
    NAMED(cudaErrorNotSupported);
  }
#undef NAMED
  return "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "no error";
    case cudaErrorInvalidValue:
      return "invalid argument";
    case cudaErrorMemoryAllocation:
      return "out of memory";
    case cudaErrorInvalidConfiguration:
      return "invalid configuration argument";
    case cudaErrorInvalidDevicePointer:
      return "invalid device pointer";
    case cudaErrorInvalidMemcpyDirection:
      return "invalid copy direction for memcpy";
    case cudaErrorInvalidDeviceFunction:
      return "invalid device function";
    case cudaErrorNoDevice:
      return "no CUDA-capable device is detected";
    case cudaErrorInvalidDevice:
      return "invalid device ordinal";
    case cudaErrorNoKernelImageForDevice:
      return "no kernel image is available for execution on the device";
    case cudaErrorNotSupported:
      return "operation not supported";
  }
  return "unrecognized error code";
}

cudaError_t cudaGetLastError() {
  return std::exchange(last_error, cudaSuccess);
}
cudaError_t cudaPeekAtLastError() {
  return last_error;
}

cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  return result(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}
cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  if (device != 0) return result(cudaErrorInvalidDevice);
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
      *value = 1024;
      return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlock:
      *value = 48 * 1024;
      return cudaSuccess;
    case cudaDevAttrWarpSize:
      *value = 32;
      return cudaSuccess;
    // One, so that code that divides work among multiprocessors does so identically on every
    // machine.
    case cudaDevAttrMultiProcessorCount:
      *value = 1;
      return cudaSuccess;
    case cudaDevAttrComputeCapabilityMajor:
      *value = archgrid::host::device() / 10;
      return cudaSuccess;
    case cudaDevAttrComputeCapabilityMinor:
      *value = archgrid::host::device() % 10;
      return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      *value = static_cast<int>(archgrid::host::detail::shared_memory_of(archgrid::host::device()));
      return cudaSuccess;
  }
  return result(cudaErrorInvalidValue);
}

cudaError_t cudaDeviceSynchronize() {
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return result(is_stream(stream) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  // Exactly the requested size, so that AddressSanitizer sees the end. The checks see it
  // themselves, and need a gap to the next allocation instead. Untouched pages cost nothing.
  const std::size_t gap = archgrid::host::detail::checker == nullptr
                              ? 0
                              : archgrid::host::detail::gap_between_allocations;
  if (bytes > SIZE_MAX - gap || posix_memalign(pointer, alignment, bytes + gap) != 0)
    return result(cudaErrorMemoryAllocation);
  std::memset(*pointer, rubbish, bytes);
  const std::unique_lock lock(allocations_mutex);
  allocations[static_cast<const std::byte*>(*pointer)] = bytes;
  return cudaSuccess;
}

cudaError_t cudaFree(void* pointer) {
  if (pointer == nullptr) return cudaSuccess;
  const std::unique_lock lock(allocations_mutex);
  const auto freed = allocations.find(static_cast<const std::byte*>(pointer));
  if (freed == allocations.end()) return result(cudaErrorInvalidValue);
  if (archgrid::host::detail::checker == nullptr) {
    std::free(pointer);
  } else {
    keep_freed(pointer, freed->second);
  }
  allocations.erase(freed);
  ++frees;
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  if (bytes == 0) return cudaSuccess;
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if ((to_device && !is_within_allocation(to, bytes)) ||
      (from_device && !is_within_allocation(from, bytes))) {
    return result(cudaErrorInvalidValue);
  }
  std::memmove(to, from, bytes);
  return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return is_stream(stream) ? cudaMemcpy(to, from, bytes, kind) : result(cudaErrorInvalidValue);
}

cudaError_t cudaMemset(void* pointer, int value, std::size_t bytes) {
  if (bytes == 0) return cudaSuccess;
  if (!is_within_allocation(pointer, bytes)) return result(cudaErrorInvalidValue);
  std::memset(pointer, value, bytes);
  return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void* pointer, int value, std::size_t bytes, cudaStream_t stream) {
  return is_stream(stream) ? cudaMemset(pointer, value, bytes) : result(cudaErrorInvalidValue);
}

}  // extern "C"
