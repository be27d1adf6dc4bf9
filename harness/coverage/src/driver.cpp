// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "driver.hpp"

#include <algorithm>
#include <archgrid/coverage/load_rules.hpp>
#include <archgrid/coverage/verdict.hpp>
#include <map>

namespace archgrid::coverage {
namespace {

// nvcc's --compress-mode is "not compatible with drivers released before CUDA Toolkit's 12.4
// Release": launches fail with "device kernel image is invalid". Source: CUDA Compiler Driver NVCC.
constexpr Version kFirstWithZstd{12, 4};

const Toolkit* recorded_toolkit(const fatbin::Image& image) {
  const auto version = parse_version(image.toolkit);
  return version ? table().find_toolkit(*version) : nullptr;
}

/// Returns the machine code that `device` loads, by module.
std::map<std::size_t, const fatbin::Image*> code_for(const fatbin::File& file,
                                                     ComputeCapability device) {
  std::map<std::size_t, const fatbin::Image*> taken;
  for (const auto& image : file.images) {
    if (image.kind != fatbin::Kind::sass || sass_loads(image.arch, device) != Loads::yes) continue;
    auto& known = taken[image.module];
    if (known == nullptr || load_priority(known->arch) < load_priority(image.arch)) known = &image;
  }
  return taken;
}

}  // namespace

TooNew too_new_for(const Driver& driver, const std::set<ComputeCapability>& devices,
                   const fatbin::File& file) {
  TooNew found;
  for (const auto device : devices) {
    for (const auto& [module, image] : code_for(file, device)) {
      const auto* toolkit = recorded_toolkit(*image);
      if (toolkit == nullptr || !is_too_old(driver, *toolkit)) continue;
      found.devices.insert(device);
      found.registered = found.registered || file.modules[module].registered;
      if (found.toolkit == nullptr || found.toolkit->cuda < toolkit->cuda) found.toolkit = toolkit;
    }
  }
  return found;
}

int first_driver_for_zstd() {
  const auto& drivers = table().drivers;
  const auto first = std::find_if(drivers.begin(), drivers.end(), [](const DriverBranch& row) {
    return !(row.cuda < kFirstWithZstd);
  });
  return first == drivers.end() ? 0 : first->branch;
}

Undecoded undecoded_by(const Driver& driver, const std::set<ComputeCapability>& devices,
                       const fatbin::File& file) {
  Undecoded found;
  if (driver.beyond || !(driver.cuda < kFirstWithZstd)) return found;
  const bool linked = std::any_of(file.modules.begin(), file.modules.end(),
                                  [](const auto& module) { return module.linked; });
  for (const auto device : devices) {
    for (const auto& [index, image] : code_for(file, device)) {
      const auto& module = file.modules[index];
      const bool taken = (!linked || !module.relocatable) && !image->kernels.empty();
      if (!taken || image->compression != fatbin::Compression::zstd) continue;
      found.devices.insert(device);
      found.registered = found.registered || module.registered;
    }
  }
  return found;
}

std::optional<Misfit> misfit_of(const Driver& driver, ComputeCapability device) {
  const auto* gpu = table().find_architecture(device.number());
  const auto fit = gpu == nullptr ? DriverFit::fits : fit_of(driver, *gpu);
  if (fit == DriverFit::fits) return std::nullopt;
  const auto branch = fit == DriverFit::too_old ? gpu->first_driver : gpu->last_driver;
  return Misfit{fit, driver.name, branch};
}

}  // namespace archgrid::coverage
