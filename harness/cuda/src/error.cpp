// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <archgrid/cuda/error.hpp>

namespace archgrid {

std::string described(cudaError_t error) {
  return std::string(cudaGetErrorName(error)) + " (" + std::to_string(error) + "), " +
         cudaGetErrorString(error);
}

CudaError::CudaError(const std::string& what, cudaError_t code)
    : std::runtime_error(what + ": " + described(code)), error(code) {}

void throw_on_error(const std::string& what, cudaError_t error) {
  if (error != cudaSuccess) throw CudaError(what, error);
}

}  // namespace archgrid
