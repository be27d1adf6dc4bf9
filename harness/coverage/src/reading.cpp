// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <archgrid/coverage/audit.hpp>

namespace archgrid::coverage {
namespace {

/// Whether a verdict on the device may depend on the PTX: no machine code is sure to load. What
/// reaches the device but for its suffix is told of, too.
bool depends_on_ptx(Device device, fatbin::Arch ptx,
                    const std::vector<fatbin::Arch>& machine_code) {
  const bool served = std::any_of(machine_code.begin(), machine_code.end(), [&](fatbin::Arch arch) {
    return sass_loads(arch, device) == Loads::yes;
  });
  return !served && ptx_reaches({ptx.number, '\0'}, device);
}

}  // namespace

fatbin::Reading reading_for(const Request& request) {
  if (!request.budgets.empty()) return fatbin::Detail::everything;
  fatbin::Reading reading = fatbin::Detail::bodies;
  // Where nothing is promised people are told what newer GPUs get, and that is PTX.
  if (request.like_other_kernels) return reading;
  reading.ptx_wanted = [devices = promised_devices(request)](
                           fatbin::Arch ptx, const std::vector<fatbin::Arch>& machine_code) {
    return std::any_of(devices.begin(), devices.end(),
                       [&](Device device) { return depends_on_ptx(device, ptx, machine_code); });
  };
  return reading;
}

}  // namespace archgrid::coverage
