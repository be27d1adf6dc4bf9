// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime_api.h>

#include <archgrid/cuda/launched.hpp>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <utility>

extern "C" cudaError_t __real_cudaGetLastError();  // see launches.cpp

namespace archgrid {
namespace {

/// State shared by threads. It is never destroyed: static objects that are destroyed after all of
/// this program's own may still launch.
struct Launched {
  std::mutex mutex;
  std::unordered_set<const void*> kernels;
  std::unordered_map<const void*, const void*> functions;  ///< by handle
};
Launched& launched() {
  static auto* instance = new Launched;
  return *instance;
}

std::atomic<std::uint64_t> takes{0};

bool is_captured(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  if (cudaStreamIsCapturing(stream, &status) == cudaSuccess) {
    return status != cudaStreamCaptureStatusNone;
  }
  // Another thread has begun a capture since the launch: the test must not see this error.
  static_cast<void>(__real_cudaGetLastError());
  return true;
}

}  // namespace

void note_launched(const void* kernel, cudaStream_t stream) {
  // Most launches of a thread repeat its last one, and are spared the lock.
  thread_local std::pair<const void*, std::uint64_t> last{nullptr, 0};
  const std::pair<const void*, std::uint64_t> launch{kernel, takes};
  if (launch == last) return;
  {
    const std::lock_guard lock(launched().mutex);
    if (launched().kernels.count(kernel) != 0) {
      last = launch;
      return;
    }
  }
  if (is_captured(stream)) return;
  const std::lock_guard lock(launched().mutex);
  launched().kernels.insert(kernel);
  last = launch;
}

void note_handle(const void* handle, const void* function) {
  const std::lock_guard lock(launched().mutex);
  launched().functions[handle] = function;
}

std::vector<const void*> take_launched() {
  const std::lock_guard lock(launched().mutex);
  ++takes;
  std::vector<const void*> result;
  for (const void* kernel : std::exchange(launched().kernels, {})) {
    const auto function = launched().functions.find(kernel);
    result.push_back(function == launched().functions.end() ? kernel : function->second);
  }
  return result;
}

}  // namespace archgrid
