// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "link_groups.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <unordered_map>

namespace archgrid::coverage {

// The objects of a link are not recorded. If a file has several links, an object belongs to those
// that contain a kernel of it, or to all if none does, as an object may lack kernels.
LinkGroups link_groups_of(const fatbin::File& file, const std::vector<ModuleImages>& images,
                          const KernelIndex& kernels) {
  LinkGroups groups;
  groups.parts.resize(file.modules.size());
  groups.is_part.resize(file.modules.size());
  groups.is_of_some_link.resize(file.modules.size());
  std::vector<std::size_t> links;
  for (const auto& module : file.modules) {
    if (module.linked) links.push_back(module.index);
  }
  if (links.empty()) return groups;
  std::unordered_map<std::size_t, std::vector<std::size_t>> links_with;  // by kernel
  if (links.size() > 1) {
    for (const auto link : links) {
      for (const auto kernel : numbers_in(kernels, images[link]))
        links_with[kernel].push_back(link);
    }
  }
  for (const auto& module : file.modules) {
    if (!module.relocatable) continue;
    groups.is_part[module.index] = true;
    std::set<std::size_t> owners;
    for (const auto kernel : numbers_in(kernels, images[module.index])) {
      const auto found = links_with.find(kernel);
      if (found != links_with.end()) owners.insert(found->second.begin(), found->second.end());
    }
    if (owners.empty()) {
      groups.is_of_some_link[module.index] = links.size() > 1;
      groups.parts_of_all.push_back(module.index);
    }
    for (const auto link : owners) groups.parts[link].push_back(module.index);
  }
  return groups;
}

bool has_parts(const LinkGroups& links, const fatbin::Module& module) {
  return !links.parts[module.index].empty() || (module.linked && !links.parts_of_all.empty());
}

std::vector<std::size_t> parts_of(const LinkGroups& links, const fatbin::Module& module) {
  if (!module.linked) return {};
  const auto& own = links.parts[module.index];
  const auto& others = links.parts_of_all;
  std::vector<std::size_t> parts;
  parts.reserve(own.size() + others.size());
  std::merge(own.begin(), own.end(), others.begin(), others.end(), std::back_inserter(parts));
  return parts;
}

}  // namespace archgrid::coverage
