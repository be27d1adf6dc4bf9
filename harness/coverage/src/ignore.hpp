// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_COVERAGE_IGNORE_HPP
#define ARCHGRID_COVERAGE_IGNORE_HPP

#include <archgrid/coverage/promise.hpp>

#include "contains.hpp"

namespace archgrid::coverage {

/// Reports whether the entry applies to the device.
inline bool is_there(const Ignore& ignore, ComputeCapability device) {
  const auto& devices = ignore.devices;
  return devices.empty() || contains(devices, device);
}

}  // namespace archgrid::coverage

#endif
