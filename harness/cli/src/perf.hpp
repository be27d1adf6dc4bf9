// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ARCHGRID_CLI_PERF_HPP
#define ARCHGRID_CLI_PERF_HPP

#include <archgrid/perf_records/files.hpp>
#include <cstddef>
#include <string>
#include <vector>

namespace archgrid::cli {

/// The decision limits and outputs of the gate, for `perf compare` and `perf run`.
struct GateOptions {
  double negligible = 0.1;  ///< in percent
  double tolerance = 2;     ///< in percent
  bool allow_no_data = false;
  bool github = false;
  std::string json;      ///< destination; "-": standard output
  std::string markdown;  ///< likewise
};

struct PerfCompareOptions {
  GateOptions gate;
  std::string base;
  std::string fresh;
  bool by_order = false;
};

struct PerfMergeOptions {
  std::string out;
  std::vector<std::string> files;
};

struct PerfRunOptions {
  GateOptions gate;
  std::string base;
  std::string fresh;
  std::size_t pairs = 30;
  std::vector<std::string> arguments;
  std::string save_base;
  std::string save_new;
};

struct PerfKeepOptions {
  std::string history;
  std::vector<std::string> files;
};

struct PerfReportOptions {
  std::vector<std::string> files;
  std::string history;
  std::string html;      ///< destination; "-": standard output
  std::string markdown;  ///< likewise
};

int run_perf_keep(const PerfKeepOptions& options);
int run_perf_report(const PerfReportOptions& options);
int run_perf_compare(const PerfCompareOptions& options);
int run_perf_merge(const PerfMergeOptions& options);
int run_perf_run(const PerfRunOptions& options);

/// Measurements of both programs in alternation.
struct Interleaved {
  perf::File base;
  perf::File fresh;
};

/// Runs both programs `pairs` times in alternation: base, new, new, base, and so on. Throws
/// std::runtime_error naming the run if one fails or writes no valid record.
Interleaved interleave(const PerfRunOptions& options);

}  // namespace archgrid::cli

#endif
