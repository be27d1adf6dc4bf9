// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The interface of the CUDA runtime that host code of nvcc uses. Libraries of these sources are
// never loaded, so nothing defines it.
#ifndef ARCHGRID_SHAPES_CUDA_HPP
#define ARCHGRID_SHAPES_CUDA_HPP

#include <cstddef>

struct cudaDeviceProp {
  char before[0x168];
  int major;
  int minor;
  char behind[0x300];
};

extern "C" {
int cudaDeviceGetAttribute(int* value, int attribute, int device);
int cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
int cudaLaunchKernel(const void* stub, int size);
void** __cudaRegisterFatBinary(void* data);
void __cudaRegisterFunction(void** module, const char* stub, char* name, const char* device_name,
                            int limit, void*, void*, void*, void*, int*);
}

// Host code is hidden unless it says otherwise, as that of many libraries.
#define EXPORTED __attribute__((visibility("default")))
#define ALONE __attribute__((noinline))

/// Defines the stub of a kernel and registers it.
#define KERNEL(name)                                                                        \
  ALONE static void name(int size) {                                                        \
    cudaLaunchKernel(reinterpret_cast<const void*>(name), size);                            \
  }                                                                                         \
  __attribute__((constructor)) static void register_##name() {                              \
    static char text[] = "_Z" #name "i";                                                    \
    const auto stub = reinterpret_cast<const char*>(name);                                  \
    __cudaRegisterFunction(__cudaRegisterFatBinary(nullptr), stub, text, text, -1, nullptr, \
                           nullptr, nullptr, nullptr, nullptr);                             \
  }

inline __attribute__((always_inline)) int queried_major() {
  int value = 0;
  cudaDeviceGetAttribute(&value, 75, 0);
  return value;
}

inline __attribute__((always_inline)) int queried_capability() {
  int minor = 0;
  const int major = queried_major();
  cudaDeviceGetAttribute(&minor, 76, 0);
  return major * 10 + minor;
}

#endif
