// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include "breaches.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace archgrid::coverage {
namespace {

// Empty bodies beyond this many on one device of one file come from template dispatch.
constexpr std::size_t kMostSingleEmpties = 20;

/// Kernels that break a promise for one reason on one device.
struct OneReason {
  const Breach* first = nullptr;
  std::vector<std::size_t> rows;  ///< ascending
  std::set<std::string> units;
  std::set<std::size_t> modules;
  bool is_many_empties = false;
};

class Reasons {
 public:
  Reasons(const std::vector<const Breach*>& breaches, const Told& told) : told_(told) {
    std::map<std::size_t, std::set<std::size_t>> empties;  // rows, by device
    for (const auto* breach : breaches) {
      if (breach->verdict == Verdict::empty) empties[breach->at].insert(breach->row);
    }
    for (const auto& [at, rows] : empties) {
      if (rows.size() > kMostSingleEmpties) many_empties_.insert(at);
    }
    for (const auto* breach : breaches) add(*breach);
  }

  [[nodiscard]] std::vector<Finding> findings() const {
    std::vector<Finding> findings;
    findings.reserve(reasons_.size());
    for (const auto& reason : reasons_) findings.push_back(finding_of(reason));
    return findings;
  }

 private:
  using Key = std::tuple<std::size_t, Verdict, std::string_view>;

  void add(const Breach& breach) {
    auto& reason = reason_for(breach);
    if (!reason.rows.empty() && reason.rows.back() == breach.row) return;
    reason.rows.push_back(breach.row);
    reason.modules.insert(breach.module);
    const auto& unit = told_.coverage.unit_of(row(breach), breach.module);
    if (!unit.empty()) reason.units.insert(unit);
  }

  OneReason& reason_for(const Breach& breach) {
    const bool is_many = breach.verdict == Verdict::empty && many_empties_.count(breach.at) != 0;
    const Key key{breach.at, breach.verdict,
                  is_many ? std::string_view() : std::string_view(breach.message.str())};
    auto& known = places_[key];
    for (const auto place : known) {
      if (is_many || *reasons_[place].first->remedy == *breach.remedy) return reasons_[place];
    }
    known.push_back(reasons_.size());
    auto& reason = reasons_.emplace_back();
    reason.first = &breach;
    reason.is_many_empties = is_many;
    return reason;
  }

  [[nodiscard]] const KernelRow& row(const Breach& breach) const {
    return told_.file.rows[breach.row].kernel;
  }

  [[nodiscard]] std::uint64_t hash_of(const std::vector<std::size_t>& rows) const {
    constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15U;
    std::uint64_t hash = 0;
    for (const auto index : rows) {
      const auto& kernel = told_.file.rows[index].kernel;
      const auto& name = kernel.name.empty() ? kernel.demangled.str() : kernel.name.str();
      hash = (hash ^ std::hash<std::string>()(name)) * kFactor;
    }
    return hash;
  }

  [[nodiscard]] Finding finding_of(const OneReason& reason) const {
    const auto& first = *reason.first;
    const auto device = told_.devices[first.at];
    const Subject subject{told_.file.file.path,
                          row(first),
                          reason.rows.size(),
                          {reason.units.begin(), reason.units.end()},
                          reason.modules.size()};
    Cause cause;
    cause.rule = Rule::promised;
    cause.devices = {device};
    cause.units = subject.units;
    cause.modules = subject.modules;
    cause.of_kernels = told_.file.rows.size();
    cause.kernels_hash = hash_of(reason.rows);
    Finding finding;
    finding.code = name_of(first.verdict);
    finding.path = told_.file.file.path;
    finding.cell = told_.cell;
    finding.kernel = row(first).name;
    finding.demangled = row(first).demangled;
    finding.kernels = reason.rows.size();
    finding.device = device.text();
    finding.message = first.message;
    if (reason.is_many_empties) {
      finding.message = fmt::format(
          "{} kernels do no work on {}, while other bodies of theirs store to memory: template "
          "dispatch leaves such bodies, and so does a wrong `#if __CUDA_ARCH__`",
          reason.rows.size(), device.text());
    }
    finding.fix = fix_text(*first.remedy, subject);
    finding.cause = std::move(cause);
    return finding;
  }

  const Told& told_;
  std::set<std::size_t> many_empties_;  ///< devices
  std::vector<OneReason> reasons_;
  std::map<Key, std::vector<std::size_t>> places_;  ///< of drafts
};

}  // namespace

std::vector<Finding> findings_of(const std::vector<Breach>& breaches, const Told& told) {
  std::vector<const Breach*> all;
  all.reserve(breaches.size());
  for (const auto& breach : breaches) all.push_back(&breach);
  return Reasons(all, told).findings();
}

std::vector<Forgiven> forgiven_of(const std::vector<ForgivenBreach>& breaches, const Told& told) {
  std::map<std::string_view, std::vector<const Breach*>> by_reason;
  for (const auto& [breach, reason] : breaches) by_reason[reason.str()].push_back(&breach);
  std::vector<Forgiven> forgiven;
  for (const auto& [reason, forgiven_for_it] : by_reason) {
    for (auto& finding : Reasons(forgiven_for_it, told).findings()) {
      forgiven.push_back({std::move(finding), std::string(reason)});
    }
  }
  return forgiven;
}

}  // namespace archgrid::coverage
