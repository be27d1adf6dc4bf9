// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda.hpp"

KERNEL(kernel)
KERNEL(guarded)
KERNEL(passed)
KERNEL(logged)
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
