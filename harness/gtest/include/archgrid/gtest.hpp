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

namespace archgrid {

/// For EXPECT_CUDA: success, or what `expression` returned, by name, number and text; the error is
/// then told, and no longer left behind in the runtime.
::testing::AssertionResult cuda_succeeded(const char* expression, cudaError_t error);

/// Says that the running test launches no kernel on purpose: without that, one that launches none
/// is reported as empty.
void launches_no_kernel();

}  // namespace archgrid

/// Passes if the expression, a CUDA call or a launch function, returns cudaSuccess. More can be
/// streamed into it. ASSERT_CUDA also leaves the function.
#define EXPECT_CUDA(expression) EXPECT_PRED_FORMAT1(::archgrid::cuda_succeeded, expression)
#define ASSERT_CUDA(expression) ASSERT_PRED_FORMAT1(::archgrid::cuda_succeeded, expression)

#endif
