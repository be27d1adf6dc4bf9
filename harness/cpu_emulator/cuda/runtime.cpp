// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the part of CUDA's runtime that cuda_runtime_api.h declares.
#include <archgrid/cpu_emulator.hpp>
#include <cstring>

#include "allocations.hpp"
#include "cuda_runtime_api.h"
#include "device.hpp"

namespace {

thread_local cudaError_t last_error = cudaSuccess;

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
  const archgrid::cpu_emulator::detail::Extent extent =
      archgrid::cpu_emulator::detail::allocation_of(pointer);
  return extent.begin != nullptr && bytes <= static_cast<std::size_t>(extent.end - begin);
}

}  // namespace

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
      *value = archgrid::cpu_emulator::device() / 10;
      return cudaSuccess;
    case cudaDevAttrComputeCapabilityMinor:
      *value = archgrid::cpu_emulator::device() % 10;
      return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      *value = static_cast<int>(
          archgrid::cpu_emulator::detail::shared_memory_of(archgrid::cpu_emulator::device()));
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
  *pointer = archgrid::cpu_emulator::detail::allocate(bytes);
  return result(*pointer == nullptr ? cudaErrorMemoryAllocation : cudaSuccess);
}

cudaError_t cudaFree(void* pointer) {
  if (pointer == nullptr) return cudaSuccess;
  return result(archgrid::cpu_emulator::detail::release(pointer) ? cudaSuccess
                                                                 : cudaErrorInvalidValue);
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
