// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_COVERAGE_PROMISED_DEVICES_HPP
#define ARCHGRID_COVERAGE_PROMISED_DEVICES_HPP

#include <archgrid/coverage/audit.hpp>
#include <vector>

namespace archgrid::coverage {

/// Returns the promises, restricted to the devices of the request.
std::vector<Promise> narrowed(const Request& request);

std::vector<ComputeCapability> devices_of(const std::vector<Promise>& promises);

}  // namespace archgrid::coverage

#endif
