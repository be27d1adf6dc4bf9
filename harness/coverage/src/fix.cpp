// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "fix.hpp"

#include <algorithm>
#include <archgrid/coverage/load_rules.hpp>
#include <utility>

namespace archgrid::coverage {
namespace {

fatbin::Arch own_arch(ComputeCapability device) {
  return {device.number(), '\0'};
}

/// Reports whether the toolkit surely cannot compile for the device's own number.
bool is_unable(Version toolkit, ComputeCapability device) {
  if (table().find_toolkit(toolkit) == nullptr) return false;
  const auto able = table().toolkits_for(own_arch(device));
  return !able.empty() && std::find(able.begin(), able.end(), toolkit) == able.end();
}

/// Returns the newest toolkit recorded by the images of each module.
std::vector<std::optional<Version>> newest_toolkits(const fatbin::File& file) {
  std::vector<std::optional<Version>> toolkits(file.modules.size());
  for (const auto& image : file.images) {
    const auto version = parse_version(image.toolkit);
    if (!version || image.module >= toolkits.size()) continue;
    auto& known = toolkits[image.module];
    if (!known || *known < *version) known = version;
  }
  return toolkits;
}

/// Sorts archs, the lowest priority first, and drops duplicates.
void sort_by_load_priority(std::vector<fatbin::Arch>& archs) {
  std::sort(archs.begin(), archs.end(),
            [](auto left, auto right) { return load_priority(left) < load_priority(right); });
  archs.erase(std::unique(archs.begin(), archs.end()), archs.end());
}

/// Returns the arch among those that satisfy `fits` that the driver loads, or an empty string if it
/// would prefer code for `added`. `archs` has the order of sort_by_load_priority().
template <typename Fits>
std::string taken_before(fatbin::Arch added, const std::vector<fatbin::Arch>& archs,
                         const Fits& fits) {
  const auto taken = std::find_if(archs.rbegin(), archs.rend(), fits);
  const bool stays = taken != archs.rend() && !(load_priority(*taken) < load_priority(added));
  return stays ? taken->text() : std::string();
}

/// Reports whether `device`, which both serve, prefers `code` to `other`: machine code first, then
/// code for its own number.
bool is_preferred(const PlannedArch& code, const PlannedArch& other, ComputeCapability device) {
  if (code.sass != other.sass) return code.sass;
  const auto is_own = [&](const PlannedArch& each) { return each.arch.number == device.number(); };
  if (is_own(code) != is_own(other)) return is_own(code);
  return load_priority(other.arch) < load_priority(code.arch);
}

}  // namespace

Fixes::Fixes(const fatbin::File& file, const ImageSelector& selector,
             std::optional<Version> toolkit, Options options, std::vector<std::string> cell_archs)
    : selector_(selector),
      toolkit_(toolkit),
      options_(options),
      cell_archs_(std::move(cell_archs)),
      recorded_(newest_toolkits(file)),
      compiled_(compiled_in(file)),
      linked_(file.modules.size()),
      damaged_(file.modules.size()) {
  for (const auto& module : file.modules) linked_[module.index] = module.linked;
  for (const auto& image : file.images) {
    if (image.module >= damaged_.size()) continue;
    if (!image.error.empty() && !image.obfuscated) damaged_[image.module] = true;
  }
}

std::vector<Fixes::Compiled> Fixes::compiled_in(const fatbin::File& file) {
  std::vector<Compiled> compiled(file.modules.size());
  for (const auto& image : file.images) {
    if (image.module >= compiled.size()) continue;
    if (image.kind == fatbin::Kind::sass) compiled[image.module].sass.push_back(image.arch);
    if (image.kind == fatbin::Kind::ptx) compiled[image.module].ptx.push_back(image.arch);
  }
  for (auto& module : compiled) {
    sort_by_load_priority(module.sass);
    sort_by_load_priority(module.ptx);
  }
  return compiled;
}

std::optional<CellArch> Fixes::cell_arch_for(const Wanted& wanted) const {
  auto accept = wanted.accept;
  const auto* row = toolkit_ ? table().find_toolkit(*toolkit_) : nullptr;
  if (row != nullptr && wanted.driver && wanted.driver->ptx_isa < row->ptx_isa) {
    accept.erase(Verdict::jit);
  }
  std::optional<CellArch> found;
  for (const auto& text : cell_archs_) {
    if (!arch_serves(text, wanted.device, accept)) continue;
    const auto arch = *parse_arch(std::string_view(text).substr(0, text.find('-')));
    const bool sass = !text.ends_with("-virtual") && sass_loads(arch, wanted.device) != Loads::no;
    const PlannedArch code{arch, sass, !sass};
    if (!found || is_preferred(code, found->code, wanted.device)) found = CellArch{text, code};
  }
  return found;
}

bool Fixes::is_older_ptx(const LaunchPrediction& prediction, ComputeCapability device) const {
  const auto& [verdict, reason, module] = prediction;
  if (reason.kind != fatbin::Kind::ptx) return false;
  const auto is_newer = [&, taken = reason.arch.number](fatbin::Arch arch) {
    return taken < arch.number && arch.number <= device.number();
  };
  const auto& [sass, ptx] = compiled_[module];
  return std::any_of(sass.begin(), sass.end(), is_newer) ||
         std::any_of(ptx.begin(), ptx.end(), is_newer);
}

Remedy Fixes::remedy(const Wanted& wanted, const LaunchPrediction& prediction) const {
  const auto module = prediction.module;
  const auto device = wanted.device;
  const auto toolkit = toolkit_ ? toolkit_ : recorded_[module];
  Remedy remedy;
  remedy.device = device;
  remedy.verdict = prediction.verdict;
  remedy.options = options_;
  if (remedy.verdict == Verdict::empty) {
    remedy.idle_ptx = cell_archs_.empty() && is_older_ptx(prediction, device);
    if (!remedy.idle_ptx) return remedy;
  }
  if (remedy.verdict == Verdict::unknown) {
    remedy.damaged = damaged_[module];
    remedy.undefined = selector_.undefined_in(module);
    if (remedy.damaged || !remedy.undefined.empty()) return remedy;
  }
  remedy.toolkit = toolkit_;
  remedy.recorded = !toolkit_;
  remedy.linked = linked_[module];
  remedy.asked = cell_arch_for(wanted);
  remedy.unasked = toolkit_ && !cell_archs_.empty() && !remedy.asked;
  if (toolkit && is_unable(*toolkit, device)) {
    remedy.unable = toolkit;
    remedy.another = arch_for(*toolkit, wanted);
  }
  if (remedy.verdict != Verdict::missing) return remedy;
  const auto added = remedy.asked
                         ? remedy.asked->code
                         : remedy.another.value_or(PlannedArch{own_arch(device), true, false});
  remedy.compiled =
      added.sass ? taken_before(added.arch, compiled_[module].sass,
                                [&](auto arch) { return sass_loads(arch, device) == Loads::yes; })
                 : taken_before(added.arch, compiled_[module].ptx,
                                [&](auto arch) { return ptx_reaches(arch, device); });
  return remedy;
}

}  // namespace archgrid::coverage
