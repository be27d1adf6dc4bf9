// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the results of the performance gate for people, pull requests and programs.
#ifndef ARCHGRID_REPORT_PERF_HPP
#define ARCHGRID_REPORT_PERF_HPP

#include <archgrid/perf_records/compare.hpp>
#include <archgrid/report.hpp>
#include <string>

namespace archgrid::report {

struct PerfReport {
  perf::Comparison comparison;
  bool allow_no_data = false;
};

/// Returns "SLOWER: 1 of 4 benchmarks: 1 SLOWER, 3 SAME".
std::string closing_line(const PerfReport& report);

/// Returns text for terminals: one row per benchmark, with the reason.
std::string perf_text(const PerfReport& report, Style style);

/// Returns GitHub's Markdown, at most `most` bytes: rows that do not fit are counted.
std::string perf_markdown(const PerfReport& report, std::size_t most);

/// Returns workflow commands that annotate a GitHub Actions run with failures: at most ten.
std::string perf_annotations(const PerfReport& report);

/// Writes archgrid.perf-compare/1.
void perf_json(const PerfReport& report, const Sink& sink);

}  // namespace archgrid::report

#endif
