// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes the figures for a page of measurements.
#ifndef ARCHGRID_REPORT_PERF_FIGURES_HPP
#define ARCHGRID_REPORT_PERF_FIGURES_HPP

#include <archgrid/perf_records/files.hpp>
#include <optional>
#include <string>
#include <vector>

namespace archgrid::report {

/// All runs of one build on one day.
struct BuildFigures {
  std::string build;
  std::string day;              ///< "2026-02-01"
  std::vector<double> seconds;  ///< medians of the runs, sorted; without throttled and empty runs
  std::size_t left_out = 0;     ///< runs that were throttled or measured nothing
  double lowest = 0;            ///< of `seconds`, like the next four; 0 if it is empty
  double quarter = 0;
  double median = 0;
  double three_quarters = 0;
  double highest = 0;
};

/// Returns figures in the order of the runs, which in a history is by date.
std::vector<BuildFigures> figures_of(const perf::Benchmark& benchmark);

/// Operations per second and per byte, of the latest build with a measurement.
struct RooflinePoint {
  std::string name;
  double intensity = 0;
  double flops_per_second = 0;
};

/// Returns the points of benchmarks that record their bytes and operations.
std::vector<RooflinePoint> roofline_of(const perf::Record& record);

/// Returns the latest figures with a median; nothing if no run measured anything.
std::optional<BuildFigures> latest_of(const std::vector<BuildFigures>& figures);

}  // namespace archgrid::report

#endif
