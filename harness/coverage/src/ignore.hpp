// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_COVERAGE_IGNORE_HPP
#define ARCHGRID_COVERAGE_IGNORE_HPP

#include <algorithm>
#include <archgrid/coverage/promise.hpp>

namespace archgrid::coverage {

/// Whether the entry is about the device.
inline bool is_there(const Ignore& ignore, Device device) {
  const auto& devices = ignore.devices;
  return devices.empty() || std::find(devices.begin(), devices.end(), device) != devices.end();
}

}  // namespace archgrid::coverage

#endif
