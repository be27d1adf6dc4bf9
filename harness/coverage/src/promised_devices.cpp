// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "promised_devices.hpp"

#include <algorithm>
#include <archgrid/coverage/load_rules.hpp>
#include <set>
#include <string_view>
#include <utility>

#include "contains.hpp"

namespace archgrid::coverage {

std::vector<Promise> narrowed(const Request& request) {
  std::vector<Promise> result;
  for (auto promise : request.promises) {
    const auto outside = [&](ComputeCapability device) {
      const bool asked = request.devices.empty() || contains(request.devices, device);
      const bool served = request.arch.empty() || arch_serves(request.arch, device, promise.accept);
      return !asked || !served;
    };
    auto& devices = promise.devices;
    devices.erase(std::remove_if(devices.begin(), devices.end(), outside), devices.end());
    if (request.driver) promise.driver = request.driver;
    result.push_back(std::move(promise));
  }
  return result;
}

std::vector<ComputeCapability> devices_of(const std::vector<Promise>& promises) {
  std::set<ComputeCapability> devices;
  for (const auto& promise : promises) {
    devices.insert(promise.devices.begin(), promise.devices.end());
  }
  return {devices.begin(), devices.end()};
}

std::vector<ComputeCapability> promised_devices(const Request& request) {
  return devices_of(narrowed(request));
}

bool arch_serves(const std::string& arch, ComputeCapability device, const Verdicts& accept) {
  const auto dash = arch.find('-');
  const auto parsed = parse_arch(std::string_view(arch).substr(0, dash));
  if (!parsed) return false;
  const std::string_view kind =
      dash == std::string::npos ? std::string_view() : std::string_view(arch).substr(dash + 1);
  const auto loads = kind == "virtual" ? Loads::no : sass_loads(*parsed, device);
  if (loads == Loads::yes) {
    const auto verdict = parsed->number == device.number() ? Verdict::native : Verdict::compatible;
    return accept.count(verdict) != 0;
  }
  if (loads == Loads::unsure && accept.count(Verdict::unknown) != 0) return true;
  return kind != "real" && ptx_reaches(*parsed, device) && accept.count(Verdict::jit) != 0;
}

}  // namespace archgrid::coverage
