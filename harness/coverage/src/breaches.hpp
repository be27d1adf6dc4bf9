// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_COVERAGE_BREACHES_HPP
#define ARCHGRID_COVERAGE_BREACHES_HPP

#include <vector>

#include "judge.hpp"

namespace archgrid::coverage {

/// The file that breaches are of, and the context of its audit.
struct Told {
  const FileAudit& file;  ///< with its rows
  const Coverage& coverage;
  const std::vector<Device>& devices;
  const std::vector<Promise>& promises;  ///< that the file was judged by
  const Request& request;
};

/// Returns one finding for the kernels of a file that break a promise for one reason on one device,
/// in the order of the first of them. Of the empty bodies on a device there is one for all where
/// they are many: template dispatch leaves such, and nobody reads hundreds.
std::vector<Finding> findings_of(const std::vector<Breach>& breaches, const Told& told);

/// The same for what is forgiven, for one reason each.
std::vector<Forgiven> forgiven_of(const std::vector<ForgivenBreach>& breaches, const Told& told);

}  // namespace archgrid::coverage

#endif
