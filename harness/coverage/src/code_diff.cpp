// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "code_diff.hpp"

#include <algorithm>

namespace archgrid::coverage {
namespace {

bool has_unknown(const std::vector<KernelCode>& code) {
  return std::any_of(code.begin(), code.end(),
                     [](const KernelCode& one) { return one.identity.empty(); });
}

std::set<std::string> identities_of(const std::vector<KernelCode>& code) {
  std::set<std::string> identities;
  for (const auto& one : code) identities.insert(one.identity);
  return identities;
}

}  // namespace

CodeComparison::CodeComparison(const ImageSelector& before, const ImageSelector& after,
                               const DiffRequest& request)
    : before_(before), after_(after), request_(request) {}

void CodeComparison::add(const KernelRow& before, const KernelRow& after) {
  const auto* driver = request_.driver ? &*request_.driver : nullptr;
  for (const auto device : request_.devices) {
    const auto old_code = before_.code_of(before, device, driver);
    const auto new_code = after_.code_of(after, device, driver);
    if (old_code.empty() || new_code.empty()) continue;
    if (has_unknown(old_code) || has_unknown(new_code)) {
      unknown_.insert(after.name);
      continue;
    }
    auto& [unchanged, changed] = compared_[device];
    if (identities_of(old_code) == identities_of(new_code)) {
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

}  // namespace archgrid::coverage
