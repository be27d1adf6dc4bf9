// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CUDA_ERROR_HPP
#define ARCHGRID_CUDA_ERROR_HPP

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

namespace archgrid {

/// Returns "cudaErrorInvalidValue (1), invalid argument".
std::string described(cudaError_t error);

/// A failed CUDA call outside of GoogleTest's assertions.
struct CudaError : std::runtime_error {
  CudaError(const std::string& what, cudaError_t error);
  cudaError_t error;
};

/// Throws CudaError unless `error` is cudaSuccess.
void throw_on_error(const std::string& what, cudaError_t error);

}  // namespace archgrid

#endif
