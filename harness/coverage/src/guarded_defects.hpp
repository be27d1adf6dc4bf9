// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_COVERAGE_GUARDED_DEFECTS_HPP
#define ARCHGRID_COVERAGE_GUARDED_DEFECTS_HPP

#include "defects.hpp"
#include "kernel_service.hpp"

namespace archgrid::coverage {

/// Turns errors into suspects if host code checks the GPU before it launches the kernels. The
/// kernels of a family in one source file are usually launched by the same function.
void excuse_guarded(const FileContext& file, KernelService& service, const HostGuard& guard,
                    FileDefects& defects);

}  // namespace archgrid::coverage

#endif
