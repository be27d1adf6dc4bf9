// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// A libcudart that pretends GPUs, for tests of what archgrid::gtest does with them on machines that
// have none. It takes the place of a toolkit's libcudart.so in programs that link that
// (CMAKE_CUDA_RUNTIME_LIBRARY Shared), by LD_LIBRARY_PATH, and is built against the toolkit's
// headers.
//
// Device memory is host memory. KERNELS DO NOT RUN: a launch is accepted and does nothing. What it
// answers follows NVIDIA's documentation and was never compared with a GPU.
//
//   PRETEND_DEVICES=9.0,8.6  the GPUs; unset: none
//   PRETEND_DRIVER=13.0      the CUDA version that the driver knows; unset: no driver
//   PRETEND_RUNTIME=12.4     the version the runtime says it is; unset: that of the headers
//   PRETEND_FAIL=cudaMalloc=2,cudaLaunchKernel=700   calls that fail, and with which error
#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace {

[[noreturn]] void stop(const std::string& message) {
  std::fprintf(stderr, "pretend: %s\n", message.c_str());
  std::abort();
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::vector<std::string> items(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

struct Version {
  int major = 0;
  int minor = 0;
  int number() const { return 1000 * major + 10 * minor; }
};

Version parse_version(const char* name, const std::string& text) {
  Version version;
  char rest = 0;
  if (std::sscanf(text.c_str(), "%d.%d%c", &version.major, &version.minor, &rest) != 2) {
    stop(std::string(name) + ": '" + text + "' is no version such as 9.0");
  }
  return version;
}

int version_of(const char* name, int otherwise) {
  const std::string text = variable(name);
  return text.empty() ? otherwise : parse_version(name, text).number();
}

std::map<std::string, int> parse_failures() {
  std::map<std::string, int> failures;
  for (const std::string& item : items(variable("PRETEND_FAIL"))) {
    const std::size_t equals = item.find('=');
    if (equals == std::string::npos) stop("PRETEND_FAIL: '" + item + "' is not CALL=ERROR");
    failures[item.substr(0, equals)] = std::atoi(item.c_str() + equals + 1);
  }
  return failures;
}

struct Machine {
  std::vector<Version> devices;
  int driver = version_of("PRETEND_DRIVER", 0);
  int runtime = version_of("PRETEND_RUNTIME", CUDART_VERSION);
  std::map<std::string, int> failures = parse_failures();
  int current = 0;
  cudaError_t last_error = cudaSuccess;

  Machine() {
    for (const std::string& item : items(variable("PRETEND_DEVICES"))) {
      devices.push_back(parse_version("PRETEND_DEVICES", item));
    }
  }

  // What every call that needs a GPU answers first.
  cudaError_t readiness() const {
    if (driver / 1000 < CUDART_VERSION / 1000) return cudaErrorInsufficientDriver;
    return devices.empty() ? cudaErrorNoDevice : cudaSuccess;
  }
};

Machine& machine() {
  static Machine instance;
  return instance;
}

cudaError_t answer(const char* call, cudaError_t error) {
  const auto failure = machine().failures.find(call);
  if (failure != machine().failures.end()) error = static_cast<cudaError_t>(failure->second);
  if (error != cudaSuccess) machine().last_error = error;
  return error;
}

cudaError_t answer(const char* call) {
  return answer(call, machine().readiness());
}

bool has(int device) {
  return device >= 0 && device < static_cast<int>(machine().devices.size());
}

cudaError_t answer_for(const char* call, int device) {
  const cudaError_t ready = machine().readiness();
  if (ready != cudaSuccess) return answer(call, ready);
  return answer(call, has(device) ? cudaSuccess : cudaErrorInvalidDevice);
}

struct ErrorName {
  int error;
  const char* name;
};

constexpr ErrorName kErrors[] = {{0, "cudaSuccess"},
                                 {1, "cudaErrorInvalidValue"},
                                 {2, "cudaErrorMemoryAllocation"},
                                 {35, "cudaErrorInsufficientDriver"},
                                 {100, "cudaErrorNoDevice"},
                                 {101, "cudaErrorInvalidDevice"},
                                 {209, "cudaErrorNoKernelImageForDevice"},
                                 {700, "cudaErrorIllegalAddress"}};

using Clock = std::chrono::steady_clock;

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  const cudaError_t error = answer("cudaGetDeviceCount");
  if (error == cudaSuccess) *count = static_cast<int>(machine().devices.size());
  return error;
}

// A macro of the headers names the version of this function that their programs call.
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  const cudaError_t error = answer_for("cudaGetDeviceProperties", device);
  if (error != cudaSuccess) return error;
  const Version capability = machine().devices[static_cast<std::size_t>(device)];
  *properties = cudaDeviceProp{};
  std::snprintf(properties->name, sizeof properties->name, "Pretended GPU %d", device);
  properties->major = capability.major;
  properties->minor = capability.minor;
  properties->multiProcessorCount = 1;
  properties->warpSize = 32;
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int* device) {
  *device = machine().current;
  return answer("cudaGetDevice");
}

cudaError_t cudaSetDevice(int device) {
  const cudaError_t error = answer_for("cudaSetDevice", device);
  if (error == cudaSuccess) machine().current = device;
  return error;
}

cudaError_t cudaDriverGetVersion(int* version) {
  *version = machine().driver;
  return answer("cudaDriverGetVersion", cudaSuccess);
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = machine().runtime;
  return answer("cudaRuntimeGetVersion", cudaSuccess);
}

cudaError_t cudaGetLastError() {
  const cudaError_t error = machine().last_error;
  machine().last_error = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError() {
  return machine().last_error;
}

const char* cudaGetErrorName(cudaError_t error) {
  for (const ErrorName& known : kErrors) {
    if (known.error == static_cast<int>(error)) return known.name;
  }
  return "an error that pretend has no name for";
}

const char* cudaGetErrorString(cudaError_t) {
  return "pretended";
}

cudaError_t cudaDeviceSynchronize() {
  return answer("cudaDeviceSynchronize");
}

cudaError_t cudaMalloc(void** memory, size_t size) {
  const cudaError_t error = answer("cudaMalloc");
  if (error != cudaSuccess) return error;
  *memory = std::malloc(size);
  return *memory == nullptr ? answer("cudaMalloc", cudaErrorMemoryAllocation) : cudaSuccess;
}

cudaError_t cudaFree(void* memory) {
  std::free(memory);
  return answer("cudaFree");
}

cudaError_t cudaMemcpy(void* to, const void* from, size_t size, cudaMemcpyKind) {
  const cudaError_t error = answer("cudaMemcpy");
  if (error == cudaSuccess) std::memcpy(to, from, size);
  return error;
}

cudaError_t cudaMemset(void* memory, int value, size_t size) {
  const cudaError_t error = answer("cudaMemset");
  if (error == cudaSuccess) std::memset(memory, value, size);
  return error;
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  *stream = nullptr;
  return answer("cudaStreamCreate");
}

cudaError_t cudaStreamDestroy(cudaStream_t) {
  return answer("cudaStreamDestroy");
}

cudaError_t cudaStreamSynchronize(cudaStream_t) {
  return answer("cudaStreamSynchronize");
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  *event = reinterpret_cast<cudaEvent_t>(new Clock::time_point);
  return answer("cudaEventCreate");
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete reinterpret_cast<Clock::time_point*>(event);
  return answer("cudaEventDestroy");
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
  *reinterpret_cast<Clock::time_point*>(event) = Clock::now();
  return answer("cudaEventRecord");
}

cudaError_t cudaEventSynchronize(cudaEvent_t) {
  return answer("cudaEventSynchronize");
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  const std::chrono::duration<float, std::milli> elapsed =
      *reinterpret_cast<Clock::time_point*>(end) - *reinterpret_cast<Clock::time_point*>(begin);
  *milliseconds = elapsed.count();
  return answer("cudaEventElapsedTime");
}

cudaError_t cudaLaunchKernel(const void*, dim3, dim3, void**, size_t, cudaStream_t) {
  return answer("cudaLaunchKernel");
}

// What nvcc's output calls, declared in no public header. Nothing is kept of what is registered.

void** __cudaRegisterFatBinary(void*) {
  static void* handle = nullptr;
  return &handle;
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
void __cudaRegisterFunction(void**, const char*, char*, const char*, int, uint3*, uint3*, dim3*,
                            dim3*, int*) {}
void __cudaRegisterVar(void**, char*, char*, const char*, int, size_t, int, int) {}
char __cudaInitModule(void**) {
  return 1;
}
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t, void*) {
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3*, dim3*, size_t*, void*) {
  return cudaSuccess;
}
cudaError_t __cudaGetKernel(void** kernel, const void* function) {
  *kernel = const_cast<void*>(function);
  return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(void*, dim3, dim3, void**, size_t, cudaStream_t) {
  return answer("cudaLaunchKernel");
}

}  // extern "C"
