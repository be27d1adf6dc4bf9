// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Support for tests that run on a GPU. Link archgrid::gtest instead of GTest::gtest_main: its
// main() selects the GPU that the tests are for, proves that every kernel of the program has code
// for it, and fails a test that leaves a CUDA error behind.
#ifndef ARCHGRID_GTEST_HPP
#define ARCHGRID_GTEST_HPP

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <archgrid/cuda/device_buffer.hpp>
#include <archgrid/cuda/stream.hpp>
#include <archgrid/gtest/compare.hpp>
#include <archgrid/gtest/numbers.hpp>
#include <archgrid/gtest/seed.hpp>
#include <type_traits>

namespace archgrid {

/// Implements EXPECT_CUDA: reports success, or the name, number and text of the error that
/// `expression` returned. Clears the reported error from the runtime.
::testing::AssertionResult cuda_succeeded(const char* expression, cudaError_t error);

/// Declares that the running test launches no kernel on purpose. A test that launches none without
/// this is reported as empty.
void launches_no_kernel();

/// Implements EXPECT_CUDA_ERROR: reports whether `expression` returned `expected`. Clears the error
/// from the runtime; another error is cleared, too, and reported.
::testing::AssertionResult cuda_failed_with(const char* expected_text, const char* expression,
                                            cudaError_t expected, cudaError_t error);

/// Implements EXPECT_LAUNCH: reports whether a launch that returned `error` was accepted, and
/// whether all work of the device after it succeeded.
struct LaunchSucceeded {
  const char* launch;
  ::testing::AssertionResult operator()(const char*, cudaError_t error) const;
};

/// Calls `call`, which launches a kernel, and returns its error: the value that `call` returns or,
/// if it returns nothing, the error that the launch left in the runtime.
template <class Call>
cudaError_t error_of_launch(const Call& call) {
  if constexpr (std::is_void<decltype(call())>::value) {
    call();
    return cudaGetLastError();
  } else {
    return call();
  }
}

}  // namespace archgrid

/// Passes if the expression, a CUDA call or a launch function, returns cudaSuccess. Accepts
/// streamed messages. ASSERT_CUDA also returns from the function.
#define EXPECT_CUDA(expression) EXPECT_PRED_FORMAT1(::archgrid::cuda_succeeded, expression)
#define ASSERT_CUDA(expression) ASSERT_PRED_FORMAT1(::archgrid::cuda_succeeded, expression)

/// Passes if the expression returns exactly this error, which is then cleared from the runtime. An
/// error that breaks the context, such as cudaErrorIllegalAddress, cannot be cleared.
#define EXPECT_CUDA_ERROR(code, expression) \
  EXPECT_PRED_FORMAT2(::archgrid::cuda_failed_with, code, expression)
#define ASSERT_CUDA_ERROR(code, expression) \
  ASSERT_PRED_FORMAT2(::archgrid::cuda_failed_with, code, expression)

/// Passes if a launch is accepted and ends without an error. The argument is a call of a function
/// that launches and returns a cudaError_t or, in a .cu file, a kernel launch:
/// EXPECT_LAUNCH(add<<<1, 32>>>(a, b)). Waits for the device.
#define EXPECT_LAUNCH(...)                                       \
  EXPECT_PRED_FORMAT1(::archgrid::LaunchSucceeded{#__VA_ARGS__}, \
                      ::archgrid::error_of_launch([&]() { return __VA_ARGS__; }))
#define ASSERT_LAUNCH(...)                                       \
  ASSERT_PRED_FORMAT1(::archgrid::LaunchSucceeded{#__VA_ARGS__}, \
                      ::archgrid::error_of_launch([&]() { return __VA_ARGS__; }))

#endif
