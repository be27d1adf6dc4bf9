// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// The two adaptations that let kernels also run on archgrid::host: launches, and dynamic shared
// memory.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <utility>

#ifdef ARCHGRID_HOST
#include <archgrid/host.hpp>
#else
#include <tuple>
#endif

namespace archgrid::ptx {

// The mask of all lanes of a warp, for warp intrinsics.
constexpr unsigned all_lanes = 0xffffffffu;

// Returns the block's dynamic shared memory, aligned to at least 128 bytes.
template <class T>
__device__ __forceinline__ T* dynamic_shared() {
#ifdef ARCHGRID_HOST
  return static_cast<T*>(host::dynamic_shared_memory());
#else
  extern __shared__ __align__(128) unsigned char archgrid_dynamic_shared[];
  return reinterpret_cast<T*>(archgrid_dynamic_shared);
#endif
}

#ifdef ARCHGRID_HOST

template <class... Parameters, class... Arguments>
cudaError_t launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, std::size_t shared_bytes,
                   cudaStream_t, Arguments&&... arguments) {
  host::launch(kernel, grid, block, shared_bytes, std::forward<Arguments>(arguments)...);
  return cudaSuccess;
}

// Returns cudaSuccess if the device can launch the kernel, or the error.
template <class... Parameters>
cudaError_t is_loadable(void (*)(Parameters...)) {
  return cudaSuccess;
}

#else

// Calls kernel<<<grid, block, shared_bytes, stream>>>(arguments...) with any size of shared memory
// that the device has. Returns the first error of the runtime.
template <class... Parameters, class... Arguments>
cudaError_t launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, std::size_t shared_bytes,
                   cudaStream_t stream, Arguments&&... arguments) {
  constexpr std::size_t always_allowed = 48 * 1024;
  const void* const function = reinterpret_cast<const void*>(kernel);
  if (shared_bytes > always_allowed) {
    const cudaError_t error = cudaFuncSetAttribute(
        function, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes));
    if (error != cudaSuccess) return error;
  }
  std::tuple<Parameters...> bound(std::forward<Arguments>(arguments)...);
  return std::apply(
      [&](Parameters&... parameters) {
        void* pointers[] = {&parameters...};
        return cudaLaunchKernel(function, grid, block, pointers, shared_bytes, stream);
      },
      bound);
}

template <class... Parameters>
cudaError_t is_loadable(void (*kernel)(Parameters...)) {
  const bool had_error = cudaPeekAtLastError() != cudaSuccess;
  cudaFuncAttributes attributes{};
  const cudaError_t error =
      cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel));
  // Clear the error, so that the next launch does not report it. An error that was pending before
  // stays pending.
  if (error != cudaSuccess && !had_error) cudaGetLastError();
  return error;
}

#endif

}  // namespace archgrid::ptx
