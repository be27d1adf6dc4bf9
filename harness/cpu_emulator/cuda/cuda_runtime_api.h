// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// A stand-in for CUDA's header of this name: a runtime whose only device is the CPU. All functions
// are synchronous on every stream. archgrid::cpu_emulator::launch() launches kernels.
#ifndef ARCHGRID_CPU_EMULATOR_CUDA_RUNTIME_API_H
#define ARCHGRID_CPU_EMULATOR_CUDA_RUNTIME_API_H

#include "driver_types.h"
#include "vector_types.h"

/// Defined when sources are compiled for archgrid::cpu_emulator.
#define ARCHGRID_CPU_EMULATOR 1

extern "C" {
const char* cudaGetErrorName(cudaError_t error);
const char* cudaGetErrorString(cudaError_t error);
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();

cudaError_t cudaGetDevice(int* device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDeviceCount(int* count);
/// Returns the attributes of driver_types.h, for the device of
/// archgrid::cpu_emulator::set_device().
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaStreamSynchronize(cudaStream_t stream);

/// Allocates memory at a multiple of 256 bytes, with arbitrary content. The checks know its bounds.
cudaError_t cudaMalloc(void** pointer, std::size_t bytes);
cudaError_t cudaFree(void* pointer);
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream);
cudaError_t cudaMemset(void* pointer, int value, std::size_t bytes);
cudaError_t cudaMemsetAsync(void* pointer, int value, std::size_t bytes, cudaStream_t stream);
}

template <class T>
cudaError_t cudaMalloc(T** pointer, std::size_t bytes) {
  return cudaMalloc(reinterpret_cast<void**>(pointer), bytes);
}

#endif
