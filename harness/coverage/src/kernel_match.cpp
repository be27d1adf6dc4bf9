// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "kernel_match.hpp"

#include <algorithm>
#include <archgrid/coverage/names.hpp>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

namespace archgrid::coverage {
namespace {

using Rows = std::vector<const KernelRow*>;

std::map<std::string, Rows> by_name_without_build(const Rows& rows) {
  std::map<std::string, Rows> groups;
  for (const auto* row : rows) {
    auto key = fatbin::without_build(row->name.str());
    if (key != row->name.str()) groups[std::move(key)].push_back(row);
  }
  return groups;
}

void take_out(Rows& rows, const std::set<const KernelRow*>& taken) {
  rows.erase(std::remove_if(rows.begin(), rows.end(),
                            [&](const KernelRow* row) { return taken.count(row) != 0; }),
             rows.end());
}

void match_without_build(Matching& matching) {
  const auto added = by_name_without_build(matching.added);
  std::set<const KernelRow*> taken;
  for (const auto& [key, rows] : by_name_without_build(matching.gone)) {
    const auto found = added.find(key);
    if (found == added.end() || rows.size() != 1 || found->second.size() != 1) continue;
    matching.pairs.emplace_back(rows.front(), found->second.front());
    taken.insert({rows.front(), found->second.front()});
  }
  take_out(matching.gone, taken);
  take_out(matching.added, taken);
}

}  // namespace

Matching match_kernels(const std::vector<KernelRow>& before, const std::vector<KernelRow>& after) {
  std::unordered_map<std::string_view, const KernelRow*> rows;
  for (const auto& row : after) {
    if (!row.name.empty()) rows.emplace(row.name.str(), &row);
  }
  Matching matching;
  for (const auto& row : before) {
    if (row.name.empty()) continue;
    const auto found = rows.find(row.name.str());
    if (found == rows.end()) {
      matching.gone.push_back(&row);
    } else {
      matching.pairs.emplace_back(&row, found->second);
      rows.erase(found);
    }
  }
  for (const auto& row : after) {
    if (rows.count(row.name.str()) != 0) matching.added.push_back(&row);
  }
  match_without_build(matching);
  return matching;
}

}  // namespace archgrid::coverage
