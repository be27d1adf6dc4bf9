// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <archgrid/report/audit_view.hpp>
#include <set>
#include <string_view>
#include <unordered_set>

#include "view_parts.hpp"

namespace archgrid::report {
namespace {

using coverage::Audit;
using coverage::State;

void add_errors(View& view) {
  view.errors.assign(view.report.errors.begin(), view.report.errors.end());
  for (const auto& audit : view.report.audits) {
    view.errors.insert(view.errors.end(), audit.errors.begin(), audit.errors.end());
  }
}

/// Counts promised kernels, and returns the verdicts that keep their promises.
std::set<coverage::Verdict> count_kernels(View& view) {
  std::vector<bool> promised;
  for (const auto& pattern : view.patterns) promised.push_back(is_promised(pattern));
  std::vector<bool> used(view.patterns.size());
  std::unordered_set<std::string_view> named;
  std::unordered_set<std::string_view> broken;
  auto& totals = view.totals;
  for (const auto& file : view.files) {
    const auto before = totals.kernels;
    for (const auto& kernel : file.kernels) {
      if (!promised[kernel.pattern]) continue;
      used[kernel.pattern] = true;
      ++totals.kernels;
      const bool fails = is_broken(view.patterns[kernel.pattern]);
      totals.broken += fails ? 1 : 0;
      if (!kernel.row->name.empty()) {
        named.insert(kernel.row->name.str());
        if (fails) broken.insert(kernel.row->name.str());
      } else {
        ++totals.names;  // the only file, each name once
        totals.broken_names += fails ? 1 : 0;
      }
    }
    totals.files_promised += totals.kernels > before ? 1 : 0;
  }
  totals.names += named.size();
  totals.broken_names += broken.size();
  std::set<coverage::Verdict> kept;
  for (std::size_t index = 0; index < used.size(); ++index) {
    if (!used[index]) continue;
    for (const auto& field : view.patterns[index]) {
      if (field.state == State::kept) kept.insert(field.verdict);
    }
  }
  return kept;
}

}  // namespace

View::View(const AuditReport& audited) : report(audited) {
  add_rows(*this);
  add_findings(*this);
  fold_findings(*this);
  add_suspects(*this);
  add_ignored(*this);
  add_remarks(*this);
  fold_remarks(*this);
  add_errors(*this);
  std::set<coverage::ComputeCapability> devices;
  for (const auto& audit : report.audits)
    devices.insert(audit.devices.begin(), audit.devices.end());
  const auto kept = count_kernels(*this);
  totals.devices = devices.size();
  totals.cells = static_cast<std::size_t>(
      std::count_if(report.audits.begin(), report.audits.end(),
                    [](const Audit& audit) { return !audit.devices.empty(); }));
  totals.files = static_cast<std::size_t>(std::count_if(
      files.begin(), files.end(), [](const ViewFile& file) { return !file.kernels.empty(); }));
  totals.unreadable = errors.size();
  if (totals.errors() == 0) totals.unanswered = gpus_without_yes(report).size();
  outcome = totals.findings > 0   ? Outcome::broken
            : totals.errors() > 0 ? Outcome::open
                                  : Outcome::holds;
  add_package_answers(*this);
  verdict = verdict_of(*this, kept);
}

}  // namespace archgrid::report
