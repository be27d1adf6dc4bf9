// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "package_state.hpp"

#include <algorithm>
#include <archgrid/coverage/load_rules.hpp>
#include <set>
#include <utility>

#include "contains.hpp"
#include "driver.hpp"

namespace archgrid::coverage {
namespace {

/// Finds the files of each kernel. A module with nameless kernels counts as one kernel.
void find_places(PackageState& package) {
  for (std::size_t index = 0; index < package.selectors.size(); ++index) {
    for (const auto* row : package.launched[index]) {
      const auto& name = row->name.empty() ? row->demangled.str() : row->name.str();
      package.places[package_of(package, index)][name].push_back({index, row});
    }
  }
}

/// Finds the devices that each package ships: most of its kernels are in files that serve them.
void find_shipped_by_most(PackageState& package) {
  for (const auto& [name, kernels] : package.places) {
    for (const auto device : package.devices) {
      const auto count = std::count_if(kernels.begin(), kernels.end(), [&](const auto& kernel) {
        return std::any_of(kernel.second.begin(), kernel.second.end(),
                           [&](const Place& place) { return serves(package, place.file, device); });
      });
      if (static_cast<std::size_t>(count) * 2 > kernels.size()) {
        package.shipped.emplace(name, device);
      }
    }
  }
}

/// Lists the devices of each file that PTX serves and that are not devices of the audit.
void list_by_ptx(PackageState& package) {
  for (std::size_t index = 0; index < package.selectors.size(); ++index) {
    for (const auto& on : package.served[index]) {
      const bool is_other =
          contains(package.devices, on.device) || is_left_out(package, index, on.device) ||
          is_in_no_product(package, on.device) || is_without_driver(package, on.device);
      if (on.runs_by_ptx && !is_other) package.result.files[index].by_ptx.push_back(on.device);
    }
  }
}

}  // namespace

void find_shipped(PackageState& package) {
  std::set<ComputeCapability> devices;
  for (std::size_t index = 0; index < package.selectors.size(); ++index) {
    const auto& file = package.result.files[index].file;
    const auto& selector = *package.selectors[index];
    package.launched.push_back(launched_rows(file, selector));
    auto served = serve_devices(file, selector, package.launched.back(), package.request);
    for (auto& on : served) {
      if (is_without_driver(package, on.device)) on.ships = false;
      const bool is_out =
          is_left_out(package, index, on.device) ||
          (is_in_no_product(package, on.device) && !is_claimed(package, index, on.device));
      if (!is_asked(package, on.device) && is_out) on.ships = on.has_failure = false;
      if (on.ships || on.has_failure || is_asked(package, on.device) ||
          is_claimed(package, index, on.device)) {
        devices.insert(on.device);
      }
    }
    package.served.push_back(std::move(served));
  }
  package.devices.assign(devices.begin(), devices.end());
  find_places(package);
  find_shipped_by_most(package);
}

void publish_devices(PackageState& package) {
  package.result.devices = package.devices;
  if (package.request.devices.empty()) list_by_ptx(package);
}

std::string_view package_of(const PackageState& package, std::size_t index) {
  return coverage::package_of(package.result.files[index].file.path);
}

bool is_asked(const PackageState& package, ComputeCapability device) {
  return contains(package.request.devices, device);
}

const Claim* claim_of(const PackageState& package, std::size_t index) {
  return find_claim(package.request.claims, package.result.files[index].file.path);
}

bool is_left_out(const PackageState& package, std::size_t index, ComputeCapability device) {
  const auto* claim = claim_of(package, index);
  return claim != nullptr && leaves_out(*claim, device);
}

bool is_claimed(const PackageState& package, std::size_t index, ComputeCapability device) {
  const auto* claim = claim_of(package, index);
  return claim != nullptr && !package.selectors[index]->kernels().empty() &&
         !is_without_driver(package, device) && named_by(*claim).count(device) != 0;
}

bool is_in_no_product(const PackageState& package, ComputeCapability device) {
  const auto* gpu = table().find_architecture(device.number());
  if (gpu == nullptr || !gpu->products.empty()) return false;
  return std::none_of(
      package.result.files.begin(), package.result.files.end(), [&](const FileAudit& audit) {
        const auto& images = audit.file.images;
        return std::any_of(images.begin(), images.end(), [&](const fatbin::Image& image) {
          return image.arch.number == device.number();
        });
      });
}

bool is_without_driver(const PackageState& package, ComputeCapability device) {
  return !is_asked(package, device) && package.request.driver &&
         misfit_of(*package.request.driver, device);
}

const OnDevice* find_served(const PackageState& package, std::size_t index,
                            ComputeCapability device) {
  const auto& served = package.served[index];
  const auto found = std::find_if(served.begin(), served.end(),
                                  [&](const OnDevice& on) { return on.device == device; });
  return found == served.end() ? nullptr : &*found;
}

bool ships(const PackageState& package, std::size_t index, ComputeCapability device) {
  const auto* served = find_served(package, index, device);
  return served != nullptr && served->ships;
}

bool serves(const PackageState& package, std::size_t index, ComputeCapability device) {
  const auto* served = find_served(package, index, device);
  return served != nullptr && served->ships && served->works;
}

bool is_served(const PackageState& package, std::string_view name, ComputeCapability device) {
  for (std::size_t index = 0; index < package.selectors.size(); ++index) {
    if (package_of(package, index) == name && serves(package, index, device)) return true;
  }
  return false;
}

bool is_beside_other_cpu(const PackageState& package, std::string_view name,
                         ComputeCapability device) {
  const auto* gpu = table().find_architecture(device.number());
  if (gpu == nullptr) return false;
  for (std::size_t index = 0; index < package.selectors.size(); ++index) {
    if (package_of(package, index) == name && may_meet(package.result.files[index].file, *gpu))
      return false;
  }
  return true;
}

}  // namespace archgrid::coverage
