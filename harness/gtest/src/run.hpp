// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// One run of the selected tests on one GPU, with its record.
#ifndef ARCHGRID_GTEST_RUN_HPP
#define ARCHGRID_GTEST_RUN_HPP

#include <optional>
#include <string>

#include "kernel_check.hpp"
#include "settings.hpp"

namespace archgrid::gtest {

/// Sets the driver's variables, which the driver reads once, when CUDA starts.
void tell_driver(const KernelCheck& check, const Settings& settings);

/// Runs the selected tests, and returns the exit code. `environment_filter`: the filter if it comes
/// from ctest's environment. Call it once in a program.
int run_tests(const Settings& settings, std::optional<std::string> environment_filter);

}  // namespace archgrid::gtest

#endif
