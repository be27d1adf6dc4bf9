// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Audits and plans as text for people and JSON for programs.
#ifndef ARCHGRID_REPORT_HPP
#define ARCHGRID_REPORT_HPP

#include <archgrid/coverage.hpp>
#include <string>
#include <vector>

namespace archgrid::report {

struct Style {
  bool colour = false;
};

/// Colour if `descriptor` is a terminal and NO_COLOR is not set.
Style style_for(int descriptor);

/// What `archgrid audit` found, in one or several cells.
struct AuditReport {
  std::vector<coverage::Audit> audits;
  std::vector<coverage::Finding> findings;  ///< of no single audit: cells not built, unused ignores
  std::vector<std::string> errors;
  bool by_cell = false;  ///< one map a cell instead of one a file
  std::string arch;      ///< the arch of the one cell that is audited, if only it is

  [[nodiscard]] std::vector<coverage::Finding> all_findings() const;
  [[nodiscard]] std::vector<std::string> all_errors() const;
};

/// The maps, the findings and the closing line.
std::string audit_text(const AuditReport& report, Style style);

/// archgrid.audit/1
std::string audit_json(const AuditReport& report);

/// "promise holds: 24 kernels x 7 devices, 2 cells, all native or compatible"
std::string closing_line(const AuditReport& report);

/// Cells, jobs and what each needs, from an archgrid.plan/1 document. Throws std::runtime_error.
std::string plan_text(const std::string& plan_json, Style style);

/// Kernel names for people, each as short as it can be while all differ: without return type,
/// parameters and namespaces.
std::vector<std::string> short_names(const std::vector<std::string>& demangled);

}  // namespace archgrid::report

#endif
