// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The figures of a page of measurements, before anybody draws them.
#ifndef ARCHGRID_REPORT_PERF_FIGURES_HPP
#define ARCHGRID_REPORT_PERF_FIGURES_HPP

#include <archgrid/perf/files.hpp>
#include <optional>
#include <string>
#include <vector>

namespace archgrid::report {

/// All runs of one build on one day.
struct BuildFigures {
  std::string build;
  std::string day;              ///< "2026-02-01"
  std::vector<double> seconds;  ///< the runs' medians, sorted; without throttled and empty runs
  std::size_t left_out = 0;     ///< runs that were throttled or measured nothing
  double lowest = 0;            ///< of `seconds`, like those that follow; 0 where there are none
  double quarter = 0;
  double median = 0;
  double three_quarters = 0;
  double highest = 0;
};

/// In the order in which they are met, which in a history is that of dates.
std::vector<BuildFigures> figures_of(const perf::Benchmark& benchmark);

/// Of the latest build that measured something: operations a second, and a byte.
struct RooflinePoint {
  std::string name;
  double intensity = 0;
  double flops_per_second = 0;
};

/// Of the benchmarks that tell their bytes and operations.
std::vector<RooflinePoint> roofline_of(const perf::Record& record);

/// The latest figures with a median; nothing where no run measured anything.
std::optional<BuildFigures> latest_of(const std::vector<BuildFigures>& figures);

}  // namespace archgrid::report

#endif
