// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Answers whether packages run on the GPUs that somebody asks about.
#ifndef ARCHGRID_COVERAGE_PACKAGE_ANSWERS_HPP
#define ARCHGRID_COVERAGE_PACKAGE_ANSWERS_HPP

#include <functional>
#include <string_view>

#include "package_state.hpp"

namespace archgrid::coverage {

/// Reports whether the kernel at a place, whose body for the device does no work, is for the device
/// without evidence that the kernel is for other GPUs.
using IsUnexplained = std::function<bool(const Place& place, ComputeCapability device)>;

/// Answers for each GPU of the request, by the worst package. If several files of a package have
/// a kernel, the best counts: host code picks the file.
void find_answers(PackageState& package, const IsUnexplained& is_unexplained);

/// Returns the answer about a package and a device of the request.
Answer answer_about(const PackageState& package, std::string_view name, ComputeCapability device);

/// Finds the GPUs on which most kernels of a package ran in the baseline, but no longer do or only
/// by PTX.
void find_lost(PackageState& package);

}  // namespace archgrid::coverage

#endif
