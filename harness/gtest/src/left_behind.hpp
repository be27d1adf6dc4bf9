// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The CUDA errors that whoever ran last has not looked at.
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
  std::optional<std::string> stays;  ///< the one after which CUDA is unusable
};

/// Waits for the current device and for all others that kernels were launched on, and forgets the
/// errors, so that nobody else is told of them.
LeftBehind errors_left_behind();

}  // namespace archgrid::gtest

#endif
