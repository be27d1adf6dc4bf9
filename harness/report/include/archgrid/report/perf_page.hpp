// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Draws measurements: distributions, history, roofline.
#ifndef ARCHGRID_REPORT_PERF_PAGE_HPP
#define ARCHGRID_REPORT_PERF_PAGE_HPP

#include <archgrid/perf_records/record.hpp>
#include <archgrid/report.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace archgrid::report {

/// Writes one self-contained HTML page for all records, each with its own key: no network, no
/// scripts.
void perf_html(const std::vector<perf::Record>& records, std::string_view version,
               const Sink& sink);

/// Returns the same figures as tables in GitHub's Markdown.
std::string perf_records_markdown(const std::vector<perf::Record>& records);

}  // namespace archgrid::report

#endif
