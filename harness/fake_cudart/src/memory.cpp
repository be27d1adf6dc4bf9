// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The API functions for device memory, which is host memory here.
#include <cstdlib>
#include <cstring>

#include "limits.hpp"
#include "streams.hpp"

namespace archgrid::fake_cudart {
namespace {

struct Allocation {
  std::size_t size = 0;
  cudaMemoryType type = cudaMemoryTypeDevice;
  int device = 0;
  bool registered = false;  ///< the program's own memory, registered by cudaHostRegister
};

struct Memory {
  std::map<const unsigned char*, Allocation> allocations;
  std::size_t used = 0;  ///< device memory in bytes
};

constexpr std::size_t kAlignment = 256;  // of cudaMalloc and of the rows of cudaMallocPitch
constexpr std::size_t kPitch = 512;

Memory& memory() {
  static auto* instance = new Memory;
  return *instance;
}

bool is_of_device(cudaMemoryType type) {
  return type == cudaMemoryTypeDevice || type == cudaMemoryTypeManaged;
}

cudaError_t allocate(void** result, std::size_t size, cudaMemoryType type) {
  if (result == nullptr) return cudaErrorInvalidValue;
  *result = nullptr;
  if (size == 0) return cudaSuccess;
  const bool device = is_of_device(type);
  if (device && size > kDeviceMemory - memory().used) return cudaErrorMemoryAllocation;
  if (size > kDeviceMemory) return cudaErrorMemoryAllocation;
  const auto rounded = (size + kAlignment - 1) / kAlignment * kAlignment;
  void* bytes = std::aligned_alloc(kAlignment, rounded);
  if (bytes == nullptr) return cudaErrorMemoryAllocation;
  if (device) memory().used += size;
  memory().allocations[static_cast<unsigned char*>(bytes)] = {size, type, current_device(), false};
  *result = bytes;
  return cudaSuccess;
}

cudaError_t release(void* bytes, bool of_device) {
  if (bytes == nullptr) return cudaSuccess;
  auto& allocations = memory().allocations;
  const auto found = allocations.find(static_cast<unsigned char*>(bytes));
  if (found == allocations.end() || found->second.registered ||
      is_of_device(found->second.type) != of_device) {
    return cudaErrorInvalidValue;
  }
  if (of_device) memory().used -= found->second.size;
  allocations.erase(found);
  std::free(bytes);
  return cudaSuccess;
}

/// Returns the allocation that contains an address, or null.
const std::pair<const unsigned char* const, Allocation>* find_allocation(const void* address) {
  const auto* byte = static_cast<const unsigned char*>(address);
  const auto& allocations = memory().allocations;
  auto after = allocations.upper_bound(byte);
  if (after == allocations.begin()) return nullptr;
  --after;
  return byte < after->first + after->second.size ? &*after : nullptr;
}

cudaError_t allocate_pitched(void** result, std::size_t* pitch, std::size_t width,
                             std::size_t rows) {
  if (pitch == nullptr) return cudaErrorInvalidValue;
  *pitch = (width + kPitch - 1) / kPitch * kPitch;
  return allocate(result, *pitch * rows, cudaMemoryTypeDevice);
}

cudaError_t copy(void* to, const void* from, std::size_t size) {
  if (size == 0) return cudaSuccess;
  if (to == nullptr || from == nullptr) return cudaErrorInvalidValue;
  std::memmove(to, from, size);
  return cudaSuccess;
}

struct Rows {
  void* to;
  std::size_t to_pitch;
  const void* from;
  std::size_t from_pitch;
};

cudaError_t copy_rows(const Rows& rows, std::size_t width, std::size_t height) {
  if (width > rows.to_pitch || width > rows.from_pitch) return cudaErrorInvalidPitchValue;
  for (std::size_t row = 0; row < height; ++row) {
    const auto error =
        copy(static_cast<unsigned char*>(rows.to) + row * rows.to_pitch,
             static_cast<const unsigned char*>(rows.from) + row * rows.from_pitch, width);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t fill(void* bytes, int value, std::size_t size) {
  if (size == 0) return cudaSuccess;
  if (bytes == nullptr) return cudaErrorInvalidValue;
  std::memset(bytes, value, size);
  return cudaSuccess;
}

cudaError_t fill_rows(void* bytes, std::size_t pitch, int value, std::size_t width,
                      std::size_t height) {
  if (width > pitch) return cudaErrorInvalidPitchValue;
  for (std::size_t row = 0; row < height; ++row) {
    const auto error = fill(static_cast<unsigned char*>(bytes) + row * pitch, value, width);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

/// Waits for earlier kernels, and returns their error, before a copy.
template <typename Body>
cudaError_t answer_after_kernels(const char* name, Body body) {
  return answer(name, Needs::context, [&] {
    const auto error = wait_for(nullptr);
    return error != cudaSuccess ? error : body();
  });
}

template <typename Body>
cudaError_t answer_on(const char* name, cudaStream_t stream, Body body) {
  return answer(name, Needs::context,
                [&] { return is_stream(stream) ? body() : cudaErrorInvalidResourceHandle; });
}

/// Calls `body` with the given part of a registered variable.
template <typename Body>
cudaError_t with_symbol(const void* symbol, std::size_t offset, std::size_t size, Body body) {
  const auto found = machine().variables.find(symbol);
  if (found == machine().variables.end()) return cudaErrorInvalidSymbol;
  auto& bytes = found->second.memory;
  if (offset > bytes.size() || size > bytes.size() - offset) return cudaErrorInvalidValue;
  return body(bytes.data() + offset);
}

}  // namespace
}  // namespace archgrid::fake_cudart

using namespace archgrid::fake_cudart;

extern "C" {

cudaError_t cudaMalloc(void** result, size_t size) {
  return answer("cudaMalloc", Needs::context,
                [&] { return allocate(result, size, cudaMemoryTypeDevice); });
}

cudaError_t cudaMallocManaged(void** result, size_t size, unsigned) {
  return answer("cudaMallocManaged", Needs::context,
                [&] { return allocate(result, size, cudaMemoryTypeManaged); });
}

cudaError_t cudaMallocHost(void** result, size_t size) {
  return answer("cudaMallocHost", Needs::context,
                [&] { return allocate(result, size, cudaMemoryTypeHost); });
}

cudaError_t cudaHostAlloc(void** result, size_t size, unsigned) {
  return answer("cudaHostAlloc", Needs::context,
                [&] { return allocate(result, size, cudaMemoryTypeHost); });
}

cudaError_t cudaMallocAsync(void** result, size_t size, cudaStream_t stream) {
  return answer_on("cudaMallocAsync", stream,
                   [&] { return allocate(result, size, cudaMemoryTypeDevice); });
}

cudaError_t cudaMallocPitch(void** result, size_t* pitch, size_t width, size_t height) {
  return answer("cudaMallocPitch", Needs::context,
                [&] { return allocate_pitched(result, pitch, width, height); });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* result, cudaExtent extent) {
  return answer("cudaMalloc3D", Needs::context, [&] {
    if (result == nullptr) return cudaErrorInvalidValue;
    result->xsize = extent.width;
    result->ysize = extent.height;
    return allocate_pitched(&result->ptr, &result->pitch, extent.width,
                            extent.height * extent.depth);
  });
}

cudaError_t cudaFree(void* bytes) {
  return answer("cudaFree", Needs::context, [&] {
    const auto error = wait_for_all();
    return error != cudaSuccess ? error : release(bytes, true);
  });
}

cudaError_t cudaFreeAsync(void* bytes, cudaStream_t stream) {
  return answer_on("cudaFreeAsync", stream, [&] { return release(bytes, true); });
}

cudaError_t cudaFreeHost(void* bytes) {
  return answer("cudaFreeHost", Needs::context, [&] {
    const auto error = wait_for_all();
    return error != cudaSuccess ? error : release(bytes, false);
  });
}

cudaError_t cudaHostRegister(void* bytes, size_t size, unsigned) {
  return answer("cudaHostRegister", Needs::context, [&] {
    if (bytes == nullptr || size == 0) return cudaErrorInvalidValue;
    if (find_allocation(bytes) != nullptr) return cudaErrorHostMemoryAlreadyRegistered;
    memory().allocations[static_cast<unsigned char*>(bytes)] = {size, cudaMemoryTypeHost,
                                                                current_device(), true};
    return cudaSuccess;
  });
}

cudaError_t cudaHostUnregister(void* bytes) {
  return answer("cudaHostUnregister", Needs::context, [&] {
    auto& allocations = memory().allocations;
    const auto found = allocations.find(static_cast<unsigned char*>(bytes));
    if (found == allocations.end() || !found->second.registered) {
      return cudaErrorHostMemoryNotRegistered;
    }
    allocations.erase(found);
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned) {
  return answer("cudaHostGetDevicePointer", Needs::context, [&] {
    if (device == nullptr || find_allocation(host) == nullptr) return cudaErrorInvalidValue;
    *device = host;
    return cudaSuccess;
  });
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  return answer("cudaMemGetInfo", Needs::context, [&] {
    if (free == nullptr || total == nullptr) return cudaErrorInvalidValue;
    *free = kDeviceMemory - memory().used;
    *total = kDeviceMemory;
    return cudaSuccess;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return answer("cudaPointerGetAttributes", Needs::context, [&] {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    *attributes = {};
    attributes->type = cudaMemoryTypeUnregistered;
    attributes->device = -2;  // cudaInvalidDeviceId, as for all memory unknown to CUDA
    const auto* found = find_allocation(pointer);
    if (found == nullptr) return cudaSuccess;
    auto* address = const_cast<void*>(pointer);
    attributes->type = found->second.type;
    attributes->device = found->second.device;
    attributes->devicePointer = address;
    if (found->second.type != cudaMemoryTypeDevice) attributes->hostPointer = address;
    return cudaSuccess;
  });
}

cudaError_t cudaMemcpy(void* to, const void* from, size_t size, cudaMemcpyKind) {
  return answer_after_kernels("cudaMemcpy", [&] { return copy(to, from, size); });
}

cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, size_t size) {
  return answer_after_kernels("cudaMemcpyPeer", [&] { return copy(to, from, size); });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t size, cudaMemcpyKind,
                            cudaStream_t stream) {
  return answer_on("cudaMemcpyAsync", stream, [&] { return copy(to, from, size); });
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind) {
  return answer_after_kernels("cudaMemcpy2D", [&] {
    return copy_rows({to, to_pitch, from, from_pitch}, width, height);
  });
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind, cudaStream_t stream) {
  return answer_on("cudaMemcpy2DAsync", stream, [&] {
    return copy_rows({to, to_pitch, from, from_pitch}, width, height);
  });
}

cudaError_t cudaMemset(void* bytes, int value, size_t size) {
  return answer("cudaMemset", Needs::context, [&] { return fill(bytes, value, size); });
}

cudaError_t cudaMemsetAsync(void* bytes, int value, size_t size, cudaStream_t stream) {
  return answer_on("cudaMemsetAsync", stream, [&] { return fill(bytes, value, size); });
}

cudaError_t cudaMemset2D(void* bytes, size_t pitch, int value, size_t width, size_t height) {
  return answer("cudaMemset2D", Needs::context,
                [&] { return fill_rows(bytes, pitch, value, width, height); });
}

cudaError_t cudaMemset2DAsync(void* bytes, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return answer_on("cudaMemset2DAsync", stream,
                   [&] { return fill_rows(bytes, pitch, value, width, height); });
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t size, size_t offset,
                               cudaMemcpyKind) {
  return answer_after_kernels("cudaMemcpyToSymbol", [&] {
    return with_symbol(symbol, offset, size,
                       [&](unsigned char* to) { return copy(to, from, size); });
  });
}

cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t size, size_t offset,
                                 cudaMemcpyKind) {
  return answer_after_kernels("cudaMemcpyFromSymbol", [&] {
    return with_symbol(symbol, offset, size,
                       [&](const unsigned char* from) { return copy(to, from, size); });
  });
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t size,
                                    size_t offset, cudaMemcpyKind, cudaStream_t stream) {
  return answer_on("cudaMemcpyToSymbolAsync", stream, [&] {
    return with_symbol(symbol, offset, size,
                       [&](unsigned char* to) { return copy(to, from, size); });
  });
}

cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t size, size_t offset,
                                      cudaMemcpyKind, cudaStream_t stream) {
  return answer_on("cudaMemcpyFromSymbolAsync", stream, [&] {
    return with_symbol(symbol, offset, size,
                       [&](const unsigned char* from) { return copy(to, from, size); });
  });
}

cudaError_t cudaGetSymbolAddress(void** address, const void* symbol) {
  return answer("cudaGetSymbolAddress", Needs::context, [&] {
    if (address == nullptr) return cudaErrorInvalidValue;
    return with_symbol(symbol, 0, 0, [&](unsigned char* bytes) {
      *address = bytes;
      return cudaSuccess;
    });
  });
}

cudaError_t cudaGetSymbolSize(size_t* size, const void* symbol) {
  return answer("cudaGetSymbolSize", Needs::context, [&] {
    const auto found = machine().variables.find(symbol);
    if (size == nullptr) return cudaErrorInvalidValue;
    if (found == machine().variables.end()) return cudaErrorInvalidSymbol;
    *size = found->second.memory.size();
    return cudaSuccess;
  });
}

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                            cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

}  // extern "C"
