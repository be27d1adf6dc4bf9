// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_COVERAGE_GUARDED_DEFECTS_HPP
#define ARCHGRID_COVERAGE_GUARDED_DEFECTS_HPP

#include <cstddef>
#include <vector>

#include "defects.hpp"
#include "kernel_service.hpp"

namespace archgrid::coverage {

/// The questions about the host code of a file that may be asked.
struct QuestionLimit {
  /// Spreads them over `kernels`, each with its variants.
  explicit QuestionLimit(std::size_t kernels);
  std::size_t left = 256;
  std::size_t of_kernel;  ///< variants of it to ask about
};

/// Looks for a check of the GPU before host code launches variants of a kernel in a module. Asks
/// about a few of the kernels, as an answer takes up to seconds. The first that host code launches
/// decides; else at least one has to be guarded.
HostCheck check_of(const FileContext& file, const std::vector<std::size_t>& rows, std::size_t at,
                   KernelService& service, const HostGuard& guard, QuestionLimit& questions);

/// Turns errors into suspects if host code checks the GPU before it launches the kernels. The
/// variants of a kernel in one source file are usually launched by the same function.
void explain_guarded(const FileContext& file, KernelService& service, const HostGuard& guard,
                     FileDefects& defects);

}  // namespace archgrid::coverage

#endif
