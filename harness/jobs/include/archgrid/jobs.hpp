// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Packs the cells and GPU jobs of a plan into jobs of a CI system. Pure functions of text.
#ifndef ARCHGRID_JOBS_HPP
#define ARCHGRID_JOBS_HPP

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace archgrid::jobs {

/// The most jobs that GitHub runs of one `strategy.matrix`.
constexpr std::size_t kMaxJobs = 256;

/// The most bytes of a job's outputs. GitHub counts them as UTF-16.
constexpr std::size_t kMaxOutputBytes = std::size_t{1024} * 1024;

/// Distributes items over at most `max_bins` bins of nearly equal sums: the heaviest item first,
/// each into the lightest bin. Returns the indices of each bin's items, in ascending order; no bin
/// is empty. `max_bins` is positive, and no weight is negative.
std::vector<std::vector<std::size_t>> pack(const std::vector<double>& weights,
                                           std::size_t max_bins);

/// Seconds that cells took to build, by the ids of the cells.
using Times = std::map<std::string, double>;

/// Adds the time of an archgrid.cell/1 document, unless its cell was not built. Throws
/// std::runtime_error for other documents.
void add_time(const std::string& cell_json, Times& times);

struct BuildJob {
  std::string name;  ///< "build-1"
  std::vector<std::string> cells;
  double seconds = 0;  ///< estimate; without any times, the number of archs
};

struct TestJob {
  std::string name;                  ///< "sm90"; for several presets "sm80-and-2"
  std::vector<std::string> presets;  ///< of ctest, to run one after another
  std::vector<std::string> devices;
  std::vector<std::string> runner;  ///< labels
  std::vector<std::string> cells;
  std::vector<std::size_t> builds;  ///< indices of the build jobs with these cells
};

struct Jobs {
  std::string name;    ///< of the matrix
  bool timed = false;  ///< estimates are seconds
  std::vector<BuildJob> build;
  std::vector<TestJob> test;
};

struct Request {
  std::size_t max_build_jobs = 1;  ///< at most kMaxJobs
  bool tests = true;               ///< false: no GPU jobs
};

/// Returns the jobs of an archgrid.plan/1 document. A cell without a time gets the median time per
/// arch of the others. GPU jobs share a job only beyond kMaxJobs, and only on one kind of runner.
/// Throws std::runtime_error if there is nothing to build, or nothing to test although tests are
/// requested.
Jobs jobs_of(const std::string& plan_json, const Times& times, const Request& request);

/// Returns archgrid.jobs/1.
std::string jobs_json(const Jobs& jobs);

/// Returns the outputs `build` and `test` of a job of GitHub Actions, a line each: matrices for
/// `strategy: matrix: ${{ fromJSON(...) }}`. Throws std::runtime_error beyond kMaxOutputBytes.
std::string github_outputs(const Jobs& jobs);

}  // namespace archgrid::jobs

#endif
