// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "code_diff.hpp"

#include <algorithm>

namespace archgrid::coverage {

CodeComparison::CodeComparison(const ImageSelector& before, const ImageSelector& after,
                               const DiffRequest& request)
    : before_(before), after_(after), request_(request) {}

void CodeComparison::add(const KernelRow& before, const KernelRow& after) {
  for (const auto device : request_.devices) {
    const auto old_code = identities_of(before_, before, device);
    const auto new_code = identities_of(after_, after, device);
    if (old_code.empty() || new_code.empty()) continue;
    if (old_code.count("") != 0 || new_code.count("") != 0) {
      unknown_.insert(after.name);
      continue;
    }
    auto& [unchanged, changed] = compared_[device];
    if (old_code == new_code) {
      ++unchanged;
    } else {
      changed.push_back(after.name);
    }
  }
}

std::vector<CodeChange> CodeComparison::result() const {
  std::vector<CodeChange> changes;
  for (const auto& [device, counts] : compared_) {
    const auto unchanged = counts.first;
    auto changed = counts.second;
    std::sort(changed.begin(), changed.end());
    const auto same = std::find_if(changes.begin(), changes.end(), [&](const CodeChange& change) {
      return change.unchanged == unchanged && change.changed == changed;
    });
    if (same == changes.end()) {
      changes.push_back({{device}, unchanged, std::move(changed)});
    } else {
      same->devices.push_back(device);
    }
  }
  return changes;
}

/// Returns nothing if the device loads no code of the kernel.
CodeComparison::Identities CodeComparison::identities_of(const ImageSelector& selector,
                                                         const KernelRow& row,
                                                         ComputeCapability device) {
  Identities found;
  const auto* driver = request_.driver ? &*request_.driver : nullptr;
  for (const auto* image : selector.taken_images(row, device, driver)) {
    const auto* kernel = find(*image, row.name);
    if (kernel == nullptr) continue;
    found.insert(kernel->identity);
  }
  return found;
}

const fatbin::Kernel* CodeComparison::find(const fatbin::Image& image, const std::string& name) {
  const auto [known, is_new] = kernels_.try_emplace(&image);
  if (is_new) {
    for (const auto& kernel : image.kernels) known->second.emplace(kernel.name, &kernel);
  }
  const auto kernel = known->second.find(name);
  return kernel == known->second.end() ? nullptr : kernel->second;
}

}  // namespace archgrid::coverage
