// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests that run on a GPU. Link archgrid::gtest in place of GTest::gtest_main: its main()
// finds the GPU that the tests are for, proves that every kernel of the program has code for it,
// and fails a test that leaves a CUDA error behind.
#ifndef ARCHGRID_GTEST_HPP
#define ARCHGRID_GTEST_HPP

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <archgrid/compare.hpp>
#include <archgrid/device_buffer.hpp>
#include <archgrid/numbers.hpp>
#include <archgrid/seed.hpp>
#include <archgrid/stream.hpp>
#include <type_traits>

namespace archgrid {

/// For EXPECT_CUDA: success, or what `expression` returned, by name, number and text; the error is
/// then told, and no longer left behind in the runtime.
::testing::AssertionResult cuda_succeeded(const char* expression, cudaError_t error);

/// Says that the running test launches no kernel on purpose: without that, one that launches none
/// is reported as empty.
void launches_no_kernel();

/// For EXPECT_CUDA_ERROR: whether `expression` returned what `expected` says; the error is then no
/// longer left behind, nor is another, which is told.
::testing::AssertionResult cuda_failed_with(const char* expected_text, const char* expression,
                                            cudaError_t expected, cudaError_t error);

/// For EXPECT_LAUNCH: whether a launch that returned `error` was accepted, and whether all work of
/// the device ended well after it.
struct LaunchSucceeded {
  const char* launch;
  ::testing::AssertionResult operator()(const char*, cudaError_t error) const;
};

/// Calls what launches a kernel and returns its error: `call`'s own, or where it returns nothing,
/// what the launch left in the runtime.
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

/// Passes if the expression, a CUDA call or a launch function, returns cudaSuccess. More can be
/// streamed into it. ASSERT_CUDA also leaves the function.
#define EXPECT_CUDA(expression) EXPECT_PRED_FORMAT1(::archgrid::cuda_succeeded, expression)
#define ASSERT_CUDA(expression) ASSERT_PRED_FORMAT1(::archgrid::cuda_succeeded, expression)

/// Passes if the expression returns this error and no other, which is then cleared from the
/// runtime. An error that breaks the context, such as cudaErrorIllegalAddress, cannot be cleared.
#define EXPECT_CUDA_ERROR(code, expression) \
  EXPECT_PRED_FORMAT2(::archgrid::cuda_failed_with, code, expression)
#define ASSERT_CUDA_ERROR(code, expression) \
  ASSERT_PRED_FORMAT2(::archgrid::cuda_failed_with, code, expression)

/// Passes if a launch is accepted and ends without an error: of a function that launches and
/// returns a cudaError_t, or, in a .cu file, of a kernel: EXPECT_LAUNCH(add<<<1, 32>>>(a, b)).
/// Waits for the device.
#define EXPECT_LAUNCH(...)                                       \
  EXPECT_PRED_FORMAT1(::archgrid::LaunchSucceeded{#__VA_ARGS__}, \
                      ::archgrid::error_of_launch([&]() { return __VA_ARGS__; }))
#define ASSERT_LAUNCH(...)                                       \
  ASSERT_PRED_FORMAT1(::archgrid::LaunchSucceeded{#__VA_ARGS__}, \
                      ::archgrid::error_of_launch([&]() { return __VA_ARGS__; }))

#endif
