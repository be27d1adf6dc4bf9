// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0

#include <archgrid/cuda/error.hpp>
#include <archgrid/gtest.hpp>

namespace archgrid {

::testing::AssertionResult cuda_succeeded(const char* expression, cudaError_t error) {
  if (error == cudaSuccess) return ::testing::AssertionSuccess();
  static_cast<void>(cudaGetLastError());
  return ::testing::AssertionFailure() << expression << "\n  returned " << described(error);
}

::testing::AssertionResult cuda_failed_with(const char*, const char* expression,
                                            cudaError_t expected, cudaError_t error) {
  if (error != cudaSuccess) static_cast<void>(cudaGetLastError());
  if (error == expected) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << expression << "\n  returned " << described(error)
                                       << "\n  instead of " << described(expected);
}

::testing::AssertionResult LaunchSucceeded::operator()(const char*, cudaError_t error) const {
  if (error != cudaSuccess) return cuda_succeeded(launch, error);
  const ::testing::AssertionResult result =
      cuda_succeeded("cudaDeviceSynchronize()", cudaDeviceSynchronize());
  return result ? result
                : ::testing::AssertionFailure()
                      << launch << "\n  was launched, but " << result.message();
}

}  // namespace archgrid
