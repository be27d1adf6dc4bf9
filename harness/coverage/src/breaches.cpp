// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "breaches.hpp"

#include <archgrid/coverage/names.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "fix.hpp"
#include "kernel_names.hpp"

namespace archgrid::coverage {
namespace {

// More empty bodies than this on one device of one file come from template dispatch.
constexpr std::size_t kMaxSingleEmpties = 20;

/// Returns the options that fixes name for the file at `path`, which may be an archive member.
Options options_for(const std::string& path, const Request& request) {
  if (request.options == Options::nvcc) return Options::nvcc;
  for (const auto& made : request.handmade) {
    const bool is_member = path.starts_with(made + "!");
    if (path == made || (is_member && made.ends_with(".a"))) return Options::nvcc;
    if (is_member) return Options::both;  // a package may contain files of targets, and others
  }
  return request.options;
}

/// The kernels that break a promise on one device for one reason.
struct BreachGroup {
  const Breach* first = nullptr;
  std::shared_ptr<const Remedy> remedy;
  std::vector<std::size_t> rows;  ///< ascending
  std::set<std::string> units;
  std::set<std::size_t> modules;
  bool is_many_empties = false;
};

class BreachGroups {
 public:
  BreachGroups(const std::vector<const Breach*>& breaches, const Told& told)
      : told_(told),
        fixes_(told.file.file, told.selector, told.request.toolkit,
               options_for(told.file.file.path, told.request), told.request.cell_archs) {
    std::map<std::size_t, std::set<std::size_t>> empties;  // rows, by device
    for (const auto* breach : breaches) {
      if (breach->verdict == Verdict::empty) empties[breach->at].insert(breach->row);
    }
    for (const auto& [at, rows] : empties) {
      if (rows.size() > kMaxSingleEmpties) many_empties_.insert(at);
    }
    for (const auto* breach : breaches) add(*breach);
  }

  [[nodiscard]] std::vector<Finding> findings() const {
    std::vector<Finding> findings;
    findings.reserve(groups_.size());
    for (const auto& group : groups_) findings.push_back(finding_of(group));
    return findings;
  }

 private:
  using Key = std::tuple<std::size_t, std::string_view, std::size_t, Reason>;
  using Case = std::tuple<std::size_t, std::size_t, std::size_t, Verdict>;

  void add(const Breach& breach) {
    auto& group = group_for(breach);
    if (!group.rows.empty() && group.rows.back() == breach.row) return;
    group.rows.push_back(breach.row);
    group.modules.insert(breach.module);
    const auto& unit = told_.selector.unit_of(row(breach), breach.module);
    if (!unit.empty()) group.units.insert(unit);
  }

  BreachGroup& group_for(const Breach& breach) {
    const bool is_many = breach.verdict == Verdict::empty && many_empties_.count(breach.at) != 0;
    const std::string_view code = code_of(breach.verdict, breach.reason);
    const auto key = is_many ? Key{breach.at, code, 0, {}}
                             : Key{breach.at, code, first_alike(breach), breach.reason};
    const auto remedy = remedy_for(breach);
    auto& known = places_[key];
    for (const auto place : known) {
      if (is_many || *groups_[place].remedy == *remedy) return groups_[place];
    }
    known.push_back(groups_.size());
    auto& group = groups_.emplace_back();
    group.first = &breach;
    group.remedy = remedy;
    group.is_many_empties = is_many;
    return group;
  }

  /// Returns the first promise that accepts the same verdicts.
  [[nodiscard]] std::size_t first_alike(const Breach& breach) const {
    const auto& promises = told_.promises;
    const auto& accept = promises[breach.promise].accept;
    std::size_t first = 0;
    while (promises[first].accept != accept) ++first;
    return first;
  }

  /// Returns the remedy for a breach; thousands of kernels share one.
  std::shared_ptr<const Remedy> remedy_for(const Breach& breach) {
    auto& remedy = remedies_[{breach.at, breach.module, breach.promise, breach.verdict}];
    if (remedy == nullptr) {
      const auto& promise = told_.promises[breach.promise];
      auto found = fixes_.remedy({told_.devices[breach.at], promise.accept, promise.driver},
                                 {breach.verdict, breach.reason, breach.module});
      found.place = told_.request.place;
      found.target = told_.request.target;
      found.audited = told_.request.audited;
      remedy = std::make_shared<const Remedy>(std::move(found));
    }
    return remedy;
  }

  [[nodiscard]] const KernelRow& row(const Breach& breach) const {
    return told_.file.rows[breach.row].kernel;
  }

  /// Returns a sum, as the parts of names that builds change also change the order of the rows.
  [[nodiscard]] std::uint64_t hash_of(const std::vector<std::size_t>& rows) const {
    std::uint64_t hash = 0;
    for (const auto index : rows) {
      const auto& kernel = told_.file.rows[index].kernel;
      hash += std::hash<std::string>()(
          kernel.name.empty() ? kernel.demangled.str() : fatbin::without_build(kernel.name.str()));
    }
    return hash;
  }

  [[nodiscard]] Finding finding_of(const BreachGroup& group) const {
    const auto& first = *group.first;
    const auto device = told_.devices[first.at];
    Cause cause;
    cause.rule = Rule::promised;
    cause.devices = {device};
    cause.units = {group.units.begin(), group.units.end()};
    cause.modules = group.modules.size();
    cause.of_kernels = told_.file.rows.size();
    cause.named_for = other_arch_named(told_.file.file.path, cause.devices);
    cause.kernels_hash = hash_of(group.rows);
    Finding finding;
    finding.code = code_of(first.verdict, first.reason);
    finding.path = told_.file.file.path;
    finding.cell = told_.request.cell;
    finding.kernel = row(first).name;
    finding.demangled = row(first).demangled;
    finding.kernels = group.rows.size();
    finding.device = device.text();
    finding.broken = BrokenPromise{first.reason, told_.promises[first.promise].accept,
                                   *group.remedy, group.is_many_empties};
    finding.cause = std::move(cause);
    return finding;
  }

  const Told& told_;
  Fixes fixes_;
  std::map<Case, std::shared_ptr<const Remedy>> remedies_;
  std::set<std::size_t> many_empties_;  ///< indices of devices
  std::vector<BreachGroup> groups_;
  std::map<Key, std::vector<std::size_t>> places_;  ///< indices of groups
};

}  // namespace

std::vector<Finding> findings_of(const std::vector<Breach>& breaches, const Told& told) {
  if (breaches.empty()) return {};
  std::vector<const Breach*> all;
  all.reserve(breaches.size());
  for (const auto& breach : breaches) all.push_back(&breach);
  return BreachGroups(all, told).findings();
}

std::vector<Ignored> ignored_of(const std::vector<IgnoredBreach>& breaches, const Told& told) {
  std::map<std::string, std::vector<const Breach*>> by_reason;
  for (const auto& [breach, ignore] : breaches) {
    const auto reason =
        ignore != nullptr ? ignore->reason : reason_of(told.request.baseline.value());
    by_reason[reason].push_back(&breach);
  }
  std::vector<Ignored> ignored;
  for (const auto& [reason, ignored_for_it] : by_reason) {
    for (auto& finding : BreachGroups(ignored_for_it, told).findings()) {
      ignored.push_back({std::move(finding), reason});
    }
  }
  return ignored;
}

}  // namespace archgrid::coverage
