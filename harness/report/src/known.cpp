// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <archgrid/report/audit_view.hpp>

namespace archgrid::report {

void ignore_known(const coverage::Baseline& baseline, coverage::Audit& audit) {
  const auto is_known = [&](const coverage::Finding& finding) {
    return !finding.cause && coverage::is_known(baseline, {finding.code, finding.cell, finding.path,
                                                           finding.kernel.str(), finding.device,
                                                           finding.facts, message_of(finding)});
  };
  for (const auto& finding : audit.findings) {
    if (is_known(finding)) audit.ignored.push_back({finding, reason_of(baseline)});
  }
  std::erase_if(audit.findings, is_known);
  const auto is_old = [&](const coverage::FileAudit& each) {
    return has_file(baseline, audit.cell, each.file.path);
  };
  const auto& files = audit.files;
  if (files.empty() || std::any_of(files.begin(), files.end(), is_old)) return;
  audit.notes.push_back({.code = "baseline-of-others", .facts = {{"baseline", baseline.path}}});
}

}  // namespace archgrid::report
