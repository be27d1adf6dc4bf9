// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Selects promises of a matrix file for files that a toolkit built.
#ifndef ARCHGRID_PROMISES_MATRIX_HPP
#define ARCHGRID_PROMISES_MATRIX_HPP

#include <archgrid/coverage.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace archgrid::promises {

/// Reports whether the matrix file lists the toolkit, or lists none.
bool is_listed(const coverage::Matrix& matrix, coverage::Version toolkit);

/// Returns "12.4, 13.0".
std::string list_toolkits(const coverage::Matrix& matrix);

/// Returns the promises of the matrix file for the toolkit, or all if it is unknown. Throws
/// PromiseError if there is none, if the file does not list the toolkit, or if the toolkit is
/// unknown but a promise or a budget is only for some toolkits.
std::vector<coverage::Promise> promises_of(const coverage::Matrix& matrix,
                                           std::optional<coverage::Version> toolkit);

/// Returns the devices of `wanted` without a promise.
std::vector<coverage::ComputeCapability> unpromised(
    const std::vector<coverage::ComputeCapability>& wanted,
    const std::set<coverage::ComputeCapability>& promised);

}  // namespace archgrid::promises

#endif
