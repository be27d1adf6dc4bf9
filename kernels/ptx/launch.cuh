// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

// The two adaptations that let kernels also run on archgrid::cpu_emulator: launches, and dynamic
// shared memory.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <utility>

#ifdef ARCHGRID_CPU_EMULATOR
#include <archgrid/cpu_emulator.hpp>
#else
#include <tuple>
#endif

namespace archgrid::ptx {

// The mask of all lanes of a warp, for warp intrinsics.
constexpr unsigned all_lanes = 0xffffffffu;

// Returns the block's dynamic shared memory, aligned to at least 128 bytes.
template <class T>
__device__ __forceinline__ T* dynamic_shared() {
#ifdef ARCHGRID_CPU_EMULATOR
  return static_cast<T*>(cpu_emulator::dynamic_shared_memory());
#else
  extern __shared__ __align__(128) unsigned char archgrid_dynamic_shared[];
  return reinterpret_cast<T*>(archgrid_dynamic_shared);
#endif
}

#ifdef ARCHGRID_CPU_EMULATOR

template <class... Parameters, class... Arguments>
cudaError_t launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, std::size_t shared_bytes,
                   cudaStream_t, Arguments&&... arguments) {
  cpu_emulator::launch(kernel, grid, block, shared_bytes, std::forward<Arguments>(arguments)...);
  return cudaSuccess;
}

// Returns cudaSuccess if the device can launch the kernel, or the error.
template <class... Parameters>
cudaError_t is_loadable(void (*)(Parameters...)) {
  return cudaSuccess;
}

// Returns is_loadable() for a kernel that multiplies 8-bit floating-point numbers.
template <class... Parameters>
cudaError_t is_fp8_loadable(void (*)(Parameters...)) {
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

// Loads the kernel and reads its attributes. Returns the error of the runtime.
template <class... Parameters>
cudaError_t read_attributes(void (*kernel)(Parameters...), cudaFuncAttributes& attributes) {
  const bool had_error = cudaPeekAtLastError() != cudaSuccess;
  const cudaError_t error =
      cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel));
  // Clear the error, so that the next launch does not report it. An error that was pending before
  // stays pending.
  if (error != cudaSuccess && !had_error) cudaGetLastError();
  return error;
}

template <class... Parameters>
cudaError_t is_loadable(void (*kernel)(Parameters...)) {
  cudaFuncAttributes attributes{};
  return read_attributes(kernel, attributes);
}

// The compiler in drivers for CUDA 12.4 emulates products of 8-bit floating-point numbers wrongly
// on 9.0 (see mma_sync_by_f16), so code that it compiles from PTX for 8.9 counts as missing. Older
// drivers read no such PTX, and the compiler of CUDA 12.5 is correct.
template <class... Parameters>
cudaError_t is_fp8_loadable(void (*kernel)(Parameters...)) {
  constexpr int first_correct = 12050;
  cudaFuncAttributes attributes{};
  const cudaError_t error = read_attributes(kernel, attributes);
  const bool is_emulated = attributes.binaryVersion == 90 && attributes.ptxVersion < 90;
  if (error != cudaSuccess || !is_emulated) return error;
  int driver = 0;
  const cudaError_t unknown = cudaDriverGetVersion(&driver);
  if (unknown != cudaSuccess) return unknown;
  return driver < first_correct ? cudaErrorNoKernelImageForDevice : cudaSuccess;
}

#endif

}  // namespace archgrid::ptx
