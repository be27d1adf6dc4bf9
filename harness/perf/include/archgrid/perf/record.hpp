// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// What was measured on one machine, as archgrid.perf/1 keeps it:
// matrices/archgrid-perf.schema.json.
#ifndef ARCHGRID_PERF_RECORD_HPP
#define ARCHGRID_PERF_RECORD_HPP

#include <archgrid/statistics.hpp>
#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

namespace archgrid::perf {

/// What timings depend on beside the code. Those of different keys are never compared.
struct Key {
  std::string gpu;                 ///< the model, as the driver names it: "NVIDIA H200"
  std::string compute_capability;  ///< "9.0"
  std::string driver;              ///< of the kernel's module: "580.65.06"
  std::string toolkit;             ///< "13.0"
  std::string clocks;              ///< the policy: "default", "locked 1980 MHz"
};

bool operator==(const Key& left, const Key& right);
bool operator!=(const Key& left, const Key& right);

/// Whether the L2 cache was flushed before each launch.
enum class Cache { cold, hot };

/// "cold", "hot"
const char* name_of(Cache cache);

/// The build of a run that nobody named.
constexpr const char* kUnnamedBuild = "unnamed";

/// One run of a program: some samples that followed each other closely.
struct Run {
  std::string build;  ///< what was run: a cell, a commit
  std::string date;   ///< when it began, in UTC: text_of_date()
  /// That one launch took, each finite and above 0. None where nothing could be measured.
  std::vector<double> seconds;
  std::optional<bool> throttled;              ///< nothing where it is not known
  std::vector<std::string> throttle_reasons;  ///< as NVML names them
  std::optional<double> sm_clock_mhz;         ///< while the samples were taken, on average
  std::optional<double> memory_clock_mhz;
  std::optional<double> temperature_celsius;
  /// What the host took to launch. A part of `seconds` where it is longer than the work.
  std::optional<double> launch_overhead_seconds;
  /// Two runs of one series with one number were taken next to each other, one of each build. Set
  /// by what interleaves them, `archgrid perf run`.
  std::string series;
  std::optional<std::uint64_t> pair;
};

/// `name` and `cache` tell benchmarks apart.
struct Benchmark {
  std::string name;
  Cache cache = Cache::hot;
  Work work;
  std::vector<Run> runs;
};

/// What the GPU can do at most, as measured on it.
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

/// The first thing that archgrid.perf/1 does not allow, after its place in the document:
/// "benchmarks[0].runs[2].seconds[1]: 0 s measured nothing". Empty if all is well.
std::string problem_of(const Record& record);

/// The document. Throws std::invalid_argument with problem_of(record) where there is one.
std::string to_json(const Record& record);

/// Writes the document beside `path` and renames it, so that it is there whole or not at all.
/// Throws std::invalid_argument like to_json(), and std::runtime_error where it cannot be written.
void save(const Record& record, const std::string& path);

/// "2026-02-01T12:30:00Z"
std::string text_of_date(std::time_t time);

}  // namespace archgrid::perf

#endif
