// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <algorithm>
#include <archgrid/cuda/launched.hpp>
#include <archgrid/cuda/launches.hpp>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <utility>

namespace archgrid {
namespace {

// A function-local static: kernels are registered before this program's own objects are
// initialised.
std::vector<RegisteredKernel>& registered() {
  static std::vector<RegisteredKernel> kernels;
  return kernels;
}

std::atomic<std::size_t> launches{0};
thread_local bool launches_are_own = false;

constexpr int kNone = -1;
std::atomic<int> unjudged_launch{kNone};

/// State shared by threads. It is never destroyed: static objects that are destroyed after all of
/// this program's own may still launch.
struct Notes {
  std::mutex mutex;
  std::vector<int> judged_devices;  ///< written before the first test only
  std::map<std::uint64_t, cudaError_t> errors_of_threads;
  std::set<int> launched_devices;
};
Notes& notes() {
  static auto* instance = new Notes;
  return *instance;
}
// Most launches succeed: the counter spares their check the lock.
std::atomic<std::size_t> error_count{0};

/// Returns a unique id: the system may reuse a thread id for a later thread.
std::uint64_t serial_of_thread() {
  static std::atomic<std::uint64_t> last{0};
  thread_local const std::uint64_t serial = ++last;
  return serial;
}

thread_local bool watches_default_stream = false;
thread_local bool saw_default_stream = false;

void count_launch() {
  if (!launches_are_own) ++launches;
}

void look_at_stream(cudaStream_t stream) {
  if (!watches_default_stream) return;
  saw_default_stream = saw_default_stream || stream == nullptr || stream == cudaStreamLegacy ||
                       stream == cudaStreamPerThread;
}

void expect_judged_device() {
  int device = 0;
  const auto& judged = notes().judged_devices;
  if (judged.empty() || cudaGetDevice(&device) != cudaSuccess) return;
  if (std::find(judged.begin(), judged.end(), device) == judged.end()) unjudged_launch = device;
  if (judged.size() == 1) return;
  const std::lock_guard lock(notes().mutex);
  notes().launched_devices.insert(device);
}

void note_launch(cudaStream_t stream) {
  count_launch();
  look_at_stream(stream);
  expect_judged_device();
}

void forget_error_of_thread() {
  if (error_count == 0) return;
  const std::lock_guard lock(notes().mutex);
  notes().errors_of_threads.erase(serial_of_thread());
  error_count = notes().errors_of_threads.size();
}

cudaError_t keep_error_of_thread(cudaError_t error) {
  if (error == cudaSuccess) return error;
  const std::lock_guard lock(notes().mutex);
  notes().errors_of_threads.emplace(serial_of_thread(), error);
  error_count = notes().errors_of_threads.size();
  return error;
}

/// Keeps the result of a launch. `kernel` may be null, for a graph.
cudaError_t note_result(cudaError_t error, const void* kernel, cudaStream_t stream) {
  if (error == cudaSuccess && kernel != nullptr && !launches_are_own) {
    note_launched(kernel, stream);
  }
  return keep_error_of_thread(error);
}

/// Returns the stream that null means in programs with a default stream per thread.
[[maybe_unused]] cudaStream_t stream_in_ptsz(cudaStream_t stream) {
  return stream == nullptr ? cudaStreamPerThread : stream;
}

/// Returns the stream that null means in other programs.
[[maybe_unused]] cudaStream_t stream_in(cudaStream_t stream) {
  return stream;
}

/// Returns a function of the driver's library, with which this program need not be linked.
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

void set_judged_devices(std::vector<int> devices) {
  notes().judged_devices = std::move(devices);
}

std::optional<int> take_unjudged_launch() {
  const int device = unjudged_launch.exchange(kNone);
  return device == kNone ? std::nullopt : std::optional<int>(device);
}

std::vector<int> take_launched_devices() {
  const std::lock_guard lock(notes().mutex);
  const std::set<int> devices = std::exchange(notes().launched_devices, {});
  return {devices.begin(), devices.end()};
}

bool launched_in_default_stream() {
  return saw_default_stream;
}

DefaultStreamWatch::DefaultStreamWatch() {
  watches_default_stream = true;
  saw_default_stream = false;
}

DefaultStreamWatch::~DefaultStreamWatch() {
  watches_default_stream = false;
}

std::vector<cudaError_t> take_launch_errors_of_threads() {
  const std::lock_guard lock(notes().mutex);
  notes().errors_of_threads.erase(serial_of_thread());
  std::vector<cudaError_t> errors;
  for (const auto& [thread, error] : notes().errors_of_threads) errors.push_back(error);
  notes().errors_of_threads.clear();
  error_count = 0;
  return errors;
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

}  // namespace archgrid

// The linker redirects calls of NAME to __wrap_NAME, and calls of __real_NAME to NAME. `strength`:
// weak for functions that not every runtime has.
#define ARCHGRID_WRAP_LAUNCH(strength, name, suffix, parameters, arguments, kernel, stream) \
  strength cudaError_t __real_##name##suffix parameters;                                    \
  cudaError_t __wrap_##name##suffix parameters {                                            \
    archgrid::note_launch(stream);                                                          \
    return archgrid::note_result(__real_##name##suffix arguments, kernel,                   \
                                 archgrid::stream_in##suffix(stream));                      \
  }
// The second form is for programs with a default stream per thread.
#define ARCHGRID_WRAP_LAUNCHES(strength, name, parameters, arguments, kernel, stream) \
  ARCHGRID_WRAP_LAUNCH(strength, name, , parameters, arguments, kernel, stream)       \
  ARCHGRID_WRAP_LAUNCH(strength, name, _ptsz, parameters, arguments, kernel, stream)
#define ARCHGRID_WRAP_DRIVER_LAUNCHES(name, parameters, arguments)                          \
  CUresult __wrap_##name parameters {                                                       \
    return archgrid::launch_by_driver<CUresult parameters>(#name, ARCHGRID_LIST arguments); \
  }                                                                                         \
  CUresult __wrap_##name##_ptsz parameters {                                                \
    return archgrid::launch_by_driver<CUresult parameters>(#name "_ptsz",                   \
                                                           ARCHGRID_LIST arguments);        \
  }
#define ARCHGRID_LIST(...) __VA_ARGS__

extern "C" {

ARCHGRID_WRAP_LAUNCHES(, cudaLaunchKernel,
                       (const void* function, dim3 grid, dim3 block, void** arguments,
                        size_t shared, cudaStream_t stream),
                       (function, grid, block, arguments, shared, stream), function, stream)
ARCHGRID_WRAP_LAUNCHES(, cudaLaunchCooperativeKernel,
                       (const void* function, dim3 grid, dim3 block, void** arguments,
                        size_t shared, cudaStream_t stream),
                       (function, grid, block, arguments, shared, stream), function, stream)
ARCHGRID_WRAP_LAUNCHES(, cudaGraphLaunch, (cudaGraphExec_t graph, cudaStream_t stream),
                       (graph, stream), nullptr, stream)
// nvcc 13 compiles <<<>>> to this call.
ARCHGRID_WRAP_LAUNCHES(__attribute__((weak)), __cudaLaunchKernel,
                       (void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared,
                        cudaStream_t stream),
                       (kernel, grid, block, arguments, shared, stream), kernel, stream)
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
                       (config, function, arguments), function,
                       (config == nullptr ? nullptr : config->stream))
ARCHGRID_WRAP_DRIVER_LAUNCHES(cuLaunchKernelEx,
                              (const CUlaunchConfig* config, CUfunction function, void** arguments,
                               void** extra),
                              (config, function, arguments, extra))
#endif

#if CUDART_VERSION < 13000
ARCHGRID_WRAP_LAUNCH(, cudaLaunchCooperativeKernelMultiDevice, ,
                     (cudaLaunchParams * launches, unsigned count, unsigned flags),
                     (launches, count, flags), nullptr,
                     launches == nullptr || count == 0 ? nullptr : launches->stream)
#endif
CUresult __wrap_cuLaunchCooperativeKernelMultiDevice(CUDA_LAUNCH_PARAMS* launches, unsigned count,
                                                     unsigned flags) {
  return archgrid::launch_by_driver<CUresult(CUDA_LAUNCH_PARAMS*, unsigned, unsigned)>(
      "cuLaunchCooperativeKernelMultiDevice", launches, count, flags);
}

// nvcc 13 compiles <<<>>> to a call that takes a kernel's handle.
__attribute__((weak)) cudaError_t __real___cudaGetKernel(void** kernel, const void* function);
cudaError_t __wrap___cudaGetKernel(void** kernel, const void* function) {
  const cudaError_t result = __real___cudaGetKernel(kernel, function);
  if (result == cudaSuccess) archgrid::note_handle(*kernel, function);
  return result;
}
__attribute__((weak)) cudaError_t __real_cudaGetKernel(void** kernel, const void* function);
cudaError_t __wrap_cudaGetKernel(void** kernel, const void* function) {
  const cudaError_t result = __real_cudaGetKernel(kernel, function);
  if (result == cudaSuccess) archgrid::note_handle(*kernel, function);
  return result;
}

cudaError_t __real_cudaGetLastError();
cudaError_t __wrap_cudaGetLastError() {
  archgrid::forget_error_of_thread();
  return __real_cudaGetLastError();
}

// Code that nvcc generates calls it; no header declares it.
void __real___cudaRegisterFunction(void** module, const char* function, char* device_function,
                                   const char* device_name, int thread_limit, uint3* thread,
                                   uint3* block, dim3* block_size, dim3* grid_size, int* warp_size);
void __wrap___cudaRegisterFunction(void** module, const char* function, char* device_function,
                                   const char* device_name, int thread_limit, uint3* thread,
                                   uint3* block, dim3* block_size, dim3* grid_size,
                                   int* warp_size) {
  archgrid::registered().push_back({function, device_name});
  __real___cudaRegisterFunction(module, function, device_function, device_name, thread_limit,
                                thread, block, block_size, grid_size, warp_size);
}

}  // extern "C"

#undef ARCHGRID_LIST
#undef ARCHGRID_WRAP_DRIVER_LAUNCHES
#undef ARCHGRID_WRAP_LAUNCHES
#undef ARCHGRID_WRAP_LAUNCH
