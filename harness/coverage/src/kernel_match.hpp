// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the kernels that two builds of a file have in common.
#ifndef ARCHGRID_COVERAGE_KERNEL_MATCH_HPP
#define ARCHGRID_COVERAGE_KERNEL_MATCH_HPP

#include <archgrid/coverage/verdict.hpp>
#include <utility>
#include <vector>

namespace archgrid::coverage {

/// Kernels that both sides have, and kernels of one side only.
struct Matching {
  std::vector<std::pair<const KernelRow*, const KernelRow*>> pairs;
  std::vector<const KernelRow*> gone;
  std::vector<const KernelRow*> added;
};

/// Matches kernels by name, or by name without the parts that may differ between two builds.
/// Nameless modules match nothing.
Matching match_kernels(const std::vector<KernelRow>& before, const std::vector<KernelRow>& after);

}  // namespace archgrid::coverage

#endif
