// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "kernel_service.hpp"

#include <algorithm>
#include <utility>

namespace archgrid::coverage {
namespace {

// The first GPU with hardware that older GPUs lack: TMA, clusters.
constexpr int kFirstWithNewHardware = 90;

}  // namespace

KernelService::KernelService(const FileContext& file)
    : file_(file), working_(file.result.devices.size()) {}

const std::vector<ComputeCapability>& KernelService::served_by(std::size_t row) {
  const auto [found, is_new] = served_.try_emplace(row);
  if (!is_new) return found->second;
  for (const auto& gpu : table().architectures) {
    const auto verdict =
        file_.selector.predict(kernel_of(file_, row), gpu.device, file_.driver).verdict;
    if (file_.accept.count(verdict) != 0) found->second.push_back(gpu.device);
  }
  return found->second;
}

const std::vector<GpuRange>& KernelService::gpus_named(std::size_t row, std::size_t module) {
  const auto [found, is_new] = named_.try_emplace({row, module});
  if (is_new) {
    const auto& kernel = kernel_of(file_, row);
    found->second = coverage::gpus_named(kernel.name.str(), file_.selector.unit_of(kernel, module),
                                         library_of(file_.audit.file.path), served_by(row));
  }
  return found->second;
}

bool KernelService::needs_newer_gpu(std::size_t row, ComputeCapability device) {
  const auto [found, is_new] = first_devices_.try_emplace(row, 0);
  if (is_new) found->second = first_device_named(kernel_of(file_, row).name.str());
  return device.number() < found->second;
}

bool KernelService::works_in_generation(std::size_t row, ComputeCapability device) const {
  const auto* own = table().find_architecture(device.number());
  for (std::size_t at = 0; at < file_.result.devices.size(); ++at) {
    const auto* other = table().find_architecture(file_.result.devices[at].number());
    if (own == nullptr || other == nullptr || own->generation != other->generation) continue;
    if (own->device.major != other->device.major) continue;  // Blackwell is 10.x and 12.x
    if (works(row, at)) return true;
  }
  return false;
}

bool KernelService::works_on_new_hardware_alone(std::size_t row, ComputeCapability device) {
  const auto& served = served_by(row);
  return !served.empty() && std::all_of(served.begin(), served.end(), [&](ComputeCapability other) {
    return other.number() >= kFirstWithNewHardware && device < other;
  });
}

const std::set<std::string>& KernelService::working_families(std::size_t at) {
  auto& families = working_[at];
  if (!families) {
    families.emplace();
    for (std::size_t row = 0; row < file_.audit.rows.size(); ++row) {
      const bool compiles = file_.audit.rows[row].fields[at].verdict == Verdict::jit;
      if (works(row, at) || compiles) families->insert(family_of(kernel_of(file_, row).name.str()));
    }
  }
  return *families;
}

bool KernelService::has_complement(std::size_t row) {
  if (turns_.empty()) {
    for (std::size_t each = 0; each < file_.audit.rows.size(); ++each) {
      const auto turns = turns_of(each);
      if (turns.refuses.none()) continue;
      for (const auto module : kernel_of(file_, each).modules) turns_[module].insert(turns);
    }
  }
  const auto turns = turns_of(row);
  for (const auto module : kernel_of(file_, row).modules) {
    for (const auto& other : turns_[module]) {
      if (other.works == turns.refuses && other.refuses == turns.works) return true;
    }
  }
  return false;
}

bool KernelService::works(std::size_t row, std::size_t at) const {
  return file_.accept.count(file_.audit.rows[row].fields[at].verdict) != 0;
}

KernelService::Turns KernelService::turns_of(std::size_t row) const {
  Turns turns;
  for (std::size_t at = 0; at < file_.result.devices.size(); ++at) {
    if (works(row, at)) turns.works.set(at);
    if (file_.audit.rows[row].fields[at].verdict == Verdict::empty) turns.refuses.set(at);
  }
  return turns;
}

}  // namespace archgrid::coverage
