// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_COVERAGE_BREACHES_HPP
#define ARCHGRID_COVERAGE_BREACHES_HPP

#include <vector>

#include "promise_evaluator.hpp"

namespace archgrid::coverage {

/// The file of the breaches, and the context of its audit.
struct Told {
  const FileAudit& file;  ///< with its rows
  const ImageSelector& selector;
  const std::vector<ComputeCapability>& devices;
  const std::vector<Promise>& promises;  ///< that apply to the file
  const Request& request;
};

/// Returns one finding per reason and device for the kernels of a file that break a promise, in the
/// order of the first kernels. Many empty bodies on a device become one finding: template dispatch
/// leaves hundreds, and nobody reads that many.
std::vector<Finding> findings_of(const std::vector<Breach>& breaches, const Told& told);

/// Returns the ignored findings likewise, one per reason.
std::vector<Ignored> ignored_of(const std::vector<IgnoredBreach>& breaches, const Told& told);

}  // namespace archgrid::coverage

#endif
