// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#include <archgrid/audit_view.hpp>

namespace archgrid::report {

void forgive_known(const coverage::Baseline& baseline, coverage::Audit& audit) {
  const auto is_known = [&](const coverage::Finding& finding) {
    const bool of_kernels = finding.cause || !finding.kernel.empty() || !finding.demangled.empty();
    return !of_kernels && coverage::is_known(baseline, finding.code, finding.cell, finding.path,
                                             message_of(finding));
  };
  for (const auto& finding : audit.findings) {
    if (is_known(finding)) audit.forgiven.push_back({finding, reason_of(baseline)});
  }
  std::erase_if(audit.findings, is_known);
}

}  // namespace archgrid::report
