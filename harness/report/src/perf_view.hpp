// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Common parts of the writers of a performance report.
#ifndef ARCHGRID_REPORT_PERF_VIEW_HPP
#define ARCHGRID_REPORT_PERF_VIEW_HPP

#include <archgrid/report/perf.hpp>
#include <string>
#include <vector>

namespace archgrid::report {

/// Reports whether the benchmark fails the gate.
bool fails(const PerfReport& report, const perf::BenchmarkComparison& benchmark);

/// Returns the titles of cells_of(), which ends with the decision.
std::vector<std::string> perf_titles();

/// Returns "gemm/1024", "hot", "1.00 ms", "1.02 ms", "+2.00 %", "+1.80 % to +2.21 %", "30",
/// "SLOWER".
std::vector<std::string> cells_of(const perf::BenchmarkComparison& benchmark);

/// Returns the reason for the decision, and the next step.
std::string reason_of(const perf::BenchmarkComparison& benchmark);

/// Returns a description of the statistical test.
std::string test_line(const PerfReport& report);

}  // namespace archgrid::report

#endif
