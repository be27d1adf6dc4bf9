// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda.hpp"

KERNEL(kernel)
KERNEL(guarded)
KERNEL(passed)
KERNEL(logged)
KERNEL(described)
KERNEL(kept)
KERNEL(saved)
KERNEL(tuned)
KERNEL(heaped)
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

// The launching function itself compares.
ALONE static int launch_tuned(const Description& description) {
  int size = description.size;
  if (queried_major() >= 8) size = cudaFuncSetAttribute(description.stub, 8, 65536);
  cudaLaunchKernel(description.stub, size);
  return 0;
}

EXPORTED int run_tuned(int size, void (*log)(int)) {
  log(size);
  const Description description{reinterpret_cast<const void*>(size > 4 ? tuned : other), size};
  if (launch_tuned(description) != 0) log(-1);
  return 0;
}

// The description moves to the heap before it is launched.
extern "C" EXPORTED Description* allocate(int bytes);

ALONE static Description* keep(const Description& description) {
  Description* const made = allocate(16);
  *made = description;
  return made;
}

ALONE static int run_heaped(const void* stub) {
  Description description{stub, 1};
  if (queried_major() >= 8) description.size = cudaFuncSetAttribute(stub, 8, 65536);
  launch_from(*keep(description));
  return 0;
}

EXPORTED int launch_heaped(int size, void (*log)(int)) {
  log(size);
  run_heaped(reinterpret_cast<const void*>(size > 4 ? heaped : other));
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
