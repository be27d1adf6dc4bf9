// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The API functions for launches of kernels, none of which runs, and for attributes of kernels.
#include <algorithm>
#include <limits>

#include "limits.hpp"
#include "streams.hpp"

namespace archgrid::fake_cudart {
namespace {

struct Launch {
  dim3 grid;
  dim3 block;
  std::size_t shared = 0;
  cudaStream_t stream = nullptr;
  bool cooperative = false;
};

Function* find_handle(const void* handle) {
  for (auto& function : machine().functions) {
    if (&function == handle) return &function;
  }
  return nullptr;
}

/// Returns a kernel by the address of its stub, or by its handle from cudaGetKernel.
Function* find(const void* pointer) {
  const auto& known = machine().by_pointer;
  const auto found = known.find(pointer);
  return found != known.end() ? found->second : find_handle(pointer);
}

/// Returns the error of compiling the module's PTX for the GPU, which happens once.
int compile(std::size_t module, coverage::ComputeCapability device) {
  auto& state = machine();
  const auto [known, is_first] = state.compiled.emplace(std::make_pair(module, device.number()), 0);
  if (is_first) {
    ++state.calls[kJit];
    return_at(Clock::now() + latency_of(kJit));
    known->second = failure_of(kJit);
  }
  return known->second;
}

const Loaded& load(Function& function) {
  auto& state = machine();
  const auto device = current_capability();
  const auto known = function.loaded.find(device.number());
  if (known != function.loaded.end()) return known->second;
  Loaded loaded;
  for (const auto module : function.modules) {
    loaded = state.modules[module]->load(function.name, device, state.settings);
    loaded.module = module;
    if (loaded.error != cudaErrorNoKernelImageForDevice) break;
  }
  if (loaded.compiled) loaded.error = compile(loaded.module, device);
  return function.loaded.emplace(device.number(), std::move(loaded)).first->second;
}

std::size_t static_shared(const Loaded& loaded) {
  // From 9.0 on the size in machine code includes shared memory that the system reserves; the
  // runtime reports that separately.
  constexpr std::uint32_t kReserved = 1024;
  constexpr int kFirstCounted = 90;
  const auto recorded = loaded.kernel.shared.value_or(0);
  const bool counted = loaded.arch.number >= kFirstCounted && recorded >= kReserved;
  return counted ? recorded - kReserved : recorded;
}

int bounded_threads(const fatbin::Kernel& kernel) {
  std::uint64_t most = kThreadsPerBlock;
  for (const auto& bound : {kernel.max_threads, kernel.required_threads}) {
    if (bound) most = std::min(most, std::uint64_t{1} * (*bound)[0] * (*bound)[1] * (*bound)[2]);
  }
  return static_cast<int>(most);
}

int registers_of(const Loaded& loaded) {
  return static_cast<int>(loaded.kernel.registers.value_or(0));
}

std::size_t allowed_shared(const Function& function, const Loaded& loaded) {
  const auto fixed = static_shared(loaded);
  if (function.dynamic_shared != 0) return function.dynamic_shared;
  return fixed < kSharedPerBlock ? kSharedPerBlock - fixed : 0;
}

std::uint64_t threads_of(const dim3& block) {
  return std::uint64_t{1} * block.x * block.y * block.z;
}

// Errors that CUDA 13 changed, as measured on an H200 with driver 580.159.04.
constexpr auto kNoKernel =
    CUDART_VERSION < 13000 ? cudaErrorInvalidDeviceFunction : cudaErrorInvalidResourceHandle;
constexpr auto kWrongBlock =
    CUDART_VERSION < 13000 ? cudaErrorInvalidConfiguration : cudaErrorInvalidValue;

/// Reports whether any kernel may have blocks of these dimensions.
bool is_block(const dim3& block) {
  constexpr unsigned kMost = kThreadsPerBlock;
  constexpr unsigned kMaxDeep = 64;
  const auto threads = threads_of(block);
  return threads > 0 && threads <= kMost && block.x <= kMost && block.y <= kMost &&
         block.z <= kMaxDeep;
}

/// Reports whether any kernel may have grids of these dimensions. Otherwise the error is 9,
/// according to driver_types.h.
bool is_grid(const dim3& grid) {
  constexpr unsigned kMaxBlocks = 65535;
  return grid.x > 0 && grid.y > 0 && grid.z > 0 &&
         grid.x <= static_cast<unsigned>(std::numeric_limits<int>::max()) && grid.y <= kMaxBlocks &&
         grid.z <= kMaxBlocks;
}

/// Checks resources that a kernel cannot have at once. docs/fake-cudart.md lists the sources of the
/// errors.
cudaError_t check_resources(const Function& function, const Loaded& loaded, const Launch& launch) {
  const auto limits = limits_of(current_capability());
  const auto threads = static_cast<int>(threads_of(launch.block));
  if (threads > bounded_threads(loaded.kernel)) return cudaErrorInvalidValue;
  if (launch.shared > allowed_shared(function, loaded)) return cudaErrorInvalidValue;
  const int registers = registers_of(loaded);
  if (threads > threads_for_registers(limits, registers)) return cudaErrorLaunchOutOfResources;
  if (!launch.cooperative) return cudaSuccess;
  const int at_once =
      blocks_at_once(limits, threads, registers, static_shared(loaded) + launch.shared);
  const auto blocks = std::uint64_t{1} * launch.grid.x * launch.grid.y * launch.grid.z;
  return blocks > static_cast<std::uint64_t>(at_once) * kMultiprocessors
             ? cudaErrorCooperativeLaunchTooLarge
             : cudaSuccess;
}

cudaError_t launch(Function* function, const Launch& launch) {
  if (function == nullptr) return kNoKernel;
  if (!is_stream(launch.stream)) return cudaErrorInvalidResourceHandle;
  const auto& loaded = load(*function);
  if (loaded.error != 0) return static_cast<cudaError_t>(loaded.error);
  if (!is_block(launch.block)) return kWrongBlock;
  if (!is_grid(launch.grid)) return cudaErrorInvalidConfiguration;
  const auto lacking = check_resources(*function, loaded, launch);
  if (lacking != cudaSuccess) return lacking;
  const int failure = failure_of_launch(*function);
  if (failure != 0 && !is_sticky(failure)) return static_cast<cudaError_t>(failure);
  // The call that waits for a faulting kernel returns its error.
  if (failure != 0 && machine().running == 0) machine().running = failure;
  add_work(launch.stream, latency_of_launch(*function));
  return cudaSuccess;
}

cudaError_t answer_launch(const char* name, const void* pointer, const Launch& asked) {
  return answer(name, Needs::context, [&] { return launch(find(pointer), asked); });
}

cudaFuncAttributes attributes_of(const Function& function, const Loaded& loaded) {
  const auto device = current_capability();
  cudaFuncAttributes attributes{};
  attributes.binaryVersion = loaded.compiled ? device.number() : loaded.arch.number;
  attributes.ptxVersion = loaded.ptx_arch.number;
  attributes.numRegs = registers_of(loaded);
  attributes.sharedSizeBytes = static_shared(loaded);
  attributes.localSizeBytes = loaded.kernel.stack.value_or(0);
  for (const auto& [pointer, variable] : machine().variables) {
    if (variable.constant && variable.module == loaded.module) {
      attributes.constSizeBytes += variable.memory.size();
    }
  }
  attributes.maxThreadsPerBlock =
      std::min(bounded_threads(loaded.kernel),
               threads_for_registers(limits_of(device), registers_of(loaded)));
  attributes.maxDynamicSharedSizeBytes = static_cast<int>(allowed_shared(function, loaded));
  attributes.preferredShmemCarveout = -1;
  return attributes;
}

/// Returns the error that questions about a kernel that did not load get, which no launch needs to
/// precede. Runtimes before CUDA 13 do not know a kernel of a module that did not load with the
/// context.
cudaError_t error_of(const Loaded& loaded) {
  if (CUDART_VERSION < 13000 && loads_eagerly(machine().settings)) {
    return cudaErrorInvalidDeviceFunction;
  }
  return static_cast<cudaError_t>(loaded.error);
}

/// Calls `body` with the kernel and its loaded image.
template <typename Body>
cudaError_t answer_for(const char* name, const void* pointer, Body body) {
  return answer(name, Needs::context, [&] {
    auto* function = find(pointer);
    if (function == nullptr) return cudaErrorInvalidDeviceFunction;
    const auto& loaded = load(*function);
    return loaded.error != 0 ? error_of(loaded) : body(*function, loaded);
  });
}

cudaError_t set_attribute(Function& function, const Loaded& loaded, cudaFuncAttribute attribute,
                          int value) {
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
  const auto most = limits_of(current_capability()).shared_per_block_optin;
  const bool fits = value >= 0 && static_cast<std::size_t>(value) + static_shared(loaded) <= most;
  if (!fits) return cudaErrorInvalidValue;
  function.dynamic_shared = static_cast<std::size_t>(value);
  return cudaSuccess;
}

cudaError_t occupancy(const char* name, const void* pointer, int* blocks, int threads,
                      std::size_t shared) {
  return answer_for(name, pointer, [&](const Function&, const Loaded& loaded) {
    if (blocks == nullptr || threads <= 0) return cudaErrorInvalidValue;
    const auto limits = limits_of(current_capability());
    const int registers = registers_of(loaded);
    const bool fits = threads <= threads_for_registers(limits, registers);  // despite launch bounds
    const auto all_shared = static_shared(loaded) + shared;
    *blocks = fits ? blocks_at_once(limits, threads, registers, all_shared) : 0;
    return cudaSuccess;
  });
}

cudaError_t kernel_of(const void** kernel, const void* pointer) {
  auto* function = find(pointer);
  if (kernel == nullptr) return cudaErrorInvalidValue;
  if (function == nullptr) return cudaErrorInvalidDeviceFunction;
  *kernel = function;
  return cudaSuccess;
}

}  // namespace
}  // namespace archgrid::fake_cudart

using namespace archgrid::fake_cudart;

extern "C" {

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void**, size_t shared,
                             cudaStream_t stream) {
  return answer_launch("cudaLaunchKernel", function, {grid, block, shared, stream, false});
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void**,
                                        size_t shared, cudaStream_t stream) {
  return answer_launch("cudaLaunchCooperativeKernel", function,
                       {grid, block, shared, stream, true});
}

#if CUDART_VERSION >= 11080
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void**) {
  Launch asked;
  if (config == nullptr) {
    return answer("cudaLaunchKernelExC", Needs::context, [] { return cudaErrorInvalidValue; });
  }
  asked = {config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream, false};
  for (unsigned index = 0; index < config->numAttrs; ++index) {
    const auto& attribute = config->attrs[index];
    if (attribute.id == cudaLaunchAttributeCooperative) {
      asked.cooperative = attribute.val.cooperative != 0;
    }
  }
  return answer_launch("cudaLaunchKernelExC", function, asked);
}
#endif

// The function that <<<>>> calls since CUDA 12. It shares failures and latencies with
// cudaLaunchKernel.
cudaError_t __cudaLaunchKernel(void* kernel, dim3 grid, dim3 block, void**, size_t shared,
                               cudaStream_t stream) {
  return answer_launch("cudaLaunchKernel", kernel, {grid, block, shared, stream, false});
}

cudaError_t __cudaGetKernel(const void** kernel, const void* function) {
  const std::lock_guard<std::recursive_mutex> lock(machine().mutex);
  return kernel_of(kernel, function);
}

#if CUDART_VERSION >= 12000
cudaError_t cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  return answer("cudaGetKernel", Needs::context, [&] {
    return kernel_of(const_cast<const void**>(reinterpret_cast<void**>(kernel)), function);
  });
}
#endif

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  return answer_for("cudaFuncGetAttributes", function,
                    [&](const Function& found, const Loaded& loaded) {
                      if (attributes == nullptr) return cudaErrorInvalidValue;
                      *attributes = attributes_of(found, loaded);
                      return cudaSuccess;
                    });
}

#if CUDART_VERSION >= 12030
cudaError_t cudaFuncGetName(const char** name, const void* function) {
  return answer("cudaFuncGetName", Needs::context, [&] {
    auto* found = find(function);
    if (name == nullptr) return cudaErrorInvalidValue;
    if (found == nullptr) return cudaErrorInvalidDeviceFunction;
    // Before CUDA 13 the name of a kernel that is loaded lazily is known without its module.
    if (CUDART_VERSION >= 13000 || loads_eagerly(machine().settings)) {
      const auto& loaded = load(*found);
      if (loaded.error != 0) return error_of(loaded);
    }
    *name = found->name.c_str();
    return cudaSuccess;
  });
}
#endif

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  return answer_for("cudaFuncSetAttribute", function, [&](Function& found, const Loaded& loaded) {
    return set_attribute(found, loaded, attribute, value);
  });
}

cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache) {
  return answer_for("cudaFuncSetCacheConfig", function,
                    [](const Function&, const Loaded&) { return cudaSuccess; });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                          int threads, size_t shared) {
  return occupancy("cudaOccupancyMaxActiveBlocksPerMultiprocessor", function, blocks, threads,
                   shared);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks,
                                                                   const void* function,
                                                                   int threads, size_t shared,
                                                                   unsigned) {
  return occupancy("cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", function, blocks,
                   threads, shared);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* function,
                                                      int blocks, int threads) {
  return answer_for(
      "cudaOccupancyAvailableDynamicSMemPerBlock", function,
      [&](Function& found, const Loaded& loaded) {
        if (bytes == nullptr || blocks <= 0 || threads <= 0) return cudaErrorInvalidValue;
        const auto limits = limits_of(current_capability());
        const auto share = limits.shared_per_multiprocessor / static_cast<std::size_t>(blocks);
        const auto taken = static_shared(loaded) + limits.reserved_shared_per_block;
        *bytes = std::min(share > taken ? share - taken : 0, allowed_shared(found, loaded));
        return cudaSuccess;
      });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  const auto error = answer("cudaLaunchHostFunc", Needs::context, [&] {
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    return function == nullptr ? cudaErrorInvalidValue : wait_for(stream);
  });
  if (error == cudaSuccess) function(data);
  return error;
}

}  // extern "C"
