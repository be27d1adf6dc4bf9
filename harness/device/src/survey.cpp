// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime_api.h>

#include <archgrid/device/survey.hpp>

namespace archgrid::device {
namespace {

cudaError_t read_gpus(std::vector<Gpu>& gpus) {
  int count = 0;
  cudaError_t error = cudaGetDeviceCount(&count);
  for (int ordinal = 0; error == cudaSuccess && ordinal < count; ++ordinal) {
    cudaDeviceProp properties{};
    error = cudaGetDeviceProperties(&properties, ordinal);
    gpus.push_back({ordinal, properties.name, {properties.major, properties.minor}});
  }
  if (error == cudaSuccess && gpus.empty()) return cudaErrorNoDevice;
  return error;
}

}  // namespace

int linked_runtime_version() {
  int version = 0;
  if (cudaRuntimeGetVersion(&version) == cudaSuccess) return version;
  static_cast<void>(cudaGetLastError());
  return 0;
}

Machine survey() {
  Answer answer;
  std::vector<Gpu> gpus;
  const cudaError_t error = read_gpus(gpus);
  answer.error = error;
  answer.error_name = cudaGetErrorName(error);
  answer.error_text = cudaGetErrorString(error);
  if (cudaDriverGetVersion(&answer.driver_version) != cudaSuccess) answer.driver_version = 0;
  answer.runtime_version = linked_runtime_version();
  static_cast<void>(cudaGetLastError());

  Machine machine = diagnose(answer);
  machine.driver_release = driver_release();
  if (machine.problem == Problem::none) machine.gpus = gpus;
  return machine;
}

}  // namespace archgrid::device
