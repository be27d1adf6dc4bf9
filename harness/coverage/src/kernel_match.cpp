// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "kernel_match.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

#include "decimal.hpp"

namespace archgrid::coverage {
namespace {

constexpr std::size_t kHash = 8;

bool is_hash(const std::string& name, std::size_t begin) {
  if (name.size() - begin < kHash) return false;
  return std::all_of(name.begin() + static_cast<std::ptrdiff_t>(begin),
                     name.begin() + static_cast<std::ptrdiff_t>(begin + kHash),
                     [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

/// Replaces the hashes that nvcc puts into names with internal linkage:
/// _ZN39_GLOBAL__N__0cd80813_9_sample_cu_... or __nv_static_28__0cd80813_9_sample_cu_...
void hide_hashes(std::string& name) {
  const bool internal = name.find("_GLOBAL__N__") != std::string::npos ||
                        name.find("_INTERNAL_") != std::string::npos ||
                        name.rfind("__nv_static_", 0) == 0;
  for (std::size_t at = 0; internal && at < name.size(); ++at) {
    if (name[at] == '_' && is_hash(name, at + 1)) name.replace(at + 1, kHash, "#");
  }
}

/// Replaces CCCL's namespaces, which depend on its version and the archs of the build:
/// _ZN3cub21CUB_300102_SM_800_900... and _ZN6thrust23THRUST_200200_500_600_NS...
void hide_version(std::string& name, std::string_view library) {
  for (auto at = name.find(library); at != std::string::npos; at = name.find(library, at + 1)) {
    std::size_t begin = at;
    while (begin > 0 && is_decimal(name[begin - 1])) --begin;
    const auto version = at + library.size();
    if (begin == at || at - begin > 3 || version >= name.size() || !is_decimal(name[version]))
      continue;
    const auto length = std::stoul(name.substr(begin, at - begin));
    if (length > library.size() && length <= name.size() - at)
      name.replace(begin, at - begin + length, "#");
  }
}

/// Returns the name without the parts that may differ between two builds of a kernel, or an empty
/// string if it has no such parts.
std::string without_marks_of_build(const std::string& name) {
  auto result = name;
  hide_hashes(result);
  hide_version(result, "CUB_");
  hide_version(result, "THRUST_");
  return result == name ? std::string() : result;
}

using Rows = std::vector<const KernelRow*>;

std::map<std::string, Rows> by_name_without_marks(const Rows& rows) {
  std::map<std::string, Rows> groups;
  for (const auto* row : rows) {
    auto key = without_marks_of_build(row->name);
    if (!key.empty()) groups[std::move(key)].push_back(row);
  }
  return groups;
}

void take_out(Rows& rows, const std::set<const KernelRow*>& taken) {
  rows.erase(std::remove_if(rows.begin(), rows.end(),
                            [&](const KernelRow* row) { return taken.count(row) != 0; }),
             rows.end());
}

void match_without_marks(Matching& matching) {
  const auto added = by_name_without_marks(matching.added);
  std::set<const KernelRow*> taken;
  for (const auto& [key, rows] : by_name_without_marks(matching.gone)) {
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
  match_without_marks(matching);
  return matching;
}

}  // namespace archgrid::coverage
