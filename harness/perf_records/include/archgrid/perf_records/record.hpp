// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// The measurements of one machine, in the format of archgrid.perf/1:
// matrices/archgrid-perf.schema.json.
#ifndef ARCHGRID_PERF_RECORDS_RECORD_HPP
#define ARCHGRID_PERF_RECORDS_RECORD_HPP

#include <archgrid/perf_records/statistics.hpp>
#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

namespace archgrid::perf {

/// The conditions of timings besides the code. Timings with different keys are never compared.
struct Key {
  std::string gpu;                 ///< model name of the driver: "NVIDIA H200"
  std::string compute_capability;  ///< "9.0"
  std::string driver;              ///< release of the kernel module: "580.65.06"
  std::string toolkit;             ///< "13.0"
  std::string clocks;              ///< clock policy: "default", "locked 1980 MHz"
};

bool operator==(const Key& left, const Key& right);
bool operator!=(const Key& left, const Key& right);

/// The state of the L2 cache: cold if it is flushed before each launch.
enum class Cache { cold, hot };

/// Returns "cold" or "hot".
const char* name_of(Cache cache);

/// The build of a run without a named build.
constexpr const char* kUnnamedBuild = "unnamed";

/// One run of a program: some samples in quick succession.
struct Run {
  std::string build;  ///< the build that ran: a cell, a commit
  std::string date;   ///< start in UTC: text_of_date()
  /// Times of one launch, each finite and positive. Empty if nothing could be measured.
  std::vector<double> seconds;
  std::optional<bool> throttled;              ///< nothing if unknown
  std::vector<std::string> throttle_reasons;  ///< by their NVML names
  std::optional<double> sm_clock_mhz;         ///< average during the samples
  std::optional<double> memory_clock_mhz;
  std::optional<double> temperature_celsius;
  /// The host's time for a launch. It is part of `seconds` if it exceeds the time of the work.
  std::optional<double> launch_overhead_seconds;
  /// Two runs with the same series and number were measured one after the other, one of each build.
  /// Set by `archgrid perf run`, which interleaves them.
  std::string series;
  std::optional<std::uint64_t> pair;
};

/// A benchmark, identified by `name` and `cache`.
struct Benchmark {
  std::string name;
  Cache cache = Cache::hot;
  Work work;
  std::vector<Run> runs;
};

/// A measured maximum of the GPU.
struct Ceiling {
  std::string name;       ///< "fp32", "DRAM"
  std::string unit;       ///< "FLOP/s" or "B/s"
  double per_second = 0;  ///< in that unit
};

struct Record {
  Key key;
  std::vector<Ceiling> ceilings;
  std::vector<Benchmark> benchmarks;
};

/// Returns the first violation of archgrid.perf/1, after its place in the document:
/// "benchmarks[0].runs[2].seconds[1]: 0 s measured nothing". Empty if the record is valid.
std::string problem_of(const Record& record);

/// Returns the document. Throws std::invalid_argument with problem_of(record) if that is not empty.
std::string to_json(const Record& record);

/// Writes the document to a temporary file beside `path` and renames it, so that the file is always
/// complete. Throws std::invalid_argument like to_json(), and std::runtime_error if it cannot be
/// written.
void save(const Record& record, const std::string& path);

/// Returns "2026-02-01T12:30:00Z".
std::string text_of_date(std::time_t time);

}  // namespace archgrid::perf

#endif
