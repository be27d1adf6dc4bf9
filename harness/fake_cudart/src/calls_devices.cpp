// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The API functions for errors, versions and devices.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "errors.hpp"
#include "limits.hpp"
#include "machine.hpp"

namespace archgrid::fake_cudart {
namespace {

constexpr int kMaxThreadsDeep = 64;         // maximum z of a block
constexpr int kMaxBlocksWide = 2147483647;  // maximum x of a grid
constexpr int kMaxBlocksHigh = 65535;       // maximum y and z of a grid
constexpr int kClock = 1000000;             // kHz
constexpr int kBusWidth = 256;
constexpr int kCache = 4 << 20;

template <typename Body>
cudaError_t answer_for(const char* name, int device, Body body) {
  return answer(name, Needs::devices, [&] {
    const auto* found = machine().find(device);
    return found == nullptr ? cudaErrorInvalidDevice : body(*found);
  });
}

void fill_uuid(int device, cudaDeviceProp& properties) {
  const auto text = uuid_of(machine().settings.numbers[static_cast<std::size_t>(device)]);
  std::size_t at = 0;
  for (std::size_t index = 4; index + 1 < text.size() && at < sizeof properties.uuid.bytes;) {
    if (text[index] == '-') {
      ++index;
      continue;
    }
    const auto byte = std::strtol(text.substr(index, 2).c_str(), nullptr, 16);
    properties.uuid.bytes[at++] = static_cast<char>(byte);
    index += 2;
  }
}

void fill_limits(coverage::ComputeCapability device, cudaDeviceProp& properties) {
  const auto limits = limits_of(device);
  properties.totalGlobalMem = kDeviceMemory;
  properties.totalConstMem = std::size_t{64} << 10;
  properties.sharedMemPerBlock = kSharedPerBlock;
  properties.sharedMemPerBlockOptin = limits.shared_per_block_optin;
  properties.sharedMemPerMultiprocessor = limits.shared_per_multiprocessor;
  properties.reservedSharedMemPerBlock = limits.reserved_shared_per_block;
  properties.regsPerBlock = limits.registers;
  properties.regsPerMultiprocessor = limits.registers;
  properties.warpSize = kWarp;
  properties.maxThreadsPerBlock = kThreadsPerBlock;
  properties.maxThreadsPerMultiProcessor = limits.threads_per_multiprocessor;
  properties.maxBlocksPerMultiProcessor = limits.blocks_per_multiprocessor;
  properties.multiProcessorCount = kMultiprocessors;
  properties.maxThreadsDim[0] = properties.maxThreadsDim[1] = kThreadsPerBlock;
  properties.maxThreadsDim[2] = kMaxThreadsDeep;
  properties.maxGridSize[0] = kMaxBlocksWide;
  properties.maxGridSize[1] = properties.maxGridSize[2] = kMaxBlocksHigh;
  properties.memoryBusWidth = kBusWidth;
  properties.l2CacheSize = kCache;
}

cudaError_t attribute_of(coverage::ComputeCapability device, int number, cudaDeviceAttr attribute,
                         int* value) {
  const auto limits = limits_of(device);
  const auto index = static_cast<std::size_t>(number);
  switch (attribute) {
    case cudaDevAttrComputeCapabilityMajor:
      *value = device.major;
      break;
    case cudaDevAttrComputeCapabilityMinor:
      *value = device.minor;
      break;
    case cudaDevAttrMaxThreadsPerBlock:
    case cudaDevAttrMaxBlockDimX:
    case cudaDevAttrMaxBlockDimY:
      *value = kThreadsPerBlock;
      break;
    case cudaDevAttrMaxBlockDimZ:
      *value = kMaxThreadsDeep;
      break;
    case cudaDevAttrMaxGridDimX:
      *value = kMaxBlocksWide;
      break;
    case cudaDevAttrMaxGridDimY:
    case cudaDevAttrMaxGridDimZ:
      *value = kMaxBlocksHigh;
      break;
    case cudaDevAttrWarpSize:
      *value = kWarp;
      break;
    case cudaDevAttrMultiProcessorCount:
      *value = kMultiprocessors;
      break;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      *value = limits.threads_per_multiprocessor;
      break;
    case cudaDevAttrMaxBlocksPerMultiprocessor:
      *value = limits.blocks_per_multiprocessor;
      break;
    case cudaDevAttrMaxRegistersPerBlock:
    case cudaDevAttrMaxRegistersPerMultiprocessor:
      *value = limits.registers;
      break;
    case cudaDevAttrMaxSharedMemoryPerBlock:
      *value = static_cast<int>(kSharedPerBlock);
      break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      *value = static_cast<int>(limits.shared_per_block_optin);
      break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      *value = static_cast<int>(limits.shared_per_multiprocessor);
      break;
    case cudaDevAttrReservedSharedMemoryPerBlock:
      *value = static_cast<int>(limits.reserved_shared_per_block);
      break;
    case cudaDevAttrTotalConstantMemory:
      *value = 64 << 10;
      break;
    case cudaDevAttrClockRate:
    case cudaDevAttrMemoryClockRate:
      *value = kClock;
      break;
    case cudaDevAttrGlobalMemoryBusWidth:
      *value = kBusWidth;
      break;
    case cudaDevAttrL2CacheSize:
      *value = kCache;
      break;
    case cudaDevAttrCooperativeLaunch:
    case cudaDevAttrConcurrentKernels:
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrManagedMemory:
    case cudaDevAttrCanMapHostMemory:
      *value = 1;
      break;
    case cudaDevAttrPciBusId:
      *value = machine().settings.numbers[index] + 1;
      break;
    case cudaDevAttrIntegrated:
      *value = coverage::table().is_integrated(device.number()) ? 1 : 0;
      break;
    default:
      // All other attributes of such a GPU are 0.
      *value = 0;
      break;
  }
  return cudaSuccess;
}

}  // namespace
}  // namespace archgrid::fake_cudart

using namespace archgrid::fake_cudart;

extern "C" {

const char* archgrid_fake_runtime();

/// The function by which archgrid's harness recognises this runtime (dlsym). Reports contain its
/// text.
const char* archgrid_fake_runtime() {
  return "fake: no kernel executes here";
}

const char* cudaGetErrorName(cudaError_t error) {
  const char* name = name_of_error(static_cast<int>(error));
  return name != nullptr ? name : "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
  return text_of_error(static_cast<int>(error));
}

cudaError_t cudaGetLastError() {
  return take_last_error(true);
}

cudaError_t cudaPeekAtLastError() {
  return take_last_error(false);
}

cudaError_t cudaDriverGetVersion(int* version) {
  return answer("cudaDriverGetVersion", Needs::nothing, [&] {
    if (version == nullptr) return cudaErrorInvalidValue;
    *version = machine().settings.driver_version;
    return cudaSuccess;
  });
}

// Needs a driver and a GPU in CUDA 11, as measured with the real runtimes of 11.2 and 11.8; those
// of 12.4 and 13.0 do not.
cudaError_t cudaRuntimeGetVersion(int* version) {
  constexpr auto kNeeds = CUDART_VERSION < 12000 ? Needs::devices : Needs::nothing;
  return answer("cudaRuntimeGetVersion", kNeeds, [&] {
    if (version == nullptr) return cudaErrorInvalidValue;
    *version = machine().settings.runtime_version;
    return cudaSuccess;
  });
}

// Leaves the count unchanged on failure, as measured with every real runtime.
cudaError_t cudaGetDeviceCount(int* count) {
  return answer("cudaGetDeviceCount", Needs::devices, [&] {
    if (count == nullptr) return cudaErrorInvalidValue;
    *count = static_cast<int>(machine().settings.devices.size());
    return cudaSuccess;
  });
}

cudaError_t cudaGetDevice(int* device) {
  return answer("cudaGetDevice", Needs::devices, [&] {
    if (device == nullptr) return cudaErrorInvalidValue;
    *device = current_device();
    return cudaSuccess;
  });
}

cudaError_t cudaSetDevice(int device) {
  return answer_for("cudaSetDevice", device, [&](auto) {
    current_device() = device;
    return cudaSuccess;
  });
}

#if CUDART_VERSION >= 12000
cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
  return answer_for("cudaInitDevice", device, [](auto) { return cudaSuccess; });
}
#endif

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* properties) {
  return answer("cudaChooseDevice", Needs::devices, [&] {
    if (device == nullptr || properties == nullptr) return cudaErrorInvalidValue;
    *device = 0;
    return cudaSuccess;
  });
}

// A macro in some toolkits' headers selects the version of this function that their programs call.
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return answer_for("cudaGetDeviceProperties", device, [&](const auto& capability) {
    if (properties == nullptr) return cudaErrorInvalidValue;
    *properties = cudaDeviceProp{};
    std::snprintf(properties->name, sizeof properties->name, "Fake %s", capability.text().c_str());
    properties->major = capability.major;
    properties->minor = capability.minor;
    properties->integrated = archgrid::coverage::table().is_integrated(capability.number()) ? 1 : 0;
    properties->cooperativeLaunch = 1;
    properties->concurrentKernels = 1;
    properties->unifiedAddressing = 1;
    properties->managedMemory = 1;
    properties->canMapHostMemory = 1;
    properties->pciBusID = machine().settings.numbers[static_cast<std::size_t>(device)] + 1;
    fill_uuid(device, *properties);
    fill_limits(capability, *properties);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return answer_for("cudaDeviceGetAttribute", device, [&](const auto& capability) {
    if (value == nullptr) return cudaErrorInvalidValue;
    return attribute_of(capability, device, attribute, value);
  });
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int size, int device) {
  return answer_for("cudaDeviceGetPCIBusId", device, [&](auto) {
    if (text == nullptr || size <= 0) return cudaErrorInvalidValue;
    const int number = machine().settings.numbers[static_cast<std::size_t>(device)];
    std::snprintf(text, static_cast<std::size_t>(size), "0000:%02x:00.0", number + 1);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
  return answer("cudaDeviceGetByPCIBusId", Needs::devices, [&] {
    if (device == nullptr || text == nullptr) return cudaErrorInvalidValue;
    const auto& numbers = machine().settings.numbers;
    for (std::size_t index = 0; index < numbers.size(); ++index) {
      char known[16];
      std::snprintf(known, sizeof known, "0000:%02x:00.0", numbers[index] + 1);
      if (std::strcmp(known, text) != 0) continue;
      *device = static_cast<int>(index);
      return cudaSuccess;
    }
    return cudaErrorInvalidDevice;
  });
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return answer_for("cudaDeviceCanAccessPeer", device, [&](auto) {
    if (can == nullptr || machine().find(peer) == nullptr) return cudaErrorInvalidDevice;
    *can = 0;
    return cudaSuccess;
  });
}

// An unusable context can be reset, but leaves the GPU unavailable to the process (46).
cudaError_t cudaDeviceReset() {
  return answer("cudaDeviceReset", Needs::devices, [] {
    auto& state = machine();
    finish_kernels();
    if (state.unusable != 0) state.unusable = cudaErrorDevicesUnavailable;
    return cudaSuccess;
  });
}

cudaError_t cudaSetDeviceFlags(unsigned) {
  return answer("cudaSetDeviceFlags", Needs::devices, [] { return cudaSuccess; });
}

cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  return answer("cudaGetDeviceFlags", Needs::devices, [&] {
    if (flags == nullptr) return cudaErrorInvalidValue;
    *flags = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
  return answer("cudaDeviceSetCacheConfig", Needs::context, [] { return cudaSuccess; });
}

cudaError_t cudaDeviceSetLimit(cudaLimit, size_t) {
  return answer("cudaDeviceSetLimit", Needs::context, [] { return cudaSuccess; });
}

cudaError_t cudaProfilerStart() {
  return answer("cudaProfilerStart", Needs::context, [] { return cudaSuccess; });
}

cudaError_t cudaProfilerStop() {
  return answer("cudaProfilerStop", Needs::context, [] { return cudaSuccess; });
}

}  // extern "C"
