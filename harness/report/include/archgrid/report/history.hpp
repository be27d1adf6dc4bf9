// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Says which releases of a package run on a GPU.
#ifndef ARCHGRID_REPORT_HISTORY_HPP
#define ARCHGRID_REPORT_HISTORY_HPP

#include <archgrid/report.hpp>
#include <map>
#include <optional>
#include <string>

namespace archgrid::report {

struct HistoryReport {
  std::string package;
  std::map<coverage::ComputeCapability, std::string> asked;  ///< names in the question: "RTX 5090"
  std::optional<coverage::Driver> driver;                    ///< that the question is about
  coverage::History history;
};

/// Returns "2.6.0: no kernel runs on RTX 5090 (12.0)", in lines of at most `columns`.
std::string release_line(const HistoryReport& report, const coverage::AuditedRelease& release,
                         std::size_t columns);

/// Returns a sentence for each GPU, or one for a package without CUDA code, and how many releases
/// were audited: "torch runs on RTX 5090 (12.0) since 2.7.0; 2.6.0 does not".
std::string history_text(const HistoryReport& report, std::size_t columns);

/// Returns an archgrid.history/1 document.
std::string history_json(const HistoryReport& report);

/// Reports whether a release that runs was found for each GPU. Returns nothing if no release could
/// be audited for some GPU.
std::optional<bool> runs_on_all(const HistoryReport& report);

}  // namespace archgrid::report

#endif
