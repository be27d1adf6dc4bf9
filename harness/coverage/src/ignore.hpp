// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_COVERAGE_IGNORE_HPP
#define ARCHGRID_COVERAGE_IGNORE_HPP

#include <archgrid/coverage/promise.hpp>
#include <string_view>

#include "contains.hpp"

namespace archgrid::coverage {

/// Reports whether the entry applies to the device.
inline bool is_there(const Ignore& ignore, ComputeCapability device) {
  const auto& devices = ignore.devices;
  return devices.empty() || contains(devices, device);
}

/// Reports whether the entry names the code and, by its pattern, the file.
inline bool is_about_file(const Ignore& ignore, std::string_view code, std::string_view path) {
  if (ignore.code.empty() || ignore.code != code) return false;
  const auto name = path.substr(path.find_last_of("/!") + 1);
  return matches_pattern(ignore.kernel, path) || matches_pattern(ignore.kernel, name);
}

/// Reports whether the entry is about a finding with the code about a kernel of a file.
inline bool is_about(const Ignore& ignore, std::string_view code, const KernelRow& kernel,
                     std::string_view path) {
  if (!ignore.code.empty() && ignore.code != code) return false;
  return matches_kernel(ignore.kernel, kernel) || is_about_file(ignore, code, path);
}

}  // namespace archgrid::coverage

#endif
