// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda.hpp"

KERNEL(kernel)
KERNEL(guarded)
KERNEL(passed)
KERNEL(logged)
KERNEL(cached)
KERNEL(described)
KERNEL(kept)
KERNEL(saved)
KERNEL(other)

extern "C" EXPORTED int cudaFuncSetAttribute(const void* stub, int attribute, int value);

ALONE static bool reserve(const void* stub, int major) {
  if (queried_major() < major) return false;
  return cudaFuncSetAttribute(stub, 8, 65536) == 0;
}

// It refuses no GPU.
ALONE static bool reserve_plainly(const void* stub) {
  const int bytes = queried_major() < 8 ? 49152 : 65536;
  return cudaFuncSetAttribute(stub, 8, bytes) == 0;
}

// It launches the kernel on each GPU.
ALONE static int run(const void* stub) {
  const int result = queried_major() < 8 ? 0 : cudaFuncSetAttribute(stub, 8, 65536);
  if (result == 0) cudaLaunchKernel(stub, 1);
  return result;
}

EXPORTED bool launch_guarded(int size) {
  const auto stub = size > 4 ? guarded : other;
  if (!reserve(reinterpret_cast<const void*>(stub), 8)) return false;
  stub(size);
  return true;
}

EXPORTED bool launch(int size) {
  const auto stub = size > 4 ? kernel : other;
  if (!reserve_plainly(reinterpret_cast<const void*>(stub))) return false;
  stub(size);
  return true;
}

EXPORTED int launch_passed(int size) {
  return run(reinterpret_cast<const void*>(size > 4 ? passed : other));
}

// Calling a pointer, it may launch the kernel itself.
EXPORTED int launch_logged(int size, void (*log)(int)) {
  log(size);
  run(reinterpret_cast<const void*>(size > 4 ? logged : other));
  return 0;
}

// Containers keep what code has found about a device and a kernel.
struct Key {
  int device;
  const void* stub;
};
EXPORTED bool* find(const Key& key);
extern "C" EXPORTED int cudaGetDevice(int* device);
extern "C" EXPORTED Key* allocate(int bytes);

ALONE static bool* emplace(const Key& key, bool value) {
  Key* const made = allocate(32);
  *made = key;
  bool* const stored = reinterpret_cast<bool*>(made + 1);
  *stored = value;
  return stored;
}

ALONE static bool is_supported(const void* stub, int major) {
  Key key{0, stub};
  cudaGetDevice(&key.device);
  static bool* known = nullptr;
  if (known != nullptr) return *known;
  const bool supports = queried_major() >= major && cudaFuncSetAttribute(stub, 8, 65536) == 0;
  known = emplace(key, supports);
  return *known;
}

EXPORTED bool launch_cached(int size) {
  const auto stub = size > 4 ? cached : other;
  if (!is_supported(reinterpret_cast<const void*>(stub), 8)) return false;
  stub(size);
  return true;
}

// A description of a launch is launched on each GPU.
struct Description {
  const void* stub;
  int size;
};

ALONE static void launch_from(const Description& description) {
  cudaLaunchKernel(description.stub, description.size);
}

ALONE static int run_described(const void* stub) {
  Description description{stub, 1};
  if (queried_major() >= 8) description.size = cudaFuncSetAttribute(stub, 8, 65536);
  launch_from(description);
  return 0;
}

EXPORTED int launch_described(int size, void (*log)(int)) {
  log(size);
  run_described(reinterpret_cast<const void*>(size > 4 ? described : other));
  return 0;
}

// The function that compares leaves the register with the stub alone.
ALONE static int width_of(int major) {
  return major < 8 ? 1 : 2;
}

ALONE static int run_kept(const void* stub) {
  const int major = queried_major();
  cudaLaunchKernel(stub, width_of(major));
  return major < 8 ? 0 : cudaFuncSetAttribute(stub, 8, 65536);
}

EXPORTED int launch_kept(int size, void (*log)(int)) {
  log(size);
  run_kept(reinterpret_cast<const void*>(size > 4 ? kept : other));
  return 0;
}

// Other code may launch what is in a variable.
EXPORTED void (*launched_later)(int);

EXPORTED void save(int size, void (*log)(int)) {
  if (size > 8) log(size);
  launched_later = size > 4 ? saved : other;
}
