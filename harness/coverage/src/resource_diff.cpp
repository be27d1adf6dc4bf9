// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "resource_diff.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace archgrid::coverage {

using fatbin::File;
using fatbin::Image;
using fatbin::Kernel;
using fatbin::Kind;

namespace {

std::array<std::optional<std::uint64_t>, kResources> values_of(const Kernel& kernel) {
  std::array<std::optional<std::uint64_t>, kResources> values = {kernel.registers, kernel.stack,
                                                                 kernel.shared, std::nullopt};
  if (kernel.spill_stores && kernel.spill_loads) {
    values[static_cast<std::size_t>(Resource::spills)] =
        std::uint64_t{*kernel.spill_stores} + *kernel.spill_loads;
  }
  return values;
}

void add_body(std::vector<Takes>& bodies, fatbin::Arch arch, const Kernel& kernel) {
  const auto values = values_of(kernel);
  const auto found = std::find_if(bodies.begin(), bodies.end(),
                                  [&](const Takes& takes) { return takes.arch == arch; });
  if (found == bodies.end()) {
    bodies.push_back({arch, values});
    return;
  }
  for (std::size_t index = 0; index < kResources; ++index) {
    auto& value = found->values.at(index);
    value = value && values.at(index) ? std::max(value, values.at(index)) : std::nullopt;
  }
}

void compare_takes(const std::string& kernel, const Takes& before, const Takes& after,
                   FileDiff& result) {
  for (std::size_t index = 0; index < kResources; ++index) {
    const auto& old_value = before.values.at(index);
    const auto& new_value = after.values.at(index);
    const auto resource = static_cast<Resource>(index);
    if (!old_value || !new_value) {
      result.unknown_spills += resource == Resource::spills ? 1 : 0;
    } else if (*old_value != *new_value) {
      result.resources.push_back({kernel, after.arch, resource, *old_value, *new_value});
    }
  }
}

using ArchKey = std::tuple<Kind, int, char>;

void add_bytes(const File& file, ImageBytes SizeChange::*side,
               std::map<ArchKey, SizeChange>& sizes) {
  for (const auto& image : file.images) {
    auto& change = sizes[{image.kind, image.arch.number, image.arch.suffix}];
    change.kind = image.kind;
    change.arch = image.arch;
    auto& sum = change.*side;
    ++sum.images;
    sum.stored += image.stored;
    sum.bytes += image.decompressed_bytes;
  }
}

}  // namespace

TakesByKernel takes_of(const File& file) {
  TakesByKernel result;
  for (const auto& image : file.images) {
    if (image.kind != Kind::sass) continue;
    for (const auto& kernel : image.kernels) add_body(result[kernel.name], image.arch, kernel);
  }
  return result;
}

void compare_resources(const TakesByKernel& before, const TakesByKernel& after,
                       const KernelRow& old_row, const KernelRow& new_row, FileDiff& result) {
  const auto old_takes = before.find(old_row.name.str());
  const auto new_takes = after.find(new_row.name.str());
  if (old_takes == before.end() || new_takes == after.end()) return;
  for (const auto& takes : new_takes->second) {
    const auto same =
        std::find_if(old_takes->second.begin(), old_takes->second.end(),
                     [&](const Takes& candidate) { return candidate.arch == takes.arch; });
    if (same != old_takes->second.end()) compare_takes(new_row.name, *same, takes, result);
  }
}

std::vector<SizeChange> compare_sizes(const File& before, const File& after) {
  std::map<ArchKey, SizeChange> sizes;
  add_bytes(before, &SizeChange::before, sizes);
  add_bytes(after, &SizeChange::after, sizes);
  std::vector<SizeChange> result;
  for (const auto& [key, change] : sizes) result.push_back(change);
  return result;
}

}  // namespace archgrid::coverage
