// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "launches.hpp"

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <atomic>

namespace archgrid::gtest {
namespace {

// Kernels are registered before this program's own objects are initialised.
std::vector<RegisteredKernel>& registered() {
  static std::vector<RegisteredKernel> kernels;
  return kernels;
}

std::atomic<std::size_t> launches{0};
thread_local bool launches_are_own = false;

void count_launch() {
  if (!launches_are_own) ++launches;
}

/// A function of the driver's library, which this program need not be linked with.
template <class Function>
Function* in_driver(const char* name) {
  static void* const library = dlopen("libcuda.so.1", RTLD_NOW);
  return library == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(library, name));
}

template <class Function, class... Arguments>
CUresult launch_by_driver(const char* name, Arguments... arguments) {
  count_launch();
  auto* const function = in_driver<Function>(name);
  return function == nullptr ? CUDA_ERROR_NOT_INITIALIZED : function(arguments...);
}

}  // namespace

std::size_t launch_count() {
  return launches;
}

OwnLaunches::OwnLaunches() {
  launches_are_own = true;
}

OwnLaunches::~OwnLaunches() {
  launches_are_own = false;
}

const std::vector<RegisteredKernel>& registered_kernels() {
  return registered();
}

}  // namespace archgrid::gtest

// The linker gives calls of NAME to __wrap_NAME, and calls of __real_NAME to NAME. `strength`: weak
// for what not every runtime has.
#define ARCHGRID_WRAP_LAUNCH(strength, name, parameters, arguments) \
  strength cudaError_t __real_##name parameters;                    \
  cudaError_t __wrap_##name parameters {                            \
    archgrid::gtest::count_launch();                                \
    return __real_##name arguments;                                 \
  }
// The second form is that of programs whose default stream is one for each thread.
#define ARCHGRID_WRAP_LAUNCHES(strength, name, parameters, arguments) \
  ARCHGRID_WRAP_LAUNCH(strength, name, parameters, arguments)         \
  ARCHGRID_WRAP_LAUNCH(strength, name##_ptsz, parameters, arguments)
#define ARCHGRID_WRAP_DRIVER_LAUNCHES(name, parameters, arguments)                                 \
  CUresult __wrap_##name parameters {                                                              \
    return archgrid::gtest::launch_by_driver<CUresult parameters>(#name, ARCHGRID_LIST arguments); \
  }                                                                                                \
  CUresult __wrap_##name##_ptsz parameters {                                                       \
    return archgrid::gtest::launch_by_driver<CUresult parameters>(#name "_ptsz",                   \
                                                                  ARCHGRID_LIST arguments);        \
  }
#define ARCHGRID_LIST(...) __VA_ARGS__

extern "C" {

ARCHGRID_WRAP_LAUNCHES(, cudaLaunchKernel,
                       (const void* function, dim3 grid, dim3 block, void** arguments,
                        size_t shared, cudaStream_t stream),
                       (function, grid, block, arguments, shared, stream))
ARCHGRID_WRAP_LAUNCHES(, cudaLaunchCooperativeKernel,
                       (const void* function, dim3 grid, dim3 block, void** arguments,
                        size_t shared, cudaStream_t stream),
                       (function, grid, block, arguments, shared, stream))
ARCHGRID_WRAP_LAUNCHES(, cudaGraphLaunch, (cudaGraphExec_t graph, cudaStream_t stream),
                       (graph, stream))
// What nvcc 13 makes of <<<>>>.
ARCHGRID_WRAP_LAUNCHES(__attribute__((weak)), __cudaLaunchKernel,
                       (void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared,
                        cudaStream_t stream),
                       (kernel, grid, block, arguments, shared, stream))
ARCHGRID_WRAP_DRIVER_LAUNCHES(cuLaunchKernel,
                              (CUfunction function, unsigned grid_x, unsigned grid_y,
                               unsigned grid_z, unsigned block_x, unsigned block_y,
                               unsigned block_z, unsigned shared, CUstream stream, void** arguments,
                               void** extra),
                              (function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared,
                               stream, arguments, extra))
ARCHGRID_WRAP_DRIVER_LAUNCHES(
    cuLaunchCooperativeKernel,
    (CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
     unsigned block_y, unsigned block_z, unsigned shared, CUstream stream, void** arguments),
    (function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, stream, arguments))
ARCHGRID_WRAP_DRIVER_LAUNCHES(cuGraphLaunch, (CUgraphExec graph, CUstream stream), (graph, stream))
#if CUDART_VERSION >= 11080
ARCHGRID_WRAP_LAUNCHES(, cudaLaunchKernelExC,
                       (const cudaLaunchConfig_t* config, const void* function, void** arguments),
                       (config, function, arguments))
ARCHGRID_WRAP_DRIVER_LAUNCHES(cuLaunchKernelEx,
                              (const CUlaunchConfig* config, CUfunction function, void** arguments,
                               void** extra),
                              (config, function, arguments, extra))
#endif

// Called by what nvcc generates, and declared in no header of its own.
void __real___cudaRegisterFunction(void** module, const char* function, char* device_function,
                                   const char* device_name, int thread_limit, uint3* thread,
                                   uint3* block, dim3* block_size, dim3* grid_size, int* warp_size);
void __wrap___cudaRegisterFunction(void** module, const char* function, char* device_function,
                                   const char* device_name, int thread_limit, uint3* thread,
                                   uint3* block, dim3* block_size, dim3* grid_size,
                                   int* warp_size) {
  archgrid::gtest::registered().push_back({function, device_name});
  __real___cudaRegisterFunction(module, function, device_function, device_name, thread_limit,
                                thread, block, block_size, grid_size, warp_size);
}

}  // extern "C"

#undef ARCHGRID_LIST
#undef ARCHGRID_WRAP_DRIVER_LAUNCHES
#undef ARCHGRID_WRAP_LAUNCHES
#undef ARCHGRID_WRAP_LAUNCH
