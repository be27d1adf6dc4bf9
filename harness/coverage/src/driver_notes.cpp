// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "driver_notes.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "audit_notes.hpp"
#include "contains.hpp"
#include "driver.hpp"

namespace archgrid::coverage {
namespace {

constexpr const char* kDriverTooOld = "driver-too-old";

void note_driver(const fatbin::File& file, bool fails, const std::set<ComputeCapability>& devices,
                 Facts facts, const Request& request, Audit& result) {
  if (!fails) {
    add_note(file, "driver-may-be-too-old", std::move(facts), result);
    return;
  }
  if (request.accept_without_promise) facts["asked"] = "yes";
  auto& finding = find_in(file, kDriverTooOld, std::move(facts), result);
  finding.devices.assign(devices.begin(), devices.end());
}

void note_undecoded(const fatbin::File& file, const Driver& driver, const Undecoded& found,
                    const Request& request, Audit& result) {
  note_driver(file, found.registered, found.devices,
              {{"compression", "zstd"},
               {"gpus", list_devices(found.devices)},
               {"needs", std::to_string(first_driver_for_zstd())},
               {"driver", driver.name}},
              request, result);
}

// Programs built with a newer major release of CUDA do not start. It is not documented whether
// the driver loads machine code that host code passes to it.
void note_old_driver(const fatbin::File& file, const Driver& driver, const TooNew& found,
                     const Request& request, Audit& result) {
  note_driver(file, found.registered, found.devices,
              {{"toolkit", found.toolkit->cuda.text()},
               {"gpus", list_devices(found.devices)},
               {"needs", std::to_string(found.toolkit->min_driver)},
               {"driver", driver.name},
               {"driver-cuda", std::to_string(driver.cuda.major)}},
              request, result);
}

/// Returns the branch that supports the device and, if the driver is too old, loads each file.
int driver_for(ComputeCapability device, const Misfit& misfit, const Audit& result) {
  if (misfit.fit != DriverFit::too_old) return misfit.branch;
  int branch = misfit.branch;
  for (const auto& finding : result.findings) {
    if (finding.code != kDriverTooOld || !contains(finding.devices, device)) continue;
    branch = std::max(branch, std::stoi(finding.facts.at("needs")));
  }
  return branch;
}

void note_unknown_gpu(const std::string& place, ComputeCapability device, const Misfit& misfit,
                      const Request& request, Audit& result) {
  const bool is_old = misfit.fit == DriverFit::too_old;
  Facts facts = {{"place", place},
                 {"driver", misfit.driver},
                 {"branch", std::to_string(misfit.branch)},
                 {"install", std::to_string(driver_for(device, misfit, result))}};
  if (request.accept_without_promise) facts["asked"] = "yes";
  auto& finding = find_in_all(is_old ? "driver-too-old-for-gpu" : "driver-too-new-for-gpu",
                              std::move(facts), result);
  finding.device = device.text();
}

}  // namespace

void note_old_drivers(const fatbin::File& file, const std::vector<Promise>& promises,
                      const Request& request, Audit& result) {
  std::map<std::string, std::pair<const Driver*, std::set<ComputeCapability>>> devices_of;
  for (const auto& promise : promises) {
    if (!promise.driver) continue;
    auto& [driver, devices] = devices_of[promise.driver->name];
    driver = &*promise.driver;
    devices.insert(promise.devices.begin(), promise.devices.end());
  }
  for (const auto& [name, promised] : devices_of) {
    const auto found = too_new_for(*promised.first, promised.second, file);
    if (found.toolkit != nullptr) note_old_driver(file, *promised.first, found, request, result);
    if (found.registered) continue;
    const auto undecoded = undecoded_by(*promised.first, promised.second, file);
    if (!undecoded.devices.empty())
      note_undecoded(file, *promised.first, undecoded, request, result);
  }
}

void explain_variants(const Request& request, Audit& result) {
  std::set<std::string_view> too_new;
  for (const auto& finding : result.findings) {
    if (finding.code == kDriverTooOld) too_new.insert(finding.path);
  }
  if (too_new.empty()) return;
  std::set<std::string_view> loaded;
  for (const auto& audit : result.files) {
    if (too_new.count(audit.file.path) != 0) continue;
    for (const auto& row : audit.rows) loaded.insert(row.kernel.name.str());
  }
  std::set<std::string> explained;
  for (const auto& audit : result.files) {
    if (too_new.count(audit.file.path) == 0) continue;
    const auto count = std::count_if(audit.rows.begin(), audit.rows.end(), [&](const Row& row) {
      return loaded.count(row.kernel.name.str()) != 0;
    });
    if (static_cast<std::size_t>(count) * 2 <= audit.rows.size()) continue;
    explained.insert(audit.file.path);
    add_note(audit.file, "driver-may-be-too-old",
             {{"driver", request.driver->name}, {"variant", "yes"}}, result);
  }
  std::erase_if(result.findings, [&](const Finding& finding) {
    return finding.code == kDriverTooOld && explained.count(finding.path) != 0;
  });
}

// Independent of kernels, so reported once.
void note_unknown_gpus(const std::vector<Promise>& promises, const Request& request,
                       Audit& result) {
  std::set<std::pair<ComputeCapability, std::string>> told;
  for (const auto& promise : promises) {
    if (!promise.driver) continue;
    for (const auto device : promise.devices) {
      const auto misfit = misfit_of(*promise.driver, device);
      if (misfit && told.emplace(device, promise.driver->name).second) {
        note_unknown_gpu(promise.place, device, *misfit, request, result);
      }
    }
  }
}

}  // namespace archgrid::coverage
