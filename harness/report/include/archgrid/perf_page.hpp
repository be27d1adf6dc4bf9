// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// What was measured, as pictures: distributions, history, roofline.
#ifndef ARCHGRID_REPORT_PERF_PAGE_HPP
#define ARCHGRID_REPORT_PERF_PAGE_HPP

#include <archgrid/perf/record.hpp>
#include <archgrid/report.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace archgrid::report {

/// One HTML page for all records, a key each: it needs nothing else, no network and no script.
void perf_html(const std::vector<perf::Record>& records, std::string_view version,
               const Sink& sink);

/// The same figures as tables of GitHub's Markdown.
std::string perf_records_markdown(const std::vector<perf::Record>& records);

}  // namespace archgrid::report

#endif
