// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include "left_behind.hpp"

#include <cuda_runtime_api.h>

#include <archgrid/cuda/error.hpp>
#include <archgrid/cuda/launches.hpp>
#include <archgrid/cuda/on_device.hpp>

namespace archgrid::gtest {
namespace {

/// Reports whether CUDA stays unusable after the error was reported: every call then returns it
/// again.
bool is_sticky() {
  static_cast<void>(cudaGetLastError());
  return cudaDeviceSynchronize() != cudaSuccess;
}

void look_at_device(LeftBehind& left) {
  const cudaError_t waited = cudaDeviceSynchronize();
  const cudaError_t kept = cudaGetLastError();
  const cudaError_t error = waited != cudaSuccess ? waited : kept;
  if (error == cudaSuccess) return;
  left.errors.push_back(std::string("left a CUDA error behind: ") +
                        (waited != cudaSuccess ? "cudaDeviceSynchronize()" : "cudaGetLastError()") +
                        " returned " + described(error));
  if (is_sticky()) left.stays = described(error);
  static_cast<void>(cudaGetLastError());
}

}  // namespace

LeftBehind errors_left_behind() {
  LeftBehind left;
  if (const auto device = take_unjudged_launch()) {
    left.errors.push_back("launched a kernel on GPU " + std::to_string(*device) +
                          ", for which the kernels were not judged. CUDA chooses a GPU for each "
                          "thread: call cudaSetDevice");
  }
  for (const cudaError_t error : take_launch_errors_of_threads()) {
    left.errors.push_back("left a CUDA error behind in another thread: a launch returned " +
                          described(error));
  }
  look_at_device(left);
  const int current = current_or_first_device();
  for (const int device : take_launched_devices()) {
    if (device == current || left.stays) continue;
    const OnDevice other(device);
    if (other.is_current()) look_at_device(left);
  }
  return left;
}

}  // namespace archgrid::gtest
