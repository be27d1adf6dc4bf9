// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The CUDA errors that the last test, or other code between tests, left unchecked.
#ifndef ARCHGRID_GTEST_LEFT_BEHIND_HPP
#define ARCHGRID_GTEST_LEFT_BEHIND_HPP

#include <optional>
#include <string>
#include <vector>

namespace archgrid::gtest {

struct LeftBehind {
  /// "left a CUDA error behind: cudaDeviceSynchronize() returned cudaErrorIllegalAddress (700),
  /// ..."
  std::vector<std::string> errors;
  std::optional<std::string> stays;  ///< the error after which CUDA is unusable
};

/// Waits for the current device and for all others on which kernels were launched, and clears the
/// errors, so that nothing reports them again.
LeftBehind errors_left_behind();

}  // namespace archgrid::gtest

#endif
